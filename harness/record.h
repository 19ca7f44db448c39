#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/search.h"
#include "base/clock.h"
#include "rules/game.h"

namespace assay::harness {

/// Why a game ended. Names in stores and JSON are those of name_of().
enum class Termination : std::uint8_t {
    Mate,
    Stalemate,
    Insufficient,
    Repetition,
    Fifty,
    Variant,  // by the rules
    DrawAdjudicated,
    WinAdjudicated,
    Tablebase,
    Length,       // by the harness's adjudication
    Time,         // the clock ran out; also a late but legal move
    IllegalMove,  // also no move at all
    Crash,        // the process ended in the game
    Disconnect,   // it closed its pipe, or flooded it
    Stall,        // no answer to isready or within the wall limit of nodes, depth, infinite
    NoStart,      // no handshake
    ClaimResign,
    ClaimDraw,
    Interrupted,  // stopped by the user or for want of a partner; never counted
};

inline constexpr std::size_t kTerminations = static_cast<std::size_t>(Termination::Interrupted) + 1;

/// "mate", "draw_adjudicated" … (ARCHITECTURE: JSON that scripts rely on).
[[nodiscard]] std::string_view name_of(Termination termination);
[[nodiscard]] std::optional<Termination> termination_of(std::string_view name);
/// For people: "checkmate", "adjudicated draw" …
[[nodiscard]] std::string_view words_of(Termination termination);
/// True where a program is to blame: time, illegal move, crash, disconnect, stall, no start.
[[nodiscard]] bool is_failure(Termination termination);

/// One move as played.
struct MoveRecord {
    std::string name;  // protocol notation
    Micros used{0};    // booked on the clock
    Micros left{0};    // on the mover's clock afterwards; 0 where it has none
    Micros delay{0};   // the harness's own, contained in `used`
    std::optional<adapters::Score> score;
    std::optional<int> depth;
    std::optional<int> seldepth;
    std::optional<std::uint64_t> nodes;
    std::optional<std::uint64_t> nps;
    std::optional<std::uint64_t> tbhits;
    std::optional<int> hashfull;
    std::optional<Micros> said;  // the program's own time
    std::string pv;              // kept only if the run asks for it
};

/// One finished game. Game numbers from 1: 2 * pair + game + 1, with pair and game from 0.
struct GameRecord {
    std::int64_t pair = 0;  // in schedule order, from 0
    int game = 0;           // 0 or 1 within the pair
    int attempt = 0;        // from 0; counts replays after a void
    std::array<int, 2> program{
        0, 1};          // player (0 moves first in the game's start) -> 0/1 of `between`
    std::string start;  // position text; empty: the game's start
    std::vector<std::string> opening;  // book moves, protocol notation
    std::vector<MoveRecord> moves;     // after the opening
    rules::Scores scores;              // by player
    Termination termination = Termination::Interrupted;
    int guilty = -1;              // player to blame, -1: nobody
    std::string reason;           // one sentence with names and numbers
    std::string last_lines;       // of the guilty program: output, then stderr; printable
    std::string last_command;     // what it had been told
    bool harness_caused = false;  // a time loss within the harness's own delay: the pair is void,
                                  // unless too many were; then it counts, and taints the run
    std::uint64_t opening_index = 0;
    long long started_us = 0;  // wall clock, microseconds since 1970
    long long ended_us = 0;
    int slot = 0;
    std::int64_t machine = 0;  // that it was played on: 0 for the one its run began on, else id()

    [[nodiscard]] std::int64_t number() const { return 2 * pair + game + 1; }

    /// The score of program 0 or 1 of `between`.
    [[nodiscard]] float score_of(int program_index) const {
        return scores[program[0] == program_index ? 0 : 1];
    }
};

/// What became of a pair.
enum class PairState : std::uint8_t {
    Counted,    // enters the statistics
    Duplicate,  // deterministic programs played an earlier pair's moves again; not counted
    AfterStop,  // finished after the verdict had been reached; kept, never decides
    Void,       // the harness caused a time loss; replayed under the next attempt
};

/// One finished pair: both games.
struct PairRecord {
    std::int64_t pair = 0;
    int attempt = 0;
    PairState state = PairState::Counted;
    std::array<GameRecord, 2> games;

    /// Category 0..4 of the first program of `between`: LL, LD, DD or WL, WD, WW.
    [[nodiscard]] int category() const;
};

/// The commit that a program was built from.
struct SourceRecord {
    std::string repo;  // a path or URL
    std::string ref;   // as the config writes it
    std::string commit;
    std::string tree;     // of `worktree` with changes: git's id of the files; else empty
    std::string subject;  // first line of the commit's message
    long long committed_us = 0;

    /// "a1b2c3d", with a '+' where files were changed since.
    [[nodiscard]] std::string short_id() const {
        return commit.substr(0, 7) + (tree.empty() ? "" : "+");
    }
};

/// How a program was built from it.
struct BuildRecord {
    std::string key;     // of the cache: commit, steps, compiler, processor
    std::string folder;  // the built tree
    std::string log;     // a file with all that the build said
    std::string compiler;
    bool was_cached = false;
    double seconds = 0;
    std::string failure;  // empty: it was built; else why not, with the last lines of the log
};

/// What a program's benchmark said before the games.
struct BenchRecord {
    std::optional<std::uint64_t> nodes;
    std::optional<double> nodes_per_second;
    std::optional<std::uint64_t> declared;  // the signature that the config or the commit names
};

/// A program as it was found at the start of a run.
struct VersionRecord {
    std::string name;
    std::string path;  // resolved executable
    std::string sha256;
    std::string id_name;  // as it said in its handshake; empty until then
    std::string id_author;
    std::vector<std::pair<std::string, std::string>> files;  // named by options: path, sha256
    std::optional<SourceRecord> source = std::nullopt;       // set with `git`
    std::optional<BuildRecord> build = std::nullopt;
    std::optional<BenchRecord> bench = std::nullopt;
};

/// What a paired benchmark of a match's programs found.
struct SpeedFinding {
    enum class State : std::uint8_t { Holds, Broken, Undecided };

    std::size_t match = 0;
    int pairs = 0;       // benchmark runs of each program
    double percent = 0;  // how much faster the first program is; below 0: slower
    double low = 0;      // an interval of 98.3 %, so that three looks err in 5 % together
    double high = 0;
    double seconds = 0;                        // that it took; 0 in older stores
    double limit = 0;                          // what `require.speed` asks
    std::array<double, 2> nodes_per_second{};  // medians
    State state = State::Undecided;
};

/// What was found out beside the games, before or after them.
struct RunFindings {
    std::optional<bool> is_gate;   // the last sitting was `assay gate`; unset in older stores
    std::optional<int> exit_code;  // that the last sitting's command returned; unset where a
                                   // signal stopped it
    std::vector<SpeedFinding> speed;
    std::string control;  // a sentence where the control differs; empty: none, or as it should
    std::vector<std::string> drift;  // sentences on speeds that changed
};

/// A machine that a run was played on.
struct MachineRecord {
    std::string host;
    std::string cpu;
    std::string kernel;
    int logical_cores = 0;
    int physical_cores = 0;
    std::uint64_t memory_bytes = 0;

    /// Tells machines apart, by host and processor: never 0. Stored for ever.
    [[nodiscard]] std::int64_t id() const;
};

enum class Verdict : std::uint8_t { None, Accepted, Rejected, Inconclusive };
[[nodiscard]] std::string_view name_of(Verdict verdict);  // None: ""

/// Harness's own delay over a run's moves, microseconds, from a fixed-size histogram (within 2 %).
struct DelayRecord {
    double p50_us = 0;
    double p99_us = 0;
    double max_us = 0;
    double cpu_us_per_ply = 0;
};

}  // namespace assay::harness
