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

/// Sets the switch where the value is one; else the key is as unknown as any other.
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

void set_engine_key(EngineSettings& engine, const KeyValue& pair) {
    constexpr std::string_view kOption = "option.";
    const auto& [key, value] = pair;
    EngineLimits& limits = engine.limits;
    if (key == "cmd") {
        engine.command = value;
    } else if (key == "name") {
        engine.name = value;
    } else if (key == "tc") {
        read_fastchess_clock(value, limits);
    } else if (key == "st") {
        limits.move_time = milliseconds_of(value, 1000);
    } else if (key == "timemargin") {
        limits.margin = int64_of(value);
        if (limits.margin < 0)
            throw BadWord("The value for timemargin cannot be a negative number.");
    } else if (key == "nodes") {
        limits.nodes = int64_of(value);
    } else if (key == "plies" || key == "depth") {
        limits.plies = int64_of(value);
    } else if (key == "dir") {
        engine.dir = value;
    } else if (key == "args") {
        engine.argument_text = value;
    } else if (key == "restart") {
        if (value != "on" && value != "off")
            throw BadWord("Invalid parameter (must be either \"on\" or \"off\"): " + value);
        engine.restarts = value == "on";
    } else if (key.starts_with(kOption)) {
        engine.options.emplace_back(key.substr(kOption.size()), value);
    } else if (key == "proto") {
        if (value != "uci") throw BadWord("Unsupported protocol.");
    } else {
        refuse_key("engine", pair);
    }
}

bool* pgn_switch(PgnSettings& pgn, std::string_view key) {
    if (key == "append") return &pgn.appends;
    if (key == "nodes") return &pgn.nodes;
    if (key == "seldepth") return &pgn.seldepth;
    if (key == "nps") return &pgn.nps;
    if (key == "hashfull") return &pgn.hashfull;
    if (key == "tbhits") return &pgn.tbhits;
    if (key == "timeleft") return &pgn.time_left;
    if (key == "latency") return &pgn.latency;
    if (key == "pv") return &pgn.pv;
    if (key == "min") return &pgn.is_minimal;
    return nullptr;
}

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
    PgnSettings& pgn = settings.pgn;
    pgn.file = "fastchess_" + surroundings_.time_stamp + ".pgn";
    for (const KeyValue& pair : pairs_of("-pgnout", words)) {
        const auto& [key, value] = pair;
        bool* const one = pgn_switch(pgn, key);
        if (one != nullptr && set_switch(*one, value)) continue;
        if (key == "file") {
            pgn.file = value;
        } else if (key == "notation") {
            using Notation = PgnSettings::Notation;
            if (value != "san" && value != "lan" && value != "uci")
                refuse_key("pgnout notation", pair);
            pgn.notation = value == "san"   ? Notation::San
                           : value == "lan" ? Notation::Lan
                                            : Notation::Uci;
        } else if (key == "match_line") {
            if (!is_regular_expression(value))
                throw BadWord("Invalid regular expression: " + value);
            pgn.match_lines.push_back(value);
        } else {
            refuse_key("pgnout", pair);
        }
    }
}

void FastchessReader::epd_out(const Words& words) {
    settings.epd.file = "fastchess_" + surroundings_.time_stamp + ".epd";
    for (const KeyValue& pair : pairs_of("-epdout", words)) {
        if (pair.first == "file") {
            settings.epd.file = pair.second;
        } else if (pair.first != "append" || !set_switch(settings.epd.appends, pair.second)) {
            refuse_key("epdout", pair);
        }
    }
}

void FastchessReader::sprt(const Words& words) {
    constexpr std::int64_t kManyRounds = 500'000;
    SprtSettings& sprt = settings.sprt;
    sprt.is_on = true;
    if (settings.rounds == 0) settings.rounds = kManyRounds;
    for (const KeyValue& pair : pairs_of("-sprt", words)) {
        const auto& [key, value] = pair;
        if (key == "elo0")
            sprt.elo0 = double_of(value);
        else if (key == "elo1")
            sprt.elo1 = double_of(value);
        else if (key == "alpha")
            sprt.alpha = double_of(value);
        else if (key == "beta")
            sprt.beta = double_of(value);
        else if (key == "model")
            sprt.model = value;
        else
            refuse_key("sprt", pair);
    }
}

void FastchessReader::draw(const Words& words) {
    DrawSettings& draw = settings.draw;
    draw.is_on = true;
    for (const KeyValue& pair : pairs_of("-draw", words)) {
        if (pair.first == "movenumber")
            draw.move_number = int_of(pair.second);
        else if (pair.first == "movecount")
            draw.move_count = int_of(pair.second);
        else if (pair.first == "score")
            draw.score = score_of(pair.second);
        else
            refuse_key("draw", pair);
    }
}

void FastchessReader::resign(const Words& words) {
    ResignSettings& resign = settings.resign;
    resign.is_on = true;
    for (const KeyValue& pair : pairs_of("-resign", words)) {
        if (pair.first == "movecount")
            resign.move_count = int_of(pair.second);
        else if (pair.first == "score")
            resign.score = score_of(pair.second);
        else if (pair.first != "twosided" || !set_switch(resign.two_sided, pair.second))
            refuse_key("resign", pair);
    }
}

void FastchessReader::log(const Words& words) {
    constexpr std::array<std::string_view, 5> kLevels{"trace", "warn", "info", "err", "fatal"};
    for (const KeyValue& pair : pairs_of("-log", words)) {
        const auto& [key, value] = pair;
        bool ignored = false;
        if (key == "level") {
            if (std::ranges::find(kLevels, value) == kLevels.end()) refuse_key("log level", pair);
        } else if (key != "file") {
            const bool is_switch =
                key == "append" || key == "compress" || key == "realtime" || key == "engine";
            if (!is_switch || !set_switch(ignored, value)) refuse_key("log", pair);
        }
    }
    lack("-log", "'assay match --log DIR' writes every line of the engines to files");
}

void FastchessReader::load(const std::string& file) {
    messages.push_back({"Loading config file: " + file});
    const auto text = surroundings_.read(file);
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
    if (settings.engines.size() > 2) {
        messages.push_back({"Warning: Stats will be dropped for more than 2 engines.", true});
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
