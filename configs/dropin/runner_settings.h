#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/result_counts.h"

namespace assay::configs::dropin {

/// The runner whose command line is read.
enum class Runner : std::uint8_t { Fastchess, Cutechess };

/// What fastchess takes where no -event is given; no name of a run.
inline constexpr std::string_view kFastchessEvent = "Fastchess Tournament";

/// What fastchess says, on standard error, of a file of results that has more engines than two.
inline constexpr std::string_view kStatsDropped =
    "Warning: Stats will be dropped for more than 2 engines.";

/// Games at once; as in a config.
inline constexpr int kMostConcurrency = 4096;

/// How long an engine may think, as the command line says it. All times are milliseconds.
struct EngineLimits {
    std::int64_t moves = 0;  // in a period; 0: all
    std::int64_t time = 0;
    std::int64_t increment = 0;
    std::int64_t move_time = 0;
    std::int64_t margin = 0;
    std::int64_t nodes = 0;
    std::int64_t plies = 0;
    bool is_infinite = false;
    bool is_hourglass = false;

    friend bool operator==(const EngineLimits&, const EngineLimits&) = default;
};

struct EngineSettings {
    std::string name;
    std::string dir;
    std::string command;
    std::string argument_text;           // fastchess: one text, split as a shell does
    std::vector<std::string> arguments;  // cutechess-cli: one by one
    std::string protocol;
    bool restarts = false;
    bool ponders = false;
    std::vector<std::pair<std::string, std::string>> options;
    EngineLimits limits;
};

struct OpeningSettings {
    enum class Format : std::uint8_t { Epd, Pgn, None };

    /// cutechess-cli: which games have the same. By default so many in a row as -repeat says.
    enum class Policy : std::uint8_t { Default, Encounter, Round };

    std::string file;
    Format format = Format::None;
    bool is_random = false;
    int plies = -1;  // -1: all
    std::int64_t start = 1;
    Policy policy = Policy::Default;
};

struct PgnSettings {
    enum class Notation : std::uint8_t { San, Lan, Uci };

    std::string file;  // empty: none is written
    Notation notation = Notation::San;
    bool appends = true;
    bool nodes = false;
    bool seldepth = false;
    bool nps = false;
    bool hashfull = false;
    bool tbhits = false;
    bool time_left = false;
    bool latency = false;
    bool pv = false;
    bool is_minimal = false;
    bool has_crc = false;
    std::vector<std::string> match_lines;  // regular expressions
};

struct EpdSettings {
    std::string file;  // empty: none is written
    bool appends = true;
};

struct SprtSettings {
    bool is_on = false;
    double alpha = 0;
    double beta = 0;
    double elo0 = 0;
    double elo1 = 0;
    std::string model = "normalized";
};

struct DrawSettings {
    bool is_on = false;
    int move_number = 0;
    int move_count = 1;
    int score = 0;
};

struct ResignSettings {
    bool is_on = false;
    int move_count = 1;
    int score = 0;
    bool two_sided = false;
};

struct TablebaseSettings {
    enum class Result : std::uint8_t { Both, WinLoss, Draw };

    bool is_on = false;
    std::string folders;  // with ':' between them
    int pieces = 0;       // at most; 0: as many as the tables have
    bool ignores_fifty = false;
    Result result = Result::Both;
};

struct LogSettings {
    /// As fastchess numbers them.
    enum class Level : std::uint8_t { All, Trace, Info, Warn, Err, Fatal };

    std::string file;  // empty: none is written
    Level level = Level::Warn;
    bool appends = true;
    bool is_packed = false;
    bool has_engines = false;  // also what engines are told and say
};

using harness::ResultCounts;

/// A command line of another runner as values, with its defaults and after its corrections.
struct RunnerSettings {
    Runner runner = Runner::Fastchess;
    std::vector<EngineSettings> engines;
    OpeningSettings openings;
    PgnSettings pgn;
    EpdSettings epd;
    SprtSettings sprt;
    DrawSettings draw;
    ResignSettings resign;
    TablebaseSettings tablebase;
    LogSettings log;
    std::optional<int> most_moves;
    std::string event;
    std::string site = "?";
    std::string config_name = "config.json";
    std::optional<std::uint64_t> seed;
    bool is_chess960 = false;
    enum class Tournament : std::uint8_t { RoundRobin, Gauntlet, Knockout, Pyramid };

    Tournament tournament = Tournament::RoundRobin;
    int seeds = 1;
    std::string result_format = "default";  // cutechess-cli
    bool shows_engine_lines = false;        // cutechess-cli's -debug
    bool has_cutechess_output = false;      // also of fastchess, where it was asked for
    std::int64_t rating_interval = 10;
    std::int64_t score_interval = 1;
    std::int64_t outcome_interval = 0;
    std::int64_t autosave_interval = 20;
    std::int64_t wait = 0;  // milliseconds from a game to the next
    std::int64_t games = 2;
    std::int64_t rounds = 2;
    std::int64_t repetitions = 0;  // cutechess-cli: games of an opening; 0: unsaid
    int concurrency = 1;
    bool forces_concurrency = false;
    bool recovers = false;
    bool swaps = true;
    bool is_reversed = false;
    bool has_penta = true;
    bool has_affinity = false;
    std::vector<int> affinity_cpus;  // processors by number; empty: all
    bool checks_mate_pvs = false;
    bool is_test = false;
    bool is_strict = false;
    std::uint64_t startup_ms = 10'000;
    std::uint64_t new_game_ms = 60'000;
    std::uint64_t ping_ms = 60'000;

    /// Of an earlier session, from its file of results.
    ResultCounts earlier;
    std::string earlier_store;         // the store of a run of ours; empty: none
    std::string earlier_line;          // the command line that it was begun with
    std::vector<std::string> refused;  // flags that assay does not have, with what to use
};

/// A line to print before anything else.
struct Message {
    std::string text;
    bool is_error = false;  // to standard error
};

/// What a command line asks for.
struct ParsedCommand {
    enum class Kind : std::uint8_t {
        Play,
        Print,       // `text`, and exit code 0
        Refuse,      // `text`, and exit code 1
        Compliance,  // check the engine of `compliance`
    };

    Kind kind = Kind::Play;
    RunnerSettings settings;
    std::vector<Message> messages;
    std::string text;                     // without the last line end
    std::vector<std::string> compliance;  // the engine's command
};

/// What the parsers ask of the machine, so that they are pure.
struct Surroundings {
    int hardware_threads = 1;
    std::function<bool(const std::string& path)> exists;
    std::function<bool(const std::string& path)> is_file;
    /// A file's text; nullopt where it cannot be read.
    std::function<std::optional<std::string>(const std::string& path)> read;
    std::string version;       // what -version prints
    std::string time_stamp;    // for names of files: "20261129_170000"
    std::string engines_file;  // cutechess-cli's list of engines
};

}  // namespace assay::configs::dropin
