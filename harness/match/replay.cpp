// A stored game has moves and booked times; what a program was told before each move is not stored.
// It is computed here by the classes that played the game (GameClock, Position), so that a question
// is the same to the letter as the one that was asked, without keeping a copy of a hundred
// questions with every game. The times that were booked, not a clock, drive the clocks.
//
// A move that the rules refuse, or one behind the end, means a damaged store (exit code 4) and not
// a wrong command: all of them were legal when they were written.
#include "harness/match/replay.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "adapters/protocols.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/game_clock.h"
#include "harness/program/confinement/confinement.h"
#include "rules/game.h"

namespace assay::harness {

namespace {

constexpr Micros kLongestShellWait = std::chrono::seconds(600);

/// Replays a record: keeps the position, all clocks and the moves made so far.
class Replayer {
public:
    Replayer(const GameRecord& game, const RunPlan& run, const MatchPlan& plan)
        : game_(game),
          run_(run),
          plan_(plan),
          rules_(game_of(plan)),
          position_(game.start.empty() ? rules_->start() : rules_->parse(game.start)),
          clocks_(clocks_of(game, plan)) {}

    [[nodiscard]] ReplayStep opening_move(const std::string& name) {
        ReplayStep step = step_here();
        step.is_book = true;
        make(step, name);
        return step;
    }

    [[nodiscard]] ReplayStep move(const MoveRecord& record) {
        if (position_->to_move() == rules::kChance) {
            ReplayStep event = step_here();
            make(event, record.name);
            return event;
        }
        ReplayStep step = question_here();
        step.record = &record;
        make(step, record.name);
        // After the step, which shows the clock as it stood when the question was asked. A move
        // that overran is the last one, so that what the flag would say is of no use.
        static_cast<void>(book_move(clocks_, step.player, record.used));
        return step;
    }

    [[nodiscard]] ReplayStep question_here() const {
        ReplayStep step = step_here();
        const GameClock& clock = clocks_[static_cast<std::size_t>(step.player)];
        step.start = game_.start;
        step.moves = moves_;
        step.limits.player = step.player;
        fill_clocks(step.limits, clocks_, step.player);
        clock.fill_limits(step.limits);
        const std::size_t program = plan_.between.at(static_cast<std::size_t>(step.program));
        const ProgramPlan& told = run_.programs.at(program);
        step.commands = adapters::protocol_named(told.protocol, " of program '" + told.name + "'")
                            .search_lines(step.search());
        step.has_clock = clock.has_clock();
        step.clock = clock.left();
        step.allowed = clock.flag_limit().value_or(clock.control().wall_limit);
        return step;
    }

    [[nodiscard]] bool is_over() const { return position_->to_move() == rules::kNobody; }

    [[nodiscard]] bool has_mover() const { return position_->to_move() >= 0; }

private:
    /// By player.
    [[nodiscard]] static std::vector<GameClock> clocks_of(const GameRecord& game,
                                                          const MatchPlan& plan) {
        std::vector<GameClock> clocks;
        for (std::size_t player = 0; player < game.program.size(); ++player)
            clocks.emplace_back(plan.time.at(static_cast<std::size_t>(game.program[player])));
        return clocks;
    }

    [[nodiscard]] ReplayStep step_here() const {
        if (is_over()) throw Error(damaged("a move after its end"), 4);
        ReplayStep step;
        step.ply = position_->ply() + 1;
        step.player = position_->to_move();
        step.program = step.player < 0 ? -1 : game_.program_of(step.player);
        step.move_number = position_->move_number();
        step.label = rules::move_label(rules_->info(), *position_);
        step.before = position_->text();
        return step;
    }

    void make(ReplayStep& step, const std::string& name) {
        const auto move = position_->move_of(name, rules::Notation::Canonical);
        if (!move) throw Error(damaged("the illegal move '" + name + "'"), 4);
        step.name = name;
        step.san = position_->name_of(*move, rules::Notation::Text);
        position_->make(*move);
        step.after = position_->text();
        moves_ += (moves_.empty() ? "" : " ") + name;
    }

    [[nodiscard]] std::string damaged(const std::string& what) const {
        return fmt::format("game {} has {} at ply {}: the store is damaged", game_.number, what,
                           position_->ply() + 1);
    }

    const GameRecord& game_;
    const RunPlan& run_;
    const MatchPlan& plan_;
    std::unique_ptr<rules::Game> rules_;
    std::unique_ptr<rules::Position> position_;
    std::vector<GameClock> clocks_;  // by player
    std::string moves_;
};

}  // namespace

adapters::SearchRequest ReplayStep::search() const {
    adapters::SearchRequest request = limits;
    request.start = start;
    request.moves = moves;
    return request;
}

std::vector<ReplayStep> replay(const GameRecord& game, const RunPlan& run, std::size_t match) {
    Replayer replayer(game, run, run.matches.at(match));
    std::vector<ReplayStep> steps;
    steps.reserve(game.opening.size() + game.moves.size() + 1);
    for (const std::string& name : game.opening) steps.push_back(replayer.opening_move(name));
    for (const MoveRecord& record : game.moves) steps.push_back(replayer.move(record));
    // A program that failed left no move behind. The question that it could not answer is the one
    // that a user wants to try again.
    if (is_failure(game.termination) && replayer.has_mover()) {
        steps.push_back(replayer.question_here());
    }
    return steps;
}

std::vector<std::string> replay_lines(const ReplayStep& step, const adapters::ProgramSpec& spec) {
    adapters::GameStart game;
    game.start = step.start;
    game.player = step.player;
    return adapters::protocol_named(spec.protocol, " of program '" + spec.name + "'")
        .script(spec, game, step.search());
}

std::string replay_shell(const ReplayStep& step, const adapters::ProgramSpec& spec) {
    const adapters::Protocol& protocol = adapters::protocol_named(spec.protocol);
    std::string start;
    const auto add = [&start](const std::string& word) {
        start += (start.empty() ? "" : " ") + shell_word(word);
    };
    if (!spec.env.empty()) add("env");
    for (const auto& [name, value] : spec.env) add(name + "=" + value);
    for (const std::string& word : spec.wrapper) add(word);
    for (const std::string& word : spec.argv) add(word);
    std::string lines;
    for (const std::string& line : replay_lines(step, spec)) lines += " " + shell_word(line);
    std::string end_lines;
    for (const std::string_view line : protocol.end_lines) end_lines += " " + shell_word(line);
    // A program that reads the end of its input ends, mostly without an answer. So its input is a
    // named pipe, which stays open until the answer has been read.
    const auto wait = std::chrono::ceil<std::chrono::seconds>(
        std::min(step.allowed, kLongestShellWait) + std::chrono::seconds(1));
    return fmt::format(
        "{}p=$(mktemp -u) && mkfifo \"$p\" && {} <\"$p\" | {{ exec 3>\"$p\"; rm \"$p\"; "
        "printf '%s\\n'{} >&3; timeout {} sed {}; printf '%s\\n'{} >&3; exec 3>&-; cat; }}",
        spec.dir.empty() ? "" : "cd " + shell_word(spec.dir) + " && ", start, lines, wait.count(),
        shell_word("/" + std::string(protocol.answer_pattern) + "/q"), end_lines);
}

}  // namespace assay::harness
