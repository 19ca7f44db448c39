#include "harness/match/replay.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "adapters/process/event_loop.h"
#include "adapters/protocols.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/values.h"
#include "harness/build/build_versions.h"
#include "harness/match/match_setting.h"
#include "harness/program/program_file.h"
#include "harness/store/store.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"
#include "rules/game.h"

namespace assay::cli {

namespace {

using harness::GameRecord;
using harness::ReplayStep;
using harness::RunRecord;

constexpr int kReplayFailed = 4;

constexpr const char* kReplayExamples =
    R"(RUN is a number, 'latest', or a config's name. Plies count from 1, the opening's included; where a
program failed to move, the ply after the last is the one it failed at.

examples:
  assay replay 12 113             the game, move by move
  assay replay 12 113 34          the position, the clocks and what the program was told
  assay replay latest 1 20 --run  asks the program again)";

struct ReplayFlags {
    std::string run;
    std::int64_t game = 0;
    std::optional<int> ply;
    std::size_t match = 1;
    std::string store = "assay.db";
    bool json = false;
    bool again = false;
};

/// A game with all that its replay needs.
struct Stored {
    RunRecord run;
    std::size_t match = 0;
    GameRecord game;

    [[nodiscard]] const harness::MatchPlan& plan() const { return run.plan.matches.at(match); }

    [[nodiscard]] const harness::ProgramPlan& program(int index) const {
        return run.plan.programs.at(plan().between.at(static_cast<std::size_t>(index)));
    }

    /// The program that was to move, or "chance".
    [[nodiscard]] std::string name_at(const ReplayStep& step) const {
        return step.program < 0 ? "chance" : program(step.program).name;
    }

    /// The same for a terminal.
    [[nodiscard]] std::string shown_name_at(const ReplayStep& step) const {
        return printable_utf8(name_at(step));
    }

    [[nodiscard]] const harness::VersionRecord& version(int index) const {
        const std::size_t at = plan().between.at(static_cast<std::size_t>(index));
        if (at >= run.versions.size()) {
            throw Error(fmt::format("run {} has no version of {}: the store is damaged", run.id,
                                    program(index).name),
                        kReplayFailed);
        }
        return run.versions[at];
    }

    /// A program from git is started where it was built.
    [[nodiscard]] adapters::ProgramSpec spec(int index) const {
        return harness::spec_as_written(harness::placed_program(program(index), version(index)),
                                        plan().game.name);
    }
};

Stored load(const ReplayFlags& flags) {
    const harness::Store store(flags.store, harness::Store::Access::Read);
    auto run = store.find_run(flags.run);
    if (!run) {
        throw Error(flags.store + ": there is no run '" + flags.run + "'; 'assay runs' lists them");
    }
    const std::size_t matches = run->plan.matches.size();
    if (flags.match < 1 || flags.match > matches) {
        throw Error(fmt::format("replay: run {} has {}, there is no match {}", run->id,
                                counted(matches, "match", "matches"), flags.match));
    }
    auto game = store.game(run->id, flags.match - 1, flags.game);
    if (!game) {
        std::int64_t last = 0;
        store.for_each_game(run->id, flags.match - 1, [&last](const GameRecord& record) {
            last = std::max(last, record.number);
        });
        throw Error(last == 0 ? fmt::format("replay: run {} has no finished game yet", run->id)
                              : fmt::format("replay: run {} has no game {}; its last is game {}",
                                            run->id, flags.game, last));
    }
    return {std::move(*run), flags.match - 1, std::move(*game)};
}

const ReplayStep& step_at(const std::vector<ReplayStep>& steps, int ply, std::int64_t game) {
    if (ply < 1 || static_cast<std::size_t>(ply) > steps.size()) {
        throw Error(steps.empty() ? fmt::format("replay: game {} ended without a ply", game)
                                  : fmt::format("replay: game {} has plies 1 to {}, not {}", game,
                                                steps.size(), ply));
    }
    return steps[static_cast<std::size_t>(ply) - 1];
}

std::string seconds_text(Micros time) {
    return fmt::format("{:.3f} s", static_cast<double>(time.count()) / 1e6);
}

std::string score_text(const adapters::Score& score) {
    const char* const bound = score.bound == adapters::Score::Bound::Lower   ? ">="
                              : score.bound == adapters::Score::Bound::Upper ? "<="
                                                                             : "";
    if (score.is_mate) return fmt::format("{}mate {}", bound, score.value);
    return fmt::format("{}{:+.2f}", bound, score.value / 100.0);
}

std::string move_text(const ReplayStep& step) {
    return step.label + " " + (step.san.empty() ? "?" : step.san);
}

std::string title(const Stored& stored) {
    const GameRecord& game = stored.game;
    const auto sides = reports::side_names(stored.plan());
    return fmt::format("run {} ({}), game {} (pair {}, {} game{}): {} is {}, {} is {}",
                       stored.run.id, printable_utf8(stored.run.name), game.number, game.pair + 1,
                       game.game == 0 ? "first" : "second",
                       game.attempt > 0 ? fmt::format(", attempt {}", game.attempt + 1) : "",
                       printable_utf8(stored.program(game.program[0]).name), sides[0],
                       printable_utf8(stored.program(game.program[1]).name), sides[1]);
}

std::string end_text(const Stored& stored) {
    const GameRecord& game = stored.game;
    return fmt::format("{:g}-{:g}  {} ({})", game.scores[0], game.scores[1],
                       printable_utf8(game.reason), harness::name_of(game.termination));
}

/// What a program said or was told, and what a store says of it, is not to reach a terminal as it
/// is.
void print_lines(const char* label, std::string_view text) {
    for (const char* lead = label; !text.empty(); lead = "")
        fmt::print("{:<10} {}\n", lead, printable_utf8(take_line(text)));
}

void print_game(const Stored& stored, const std::vector<ReplayStep>& steps) {
    std::printf("%s\n", title(stored).c_str());
    std::printf("from %s\n",
                steps.empty() ? "the start" : printable_utf8(steps.front().before).c_str());
    std::printf("%5s  %-12s %-16s %10s %11s %10s %5s\n", "ply", "move", "program", "used", "left",
                "score", "depth");
    for (const ReplayStep& step : steps) {
        std::string line = fmt::format("{:>5}  {:<12} {:<16}", step.ply, move_text(step),
                                       step.is_book ? "(opening)" : stored.shown_name_at(step));
        if (const harness::MoveRecord* const record = step.record) {
            line += fmt::format(" {:>10} {:>11} {:>10} {:>5}", seconds_text(record->used),
                                step.has_clock ? seconds_text(record->left) : "-",
                                record->score ? score_text(*record->score) : "-",
                                record->depth ? std::to_string(*record->depth) : "-");
        }
        std::printf("%s\n", line.c_str());
    }
    std::printf("%s\n", end_text(stored).c_str());
}

std::string played_text(const ReplayStep& step) {
    if (step.name.empty()) return "no move: it failed here";
    std::string text = fmt::format("{} ({})", move_text(step), step.name);
    const harness::MoveRecord* const record = step.record;
    if (record == nullptr) return text + (step.is_book ? ", of the opening" : ", drawn by chance");
    if (record->score) text += "  score " + score_text(*record->score);
    if (record->depth) text += fmt::format("  depth {}", *record->depth);
    if (record->nodes) text += fmt::format("  nodes {}", *record->nodes);
    text += "  after " + seconds_text(record->used);
    if (step.has_clock) text += ", left " + seconds_text(record->left);
    return text +
           fmt::format("  (harness {:.3f} ms)", static_cast<double>(record->delay.count()) / 1e3);
}

void print_step(const Stored& stored, const ReplayStep& step, bool is_last) {
    std::printf("%s\n", title(stored).c_str());
    print_lines(
        "ply",
        fmt::format("{}, move {}, {} to move{}", step.ply, step.move_number, stored.name_at(step),
                    step.has_clock ? ", on its clock " + seconds_text(step.clock) : ""));
    print_lines("position", step.before);
    print_lines("played", played_text(step));
    if (!step.after.empty()) print_lines("after", step.after);
    if (step.is_asked()) {
        print_lines("told", step.commands);
        if (stored.plan().ponder)
            print_lines("", "(if it pondered: the same as 'go ponder' before)");
        print_lines("again", harness::replay_shell(step, stored.spec(step.program)));
    }
    if (!is_last) return;
    print_lines("ended", end_text(stored));
    print_lines("last told", stored.game.last_command);
    print_lines("last said", stored.game.last_lines);
}

void print_json(const Stored& stored, const std::vector<ReplayStep>& steps,
                const ReplayStep* wanted) {
    namespace json = boost::json;
    const GameRecord& game = stored.game;
    json::array plies;
    for (const ReplayStep& step : steps) {
        if (wanted != nullptr && &step != wanted) continue;
        json::object ply{{"ply", step.ply},
                         {"move_number", step.move_number},
                         {"program", stored.name_at(step)},
                         {"opening", step.is_book},
                         {"before", step.before},
                         {"move", step.name},
                         {"san", step.san},
                         {"after", step.after},
                         {"commands", step.commands}};
        if (step.has_clock) ply["clock_us"] = step.clock.count();
        if (const harness::MoveRecord* const record = step.record) {
            ply["used_us"] = record->used.count();
            ply["delay_us"] = record->delay.count();
            if (step.has_clock) ply["left_us"] = record->left.count();
            if (record->score) ply["score"] = score_text(*record->score);
            if (record->depth) ply["depth"] = *record->depth;
            if (record->nodes) ply["nodes"] = *record->nodes;
        }
        if (wanted != nullptr && step.is_asked()) {
            ply["shell"] = harness::replay_shell(step, stored.spec(step.program));
        }
        plies.push_back(std::move(ply));
    }
    const json::object document{
        {"schema", 1},
        {"run", stored.run.id},
        {"match", stored.match + 1},
        {"game", game.number},
        {"pair", game.pair + 1},
        {"programs", {stored.program(game.program[0]).name, stored.program(game.program[1]).name}},
        {"scores", {game.scores[0], game.scores[1]}},
        {"termination", harness::name_of(game.termination)},
        {"reason", game.reason},
        {"last_command", game.last_command},
        {"last_lines", game.last_lines},
        {"plies", std::move(plies)},
    };
    std::printf("%s\n", json::serialize(document).c_str());
}

/// Asks a program again, and prints what it says from the search on. Every wait is bounded.
class Asking final : private adapters::PlayerListener, private adapters::LineObserver {
public:
    Asking(const ReplayStep& step, const adapters::ProgramSpec& spec)
        : step_(step),
          spec_(spec),
          loop_(clock_),
          player_(adapters::make_player(loop_, spec_, *this, this)) {}

    /// False where it gave no answer; that was said on standard error.
    [[nodiscard]] bool run() {
        static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
        wait(kPatience, fmt::format("no {} within 10 s", words().ready));
        player_->start({step_.start, "", step_.player, {}});
        loop_.every(Micros{10'000}, [this] { on_tick(); });
        loop_.run();
        if (failure_.empty()) return true;
        std::fprintf(stderr, "replay: %s: %s\n", printable_utf8(spec_.name).c_str(),
                     printable_utf8(failure_).c_str());
        return false;
    }

private:
    static constexpr Micros kPatience = std::chrono::seconds(10);
    static constexpr Micros kGrace = std::chrono::seconds(1);

    [[nodiscard]] const adapters::ProtocolWords& words() const { return player_->protocol().words; }

    void wait(Micros limit, std::string otherwise) {
        end_ = clock_.now() + limit;
        otherwise_ = std::move(otherwise);
    }

    void finish(std::string failure) {
        failure_ = std::move(failure);
        loop_.stop();
    }

    void on_tick() {
        if (clock_.now() < end_) return;
        if (!is_asked_ || is_stopped_) return finish(otherwise_);
        is_stopped_ = true;
        wait(kGrace,
             fmt::format("no {} to {}, nor to {}", words().answer, words().go, words().stop));
        player_->stop();
    }

    void on_ready(adapters::Arrival) override {
        is_asked_ = true;
        wait(step_.allowed + kGrace, "");
        since_ = player_->go(step_.search());
    }

    void on_best_move(const adapters::BestMove&, adapters::Arrival arrival) override {
        std::printf("answered after %s\n",
                    seconds_text(micros_between(since_, arrival.stamp)).c_str());
        finish("");
    }

    void on_gone(const adapters::Gone& gone, adapters::Arrival) override {
        finish("it " + gone.detail);
    }

    void on_warning(std::string_view, std::string_view text) override {
        std::fprintf(stderr, "replay: warning: %s\n", printable_utf8(text).c_str());
    }

    void on_line(std::string_view, int, Direction direction, TimePoint,
                 std::string_view line) override {
        if (!is_asked_ || direction != Direction::FromProgram) return;
        std::printf("%s\n", printable_utf8(line).c_str());
    }

    const ReplayStep& step_;
    adapters::ProgramSpec spec_;
    SteadyClock clock_;
    adapters::EventLoop loop_;
    std::unique_ptr<adapters::Player> player_;
    bool is_asked_ = false;
    bool is_stopped_ = false;
    TimePoint since_{};
    TimePoint end_{};
    std::string otherwise_;
    std::string failure_;
};

/// Throws where the built tree of a program from git is gone.
void check_is_built(const Stored& stored, int program) {
    const harness::VersionRecord& version = stored.version(program);
    if (!stored.program(program).git || !version.build) return;
    std::error_code ignored;
    if (std::filesystem::exists(version.build->folder, ignored)) return;
    throw Error(fmt::format("replay: the build of {} at {} is gone ({}); a run of that commit "
                            "builds it again",
                            version.name, harness::source_text(version), version.build->folder),
                kReplayFailed);
}

/// Warns where the program is another one than that of the run: then its answer says nothing of it.
void warn_of_another(const Stored& stored, int program) {
    const harness::VersionRecord& then = stored.version(program);
    harness::VersionRecord now;
    try {
        now = harness::version_of(harness::placed_program(stored.program(program), then));
    } catch (const Error&) {
        return;  // its start tells what is wrong
    }
    if (now.sha256 == then.sha256 && now.files == then.files) return;
    std::fprintf(stderr,
                 "replay: warning: %s, or a file that it names, is not what the run played\n",
                 printable_utf8(now.path).c_str());
}

int replay_game(const ReplayFlags& flags) {
    const Stored stored = load(flags);
    const std::vector<ReplayStep> steps =
        harness::replay(stored.game, stored.run.plan, stored.match);
    if (flags.again && !flags.ply) throw Error("replay: --run needs a PLY");
    if (flags.again && flags.json) throw Error("replay: --run and --json exclude each other");
    const ReplayStep* const step =
        flags.ply ? &step_at(steps, *flags.ply, stored.game.number) : nullptr;
    if (flags.json) {
        print_json(stored, steps, step);
        return 0;
    }
    if (step == nullptr) {
        print_game(stored, steps);
        return 0;
    }
    print_step(stored, *step, step == &steps.back());
    if (!flags.again) return 0;
    if (step->is_book) throw Error("replay: this ply belongs to the opening: no program was asked");
    if (!step->is_asked()) throw Error("replay: the ply was drawn by chance: no program was asked");
    check_is_built(stored, step->program);
    warn_of_another(stored, step->program);
    std::fflush(stdout);
    Asking asking(*step, stored.spec(step->program));
    return asking.run() ? 0 : kReplayFailed;
}

}  // namespace

void add_replay(Command& app, Exit& exit) {
    const auto flags = std::make_shared<ReplayFlags>();
    Command* const command =
        app.add_subcommand("replay", "print the exact position, clock and commands of any move");
    command->add_option("run", flags->run, "a number, 'latest', or a config's name")
        ->type_name("RUN")
        ->required();
    command->add_option("game", flags->game, "the game's number, from 1")
        ->type_name("GAME")
        ->transform(number(std::int64_t{1}))
        ->required();
    command->add_option("ply", flags->ply, "which move; none: the whole game")
        ->type_name("PLY")
        ->transform(number(1));
    command->add_option("--match", flags->match, "which match of the run, from 1")
        ->transform(number(std::size_t{1}))
        ->type_name("N")
        ->capture_default_str();
    command->add_option("--db", flags->store, "the store")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_flag("--json", flags->json, "the same as JSON on standard output");
    command->add_flag("--run", flags->again, "ask the program again and show what it says");
    command->footer(kReplayExamples);
    command->callback([flags, &exit] { exit.code = replay_game(*flags); });
}

}  // namespace assay::cli
