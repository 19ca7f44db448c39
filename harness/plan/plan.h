#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/process/program_spec.h"
#include "harness/plan/fleet_plan.h"
#include "harness/plan/suite_plan.h"
#include "harness/plan/time_control.h"
#include "harness/plan/tournament_condition.h"
#include "harness/plan/tournament_kind.h"
#include "rules/chance.h"
#include "rules/make_game.h"
#include "stats/stop/rating_goal.h"

namespace assay::harness {

/// Where a version comes from and how it is built (docs/gate.md).
struct GitPlan {
    std::string repo;                             // an absolute path, or a URL as git takes it
    std::string ref = "HEAD";                     // also "worktree", "merge-base X", "previous"
    std::vector<std::vector<std::string>> build;  // argv of each step; empty: nothing is built
    Micros limit{std::chrono::minutes(30)};       // of all steps together
    std::uint64_t memory_bytes = 0;               // of each process; 0: no limit

    friend bool operator==(const GitPlan&, const GitPlan&) = default;
};

/// A benchmark run of a program: it searches by itself, says nodes and nodes a second, and ends.
struct BenchPlan {
    std::vector<std::string> command;        // argv; empty: the program's command and "bench"
    std::optional<std::uint64_t> signature;  // the nodes that it must say
    bool signature_in_commit = false;        // "Bench: 1234567" in the commit's message says it
    std::string nodes;                       // a regular expression with one group; empty: usual
    std::string nodes_per_second;            // likewise

    friend bool operator==(const BenchPlan&, const BenchPlan&) = default;
};

/// How a program is confined (harness/program/confinement/confinement.h).
struct ConfinementPlan {
    bool network = false;            // it may use it
    bool processes = false;          // it may start others
    std::vector<std::string> write;  // folders that it may write to, beside its own

    friend bool operator==(const ConfinementPlan&, const ConfinementPlan&) = default;
};

/// One program of a run, as the config names it. Paths are absolute once loaded; with `git` those
/// of command and dir are relative to the built tree until they are placed there.
struct ProgramPlan {
    std::string name;
    std::vector<std::string> command;  // argv
    std::string dir;                   // working folder; empty: where assay was started
    std::vector<std::pair<std::string, std::string>> env;
    std::string protocol{adapters::kDefaultProtocol};
    std::vector<std::pair<std::string, std::string>> options;  // verbatim, in the order written
    std::vector<std::string> sandbox;                          // argv prefix; empty: none
    std::optional<ConfinementPlan> confinement;                // in place of that
    std::uint64_t memory_bytes = 0;                            // 0: no limit
    std::optional<Micros> margin;  // above the match's; MatchPlan::time has it already
    bool ping_before_go = false;
    bool restarts = false;  // a new process for each game
    std::optional<GitPlan> git;
    std::optional<BenchPlan> bench;

    friend bool operator==(const ProgramPlan&, const ProgramPlan&) = default;
};

inline constexpr std::string_view kRandomOpenings = "random";

struct OpeningsPlan {
    enum class Order : std::uint8_t { Random, Sequential };

    /// Which openings a seed and a number stand for, and what becomes of an entry that cannot be
    /// played. A run keeps its scheme for ever.
    enum class Scheme : std::uint8_t {
        Keyed,     // openings::OpeningOrder; the next entry takes its place
        Shuffled,  // openings::ShuffledOrder, fastchess's; an error when its turn comes
    };

    /// A path; "default", "balanced": the shipped ones; "none": the start position;
    /// kRandomOpenings: `plies` random moves.
    std::string book;
    Order order = Order::Random;
    std::optional<int> plies;  // unset: all
    std::uint64_t start = 1;   // the first opening taken, counted from 1
    Scheme scheme = Scheme::Keyed;

    friend bool operator==(const OpeningsPlan&, const OpeningsPlan&) = default;
};

/// For people: "8 random plies", or the book as the plan has it.
[[nodiscard]] std::string words_of(const OpeningsPlan& openings);

/// For people: a game's name, and of a file of rules its path and the first digits of its SHA-256.
[[nodiscard]] std::string game_text(const rules::GameSource& game);

struct AdjudicatePlan {
    struct Draw {
        int from = 0;   // round (a move of each player) as printed
        int moves = 1;  // rounds in a row
        int score = 0;  // absolute value at most, in the parts in which programs report it
        friend bool operator==(const Draw&, const Draw&) = default;
    };

    struct Resign {
        int moves = 1;
        int score = 0;           // the loser's score is at most minus this
        bool both_sides = true;  // both programs must say so
        friend bool operator==(const Resign&, const Resign&) = default;
    };

    /// By tables of perfect play, asked right after each irreversible move.
    struct Tables {
        enum class Result : std::uint8_t { Both, Win, Draw };

        std::string path;                // folders, with ':' between them
        int pieces = 0;                  // on the board at most; 0: as many as the tables have
        bool counts_quiet_moves = true;  // a win that the 50-move rule prevents is a draw
        Result result = Result::Both;    // what is adjudicated
        friend bool operator==(const Tables&, const Tables&) = default;
    };

    std::optional<Tables> tablebase;
    std::optional<Draw> draw;
    std::optional<Resign> resign;
    std::optional<int> length;  // rounds played, then a draw
    /// A loss on time is a draw where no other player can win (rules::Position::can_win).
    bool flag_is_draw_if_none_can_win = true;

    friend bool operator==(const AdjudicatePlan&, const AdjudicatePlan&) = default;
};

/// When to stop and what to conclude (docs/statistics.md).
struct StopPlan {
    enum class Rule : std::uint8_t { None, Closing, Capped, Sprt, Fixed, Anytime };
    enum class Model : std::uint8_t { Normalized, Logistic, Bayesian };
    enum class Shape : std::uint8_t { FastFail, Symmetric };

    Rule rule = Rule::None;
    Model model = Model::Normalized;
    Shape shape = Shape::FastFail;
    std::optional<double> e0;  // Elo of the model's scale; capped derives what is unset
    std::optional<double> e1;
    std::string preset;           // "gain" and so on, as written; empty: bounds were given
    std::optional<double> alpha;  // unset: 0.05, or derived by capped
    std::optional<double> beta;
    int batch = 0;          // pairs a look; 0: auto
    bool is_plain = false;  // sprt: as other runners compute it (SprtSettings::compat)
    bool by_games = false;  // the same: games are the units, not pairs
    /// The same: results of an earlier session elsewhere, LL LD DD+WL WD WW in pairs and W D L in
    /// games; empty: none.
    std::vector<std::int64_t> before;
    std::optional<Micros> minutes;  // wall-time budget, then inconclusive

    /// Whether the rule looks at the score as the match goes.
    [[nodiscard]] bool is_sequential() const { return rule != Rule::None && rule != Rule::Fixed; }

    friend bool operator==(const StopPlan&, const StopPlan&) = default;
};

/// What must hold of the first program beside the verdict; unset: not asked.
struct RequirePlan {
    std::optional<std::int64_t> crashes;
    std::optional<std::int64_t> time_losses;
    std::optional<std::int64_t> illegal_moves;
    std::optional<double> speed_percent;  // e.g. -3: at most 3 % slower

    friend bool operator==(const RequirePlan&, const RequirePlan&) = default;
};

/// What a match does otherwise than ours where it stands in for another runner (docs/migrating.md).
struct RunnerPlan {
    int games_an_opening = 2;         // 1: each game has an opening of its own
    bool has_odd_game = false;        // one more game than those of the pairs
    bool swaps_sides = true;          // from one game to the next
    bool begins_reversed = false;     // the second program plays the first side first
    std::int64_t games_before = 0;    // numbers of games follow these, of a run from elsewhere
    bool counts_as_they_end = false;  // pairs, instead of in the order of the schedule
    bool voids = true;                // pairs that the harness has lost on time
    bool recovers = true;             // false: a crash or a stall ends the run
    Micros wait{0};                   // from a game's end to the next in its place
    /// A program whose flag has fallen is stopped and has so long to answer: then it has lost on
    /// time, and else it stalls. 0: it loses on time at once.
    Micros late_answer{0};
    bool loses_unready = false;  // who shook hands and is not ready; false: the match cannot start

    friend bool operator==(const RunnerPlan&, const RunnerPlan&) = default;
};

/// One match: two programs, paired games.
struct MatchPlan {
    std::string name;
    std::array<std::size_t, 2> between{0, 1};  // indices into RunPlan::programs
    std::array<TimeControl, 2> time;           // by program of `between`
    OpeningsPlan openings;
    rules::GameSource game{"chess", "", ""};
    rules::Drawing chance = rules::Drawing::Ordinal;  // how its events are drawn
    std::int64_t pairs = 1000;  // the most; 0: capped derives it from the other two or the minutes
    int concurrency = 0;        // games at once; 0: auto
    bool affinity = false;      // pin each game's programs
    std::vector<int> cpus;      // to these processors, in this order; empty: to all
    bool ponder = false;
    bool check_pv = true;  // the lines of moves that programs say are judged (PvCheck)
    AdjudicatePlan adjudicate;
    StopPlan stop;
    RequirePlan require;
    RunnerPlan runner;

    /// Both limits deterministic and both programs on one thread (Threads unset or 1): equal pairs
    /// are duplicates, and the run can be repeated exactly.
    bool deterministic = false;
    bool is_control = false;  // the baseline against itself; never in a plan as it was written

    friend bool operator==(const MatchPlan&, const MatchPlan&) = default;
};

/// A tournament plans no more programs: each two of them are a match of the run.
inline constexpr std::size_t kMostEntrants = 128;

/// A tournament of the run's programs. Each two of them are one match of the run, numbered as
/// couple_of() says, whether they ever meet or not: pair p of that match is the opening
/// p % openings of their meeting p / openings. The members that a kind does not read keep their
/// defaults (tournament/tournament.h says what each means).
struct TournamentPlan {
    TournamentKind kind = TournamentKind::RoundRobin;
    int rounds = 1;    // 0: see TournamentSetup::rounds
    int openings = 1;  // of a meeting
    int games = 2;     // of each opening: 2 with sides swapped, or 1
    OpeningPolicy policy = OpeningPolicy::Cycle;
    Seeding seeding = Seeding::List;
    std::size_t seeds = 1;
    int replays = 0;
    bool armageddon = false;                     // Knockout: behind the replays
    std::optional<TimeControl> armageddon_time;  // of who moves first in it; unset: its usual one
    PairingOrder order = PairingOrder::Own;
    int games_an_opening = 0;    // of a runner's order: TournamentSetup says what they mean
    int games_an_encounter = 0;  // likewise
    stats::RatingGoal until;     // it ends when the ratings show that
    std::vector<TournamentCondition> require;  // what must hold at its end
    std::vector<std::size_t> left_out;         // programs that play no more, by number, rising
    std::vector<TimeControl> time;             // by program of the plan
    /// What all matches share. Its name, programs, times and pairs are not read.
    MatchPlan match;

    friend bool operator==(const TournamentPlan&, const TournamentPlan&) = default;
};

/// What makes a run end before its first game, with nothing to find out.
enum class SkipIf : std::uint8_t {
    Never,
    SameBench,  // the programs of the first match are the same executable, or have the same bench
};

/// The resolved config: what run, gate, --explain and the flags all become.
struct RunPlan {
    std::string name;
    std::vector<ProgramPlan> programs;
    std::vector<MatchPlan> matches;
    std::optional<TournamentPlan> tournament;  // `matches` are those of expand_tournament() then
    std::optional<SuitePlan> suite;
    SkipIf skip_if = SkipIf::Never;
    bool control = false;               // the baseline of the first match also plays itself
    std::optional<std::uint64_t> seed;  // unset: drawn at the start, printed and stored
    int failures_in_a_row = 5;          // then exit 4
    Micros start_limit{std::chrono::seconds(10)};  // handshake; one retry
    std::optional<Micros> ready_limit;             // for a new game; unset: start_limit
    std::vector<std::string> at_end;  // argv of a hook; '{verdict}' and the like are replaced
    std::optional<SlurmPlan> slurm;   // plays the pairs; not stored, and no part of the hash

    friend bool operator==(const RunPlan&, const RunPlan&) = default;
};

/// The plan as JSON text with sorted keys and every default written out: what is stored and
/// printed by --explain. Two plans are the same if these are equal.
[[nodiscard]] std::string to_json(const RunPlan& plan);

/// The match's game. Nothing else makes the game of a plan. Throws Error where this version does
/// not know the game, or does not understand its rules.
[[nodiscard]] std::unique_ptr<rules::Game> game_of(const MatchPlan& match);

/// The program that a run is about: the first of its first match, else the suite's first. An index
/// into `programs`.
[[nodiscard]] std::size_t first_program(const RunPlan& plan);

/// Reads to_json's text back. Throws Error where it is none.
[[nodiscard]] RunPlan plan_from_json(const std::string& text);

/// SHA-256 (hex) of the plan as a config gives it, what --resume compares: with the seed where one
/// is written, without where it is to be drawn.
[[nodiscard]] std::string plan_hash(const RunPlan& plan);

}  // namespace assay::harness
