// The flags of fastchess that take keys with values.
#include <algorithm>
#include <array>
#include <utility>

#include "configs/dropin/fastchess_flags.h"
#include "configs/dropin/fastchess_reader.h"
#include "configs/dropin/result_file.h"

namespace assay::configs::dropin {

namespace {

using KeyValue = std::pair<std::string, std::string>;

[[noreturn]] void refuse_key(std::string_view what, const KeyValue& pair) {
    throw BadWord(fmt::format("Unrecognized {} option \"{}\" with value \"{}\".", what, pair.first,
                              pair.second));
}

std::vector<KeyValue> pairs_of(std::string_view flag, const FastchessReader::Words& words) {
    std::vector<KeyValue> pairs;
    for (const std::string& word : words) {
        const std::size_t at = word.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == word.size())
            throw BadWord(
                fmt::format("Option \"{}\" expects key=value pairs, got \"{}\".", flag, word));
        pairs.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    return pairs;
}

/// Sets the switch; false where the value is none: then the key is as unknown as any other.
bool set_switch(bool& variable, const std::string& value) {
    if (value != "true" && value != "false") return false;
    variable = value == "true";
    return true;
}

int score_of(const std::string& text) {
    const int score = int_of(text);
    if (score < 0) throw BadWord("Score cannot be negative.");
    return score;
}

/// A key of a flag. `set` returns false where the pair is to be refused as unknown.
template <class Target>
struct Key {
    std::string_view name;
    bool (*set)(Target& target, const std::string& value);
};

/// A key whose value may be anything that `read` takes.
template <auto kMember, auto kRead, class Target>
bool set_member(Target& target, const std::string& value) {
    target.*kMember = kRead(value);
    return true;
}

template <auto kMember, class Target>
bool set_text(Target& target, const std::string& value) {
    target.*kMember = value;
    return true;
}

template <auto kMember, class Target>
bool set_truth(Target& target, const std::string& value) {
    return set_switch(target.*kMember, value);
}

template <class Target, std::size_t kSize>
bool set_key(const std::array<Key<Target>, kSize>& keys, Target& target, const KeyValue& pair) {
    const auto key = std::ranges::find(keys, std::string_view(pair.first), &Key<Target>::name);
    return key != keys.end() && key->set(target, pair.second);
}

/// Sets all of them. `what`: for the message about one that is unknown.
template <class Target, std::size_t kSize>
void set_keys(const std::array<Key<Target>, kSize>& keys, Target& target, std::string_view what,
              const std::vector<KeyValue>& pairs) {
    for (const KeyValue& pair : pairs)
        if (!set_key(keys, target, pair)) refuse_key(what, pair);
}

bool set_restart(EngineSettings& engine, const std::string& value) {
    if (value != "on" && value != "off")
        throw BadWord("Invalid parameter (must be either \"on\" or \"off\"): " + value);
    engine.restarts = value == "on";
    return true;
}

bool check_protocol(EngineSettings& /*engine*/, const std::string& value) {
    if (value != "uci") throw BadWord("Unsupported protocol.");
    return true;
}

bool set_margin(EngineSettings& engine, const std::string& value) {
    engine.limits.margin = int64_of(value);
    if (engine.limits.margin < 0)
        throw BadWord("The value for timemargin cannot be a negative number.");
    return true;
}

bool set_plies(EngineSettings& engine, const std::string& value) {
    engine.limits.plies = int64_of(value);
    return true;
}

constexpr std::array kEngineKeys{
    Key<EngineSettings>{"cmd", set_text<&EngineSettings::command>},
    Key<EngineSettings>{"name", set_text<&EngineSettings::name>},
    Key<EngineSettings>{"dir", set_text<&EngineSettings::dir>},
    Key<EngineSettings>{"args", set_text<&EngineSettings::argument_text>},
    Key<EngineSettings>{"tc",
                        [](EngineSettings& engine, const std::string& value) {
                            read_fastchess_clock(value, engine.limits);
                            return true;
                        }},
    Key<EngineSettings>{"st",
                        [](EngineSettings& engine, const std::string& value) {
                            engine.limits.move_time = milliseconds_of(value, 1000);
                            return true;
                        }},
    Key<EngineSettings>{"nodes",
                        [](EngineSettings& engine, const std::string& value) {
                            engine.limits.nodes = int64_of(value);
                            return true;
                        }},
    Key<EngineSettings>{"timemargin", set_margin},
    Key<EngineSettings>{"plies", set_plies},
    Key<EngineSettings>{"depth", set_plies},
    Key<EngineSettings>{"restart", set_restart},
    Key<EngineSettings>{"proto", check_protocol},
};

void set_engine_key(EngineSettings& engine, const KeyValue& pair) {
    constexpr std::string_view kOption = "option.";
    const auto& [key, value] = pair;
    if (key.starts_with(kOption)) {
        engine.options.emplace_back(key.substr(kOption.size()), value);
    } else if (!set_key(kEngineKeys, engine, pair)) {
        refuse_key("engine", pair);
    }
}

constexpr std::array kPgnKeys{
    Key<PgnSettings>{"file", set_text<&PgnSettings::file>},
    Key<PgnSettings>{"append", set_truth<&PgnSettings::appends>},
    Key<PgnSettings>{"nodes", set_truth<&PgnSettings::nodes>},
    Key<PgnSettings>{"seldepth", set_truth<&PgnSettings::seldepth>},
    Key<PgnSettings>{"nps", set_truth<&PgnSettings::nps>},
    Key<PgnSettings>{"hashfull", set_truth<&PgnSettings::hashfull>},
    Key<PgnSettings>{"tbhits", set_truth<&PgnSettings::tbhits>},
    Key<PgnSettings>{"timeleft", set_truth<&PgnSettings::time_left>},
    Key<PgnSettings>{"latency", set_truth<&PgnSettings::latency>},
    Key<PgnSettings>{"pv", set_truth<&PgnSettings::pv>},
    Key<PgnSettings>{"min", set_truth<&PgnSettings::is_minimal>},
    Key<PgnSettings>{"notation",
                     [](PgnSettings& pgn, const std::string& value) {
                         using Notation = PgnSettings::Notation;
                         if (value != "san" && value != "lan" && value != "uci")
                             refuse_key("pgnout notation", {"notation", value});
                         pgn.notation = value == "san"   ? Notation::San
                                        : value == "lan" ? Notation::Lan
                                                         : Notation::Uci;
                         return true;
                     }},
    Key<PgnSettings>{"match_line",
                     [](PgnSettings& pgn, const std::string& value) {
                         if (!is_regular_expression(value))
                             throw BadWord("Invalid regular expression: " + value);
                         pgn.match_lines.push_back(value);
                         return true;
                     }},
};

constexpr std::array kEpdKeys{
    Key<EpdSettings>{"file", set_text<&EpdSettings::file>},
    Key<EpdSettings>{"append", set_truth<&EpdSettings::appends>},
};

constexpr std::array kSprtKeys{
    Key<SprtSettings>{"elo0", set_member<&SprtSettings::elo0, double_of>},
    Key<SprtSettings>{"elo1", set_member<&SprtSettings::elo1, double_of>},
    Key<SprtSettings>{"alpha", set_member<&SprtSettings::alpha, double_of>},
    Key<SprtSettings>{"beta", set_member<&SprtSettings::beta, double_of>},
    Key<SprtSettings>{"model", set_text<&SprtSettings::model>},
};

constexpr std::array kDrawKeys{
    Key<DrawSettings>{"movenumber", set_member<&DrawSettings::move_number, int_of>},
    Key<DrawSettings>{"movecount", set_member<&DrawSettings::move_count, int_of>},
    Key<DrawSettings>{"score", set_member<&DrawSettings::score, score_of>},
};

constexpr std::array kResignKeys{
    Key<ResignSettings>{"movecount", set_member<&ResignSettings::move_count, int_of>},
    Key<ResignSettings>{"score", set_member<&ResignSettings::score, score_of>},
    Key<ResignSettings>{"twosided", set_truth<&ResignSettings::two_sided>},
};

constexpr std::array<std::string_view, 6> kLogLevels{"", "trace", "info", "warn", "err", "fatal"};

constexpr std::array kLogKeys{
    Key<LogSettings>{"file", set_text<&LogSettings::file>},
    Key<LogSettings>{"append", set_truth<&LogSettings::appends>},
    Key<LogSettings>{"engine", set_truth<&LogSettings::has_engines>},
    Key<LogSettings>{"level",
                     [](LogSettings& log, const std::string& value) {
                         const auto level = std::ranges::find(kLogLevels, value);
                         if (level == kLogLevels.end()) refuse_key("log level", {"level", value});
                         log.level = static_cast<LogSettings::Level>(level - kLogLevels.begin());
                         return true;
                     }},
    // Each line is in the file at once.
    Key<LogSettings>{"realtime",
                     [](LogSettings& /*log*/, const std::string& value) {
                         bool ignored = false;
                         return set_switch(ignored, value);
                     }},
    Key<LogSettings>{"compress",
                     [](LogSettings& log, const std::string& value) {
                         return set_switch(log.is_packed, value);
                     }},
};

}  // namespace

void FastchessReader::engine(const Words& words) {
    EngineSettings& engine = settings.engines.emplace_back();
    for (const KeyValue& pair : pairs_of("-engine", words)) set_engine_key(engine, pair);
}

void FastchessReader::each(const Words& words) {
    for (const KeyValue& pair : pairs_of("-each", words))
        for (EngineSettings& engine : settings.engines) set_engine_key(engine, pair);
}

void FastchessReader::openings(const Words& words) {
    OpeningSettings& openings = settings.openings;
    for (const KeyValue& pair : pairs_of("-openings", words)) {
        const auto& [key, value] = pair;
        if (key == "file") {
            openings.file = value;
            if (value.ends_with(".epd")) openings.format = OpeningSettings::Format::Epd;
            if (value.ends_with(".pgn")) openings.format = OpeningSettings::Format::Pgn;
            if (!surroundings_.exists(value))
                throw BadWord("Opening file does not exist: " + value);
        } else if (key == "format") {
            if (value != "epd" && value != "pgn") refuse_key("openings format", pair);
            openings.format =
                value == "epd" ? OpeningSettings::Format::Epd : OpeningSettings::Format::Pgn;
        } else if (key == "order") {
            if (value != "random" && value != "sequential") refuse_key("openings order", pair);
            openings.is_random = value == "random";
        } else if (key == "plies") {
            openings.plies = int_of(value);
        } else if (key == "start") {
            openings.start = int_of(value);
            if (openings.start < 1) throw BadWord("Starting offset must be at least 1!");
        } else if (key == "policy") {
            if (value != "round") throw BadWord("Unsupported opening book policy.");
        } else {
            refuse_key("openings", pair);
        }
    }
}

void FastchessReader::pgn_out(const Words& words) {
    settings.pgn.file = "fastchess_" + surroundings_.time_stamp + ".pgn";
    set_keys(kPgnKeys, settings.pgn, "pgnout", pairs_of("-pgnout", words));
}

void FastchessReader::epd_out(const Words& words) {
    settings.epd.file = "fastchess_" + surroundings_.time_stamp + ".epd";
    set_keys(kEpdKeys, settings.epd, "epdout", pairs_of("-epdout", words));
}

void FastchessReader::sprt(const Words& words) {
    constexpr std::int64_t kManyRounds = 500'000;
    settings.sprt.is_on = true;
    if (settings.rounds == 0) settings.rounds = kManyRounds;
    set_keys(kSprtKeys, settings.sprt, "sprt", pairs_of("-sprt", words));
}

void FastchessReader::draw(const Words& words) {
    settings.draw.is_on = true;
    set_keys(kDrawKeys, settings.draw, "draw", pairs_of("-draw", words));
}

void FastchessReader::resign(const Words& words) {
    settings.resign.is_on = true;
    set_keys(kResignKeys, settings.resign, "resign", pairs_of("-resign", words));
}

void FastchessReader::log(const Words& words) {
    set_keys(kLogKeys, settings.log, "log", pairs_of("-log", words));
    if (settings.log.is_packed)
        lack("-log compress=true", "leave it out, and pack the file when the match is over");
}

void FastchessReader::load(const std::string& file) {
    messages.push_back({"Loading config file: " + file});
    const auto text = surroundings_.read(file);
    if (!text && surroundings_.exists(file))
        throw BadWord(file + ": cannot read: it is no regular file, or not yours to read");
    if (!text) throw BadWord("File not found: " + file);
    before_ = settings;
    settings = read_result_file(*text, file);
}

void FastchessReader::config(const Words& words) {
    bool keeps_results = true;
    for (const KeyValue& pair : pairs_of("-config", words)) {
        const auto& [key, value] = pair;
        if (key == "file") {
            load(value);
        } else if (key == "outname") {
            settings.config_name = value;
        } else if (key == "discard" && value == "true") {
            messages.push_back({"Discarding config file"});
            settings = before_;
        } else if (key == "stats") {
            keeps_results = value != "false";
        } else {
            refuse_key("config", pair);
        }
    }
    // A run in a store of ours goes on all the same.
    if (settings.engines.size() > 2 && settings.earlier_store.empty()) {
        messages.push_back({std::string(kStatsDropped), true});
        keeps_results = false;
    }
    if (keeps_results) return;
    settings.earlier = {};
    settings.earlier_store.clear();
}

void FastchessReader::report(const Words& words) {
    for (const KeyValue& pair : pairs_of("-report", words))
        if (pair.first != "penta" || !set_switch(settings.has_penta, pair.second))
            refuse_key("report", pair);
}

void FastchessReader::output(const Words& words) {
    for (const KeyValue& pair : pairs_of("-output", words)) {
        const bool is_known =
            pair.first == "format" && (pair.second == "fastchess" || pair.second == "cutechess");
        if (!is_known) refuse_key("output", pair);
        settings.has_cutechess_output = pair.second == "cutechess";
    }
}

void FastchessReader::crc(const Words& words) {
    for (const KeyValue& pair : pairs_of("-crc32", words))
        if (pair.first != "pgn" || !set_switch(settings.pgn.has_crc, pair.second))
            refuse_key("crc", pair);
}

void FastchessReader::quick(const Words& words) {
    const std::size_t first = settings.engines.size();
    for (const KeyValue& pair : pairs_of("-quick", words)) {
        const auto& [key, value] = pair;
        if (key == "cmd") {
            EngineSettings& engine = settings.engines.emplace_back();
            engine.command = value;
            engine.name = value;
            read_fastchess_clock("10+0.1", engine.limits);
        } else if (key == "book") {
            OpeningSettings& openings = settings.openings;
            openings.file = value;
            openings.is_random = true;
            if (value.ends_with(".pgn"))
                openings.format = OpeningSettings::Format::Pgn;
            else if (value.ends_with(".epd"))
                openings.format = OpeningSettings::Format::Epd;
            else
                throw BadWord(
                    "Please include the .pgn or .epd file extension for the opening book.");
        } else {
            refuse_key("quick", pair);
        }
    }
    if (settings.engines.size() != first + 2)
        throw BadWord("Option \"-quick\" requires exactly two cmd entries.");
    if (settings.openings.file.empty())
        throw BadWord("Option \"-quick\" requires a book=FILE entry.");
    EngineSettings& one = settings.engines[first];
    EngineSettings& other = settings.engines[first + 1];
    if (one.name == other.name) {
        one.name += "1";
        other.name += "2";
    }
    settings.games = 2;
    settings.rounds = 25'000;
    settings.concurrency = std::max(1, surroundings_.hardware_threads - 2);
    settings.recovers = true;
    settings.draw = {true, 30, 8, 8};
    settings.has_cutechess_output = true;
}

void read_fastchess_clock(const std::string& text, EngineLimits& limits) {
    if (text.find("hg") != std::string::npos)
        throw BadWord("Hourglass time control not supported.");
    // The margin belongs to the clock, and goes with it.
    limits.moves = limits.time = limits.increment = limits.move_time = limits.margin = 0;
    if (text == "inf" || text == "infinite") return;
    if (text.empty()) throw BadWord("Invalid time control: empty value");
    std::string rest = text;
    if (rest.find('/') != std::string::npos) {
        const auto [moves, after] = halves_of(rest, '/');
        if (moves != "inf" && moves != "infinite") {
            limits.moves = int64_of(moves);
            if (limits.moves <= 0) throw BadWord("Time control move count must be positive");
        }
        rest = after;
    }
    if (rest.find('+') != std::string::npos) {
        const auto [time, increment] = halves_of(rest, '+');
        limits.increment = milliseconds_of(increment, 1000);
        rest = time;
    }
    if (rest.find(':') != std::string::npos) {
        const auto [minutes, seconds] = halves_of(rest, ':');
        limits.time = milliseconds_of(minutes, 60'000) + milliseconds_of(seconds, 1000);
    } else {
        limits.time = milliseconds_of(rest, 1000);
    }
}

}  // namespace assay::configs::dropin
