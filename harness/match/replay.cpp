#include "harness/match/replay.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "adapters/uci/uci.h"
#include "base/diagnostic.h"
#include "harness/match/game_clock.h"
#include "rules/game.h"

namespace assay::harness {

namespace {

constexpr Micros kLongestShellWait = std::chrono::seconds(600);

/// Plays a record again: the position, both clocks and the moves said so far.
class Replayer {
public:
    Replayer(const GameRecord& game, const MatchPlan& plan)
        : game_(game),
          rules_(rules::make_game(plan.variant)),
          position_(game.start.empty() ? rules_->start() : rules_->parse(game.start)),
          clocks_{clock_of(plan, 0), clock_of(plan, 1)} {}

    [[nodiscard]] ReplayStep book_move(const std::string& name) {
        ReplayStep step = step_here();
        step.is_book = true;
        make(step, name);
        return step;
    }

    [[nodiscard]] ReplayStep move(const MoveRecord& record) {
        ReplayStep step = question_here();
        step.record = &record;
        make(step, record.name);
        GameClock& clock = clocks_[static_cast<std::size_t>(step.player)];
        static_cast<void>(clock.book(record.used));
        if (clock.is_hourglass())
            clocks_[static_cast<std::size_t>(1 - step.player)].give(record.used);
        return step;
    }

    [[nodiscard]] ReplayStep question_here() const {
        ReplayStep step = step_here();
        const GameClock& clock = clocks_[static_cast<std::size_t>(step.player)];
        adapters::SearchRequest request;
        request.start = game_.start;
        request.moves = moves_;
        request.player = step.player;
        fill_clocks(request, clocks_, step.player);
        clock.fill_limits(request);
        step.commands = adapters::uci_search_lines(request);
        step.has_clock = clock.has_clock();
        step.clock = clock.left();
        step.allowed = clock.flag_limit().value_or(clock.control().wall_limit);
        return step;
    }

    [[nodiscard]] bool is_over() const { return position_->to_move() < 0; }

private:
    [[nodiscard]] GameClock clock_of(const MatchPlan& plan, std::size_t player) const {
        return GameClock(plan.time[static_cast<std::size_t>(game_.program[player])]);
    }

    [[nodiscard]] ReplayStep step_here() const {
        if (is_over()) throw Error(damaged("a move after its end"), 4);
        ReplayStep step;
        step.ply = position_->ply() + 1;
        step.player = position_->to_move();
        step.program = game_.program[static_cast<std::size_t>(step.player)];
        step.move_number = position_->move_number();
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
        return fmt::format("game {} has {} at ply {}: the store is damaged", game_.number(), what,
                           position_->ply() + 1);
    }

    const GameRecord& game_;
    std::unique_ptr<rules::Game> rules_;
    std::unique_ptr<rules::Position> position_;
    std::array<GameClock, 2> clocks_;
    std::string moves_;
};

}  // namespace

std::vector<ReplayStep> replay(const GameRecord& game, const MatchPlan& plan) {
    Replayer replayer(game, plan);
    std::vector<ReplayStep> steps;
    steps.reserve(game.opening.size() + game.moves.size() + 1);
    for (const std::string& name : game.opening) steps.push_back(replayer.book_move(name));
    for (const MoveRecord& record : game.moves) steps.push_back(replayer.move(record));
    if (is_failure(game.termination) && !replayer.is_over()) {
        steps.push_back(replayer.question_here());
    }
    return steps;
}

std::vector<std::string> replay_lines(const ReplayStep& step, const ProgramPlan& program,
                                      bool chess960) {
    std::vector<std::string> lines{"uci"};
    for (const auto& [name, value] : program.options) {
        lines.push_back("setoption name " + name + (value.empty() ? "" : " value " + value));
    }
    if (chess960) lines.emplace_back("setoption name UCI_Chess960 value true");
    lines.insert(lines.end(), {"ucinewgame", "isready"});
    std::string_view rest = step.commands;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        lines.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

std::string shell_quoted(const std::string& word) {
    static constexpr std::string_view kPlain = "%+,-./:=@_";
    const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               kPlain.find(c) != std::string_view::npos;
    });
    if (is_plain) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string replay_shell(const ReplayStep& step, const ProgramPlan& program, bool chess960) {
    std::string text = program.dir.empty() ? "" : "cd " + shell_quoted(program.dir) + " && ";
    text += "(printf '%s\\n'";
    for (const std::string& line : replay_lines(step, program, chess960)) {
        text += " " + shell_quoted(line);
    }
    // A program that reads the end of its input ends, mostly without an answer.
    const auto wait = std::chrono::ceil<std::chrono::seconds>(
        std::min(step.allowed, kLongestShellWait) + std::chrono::seconds(1));
    text += fmt::format("; sleep {}; printf 'stop\\nquit\\n') |", wait.count());
    if (!program.env.empty()) {
        text += " env";
        for (const auto& [name, value] : program.env)
            text += " " + shell_quoted(name + "=" + value);
    }
    for (const std::string& word : program.sandbox) text += " " + shell_quoted(word);
    for (const std::string& word : program.command) text += " " + shell_quoted(word);
    return text;
}

}  // namespace assay::harness
