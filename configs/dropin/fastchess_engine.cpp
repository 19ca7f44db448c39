// What fastchess takes of an engine: the keys of -engine and -each, and -quick.
#include <algorithm>
#include <array>
#include <utility>

#include "configs/dropin/fastchess_flags.h"
#include "configs/dropin/fastchess_reader.h"

namespace assay::configs::dropin {

namespace {

using KeyValue = FastchessReader::KeyValue;

struct EngineKey {
    std::string_view name;
    void (*set)(EngineSettings& engine, const std::string& value);
};

template <auto kMember>
void set_text(EngineSettings& engine, const std::string& value) {
    engine.*kMember = value;
}

void set_restart(EngineSettings& engine, const std::string& value) {
    if (value != "on" && value != "off")
        throw BadWord("Invalid parameter (must be either \"on\" or \"off\"): " + value);
    engine.restarts = value == "on";
}

void check_protocol(EngineSettings& /*engine*/, const std::string& value) {
    if (value != "uci") throw BadWord("Unsupported protocol.");
}

void set_margin(EngineSettings& engine, const std::string& value) {
    engine.limits.margin = int64_of(value);
    if (engine.limits.margin < 0)
        throw BadWord("The value for timemargin cannot be a negative number.");
}

void set_plies(EngineSettings& engine, const std::string& value) {
    engine.limits.plies = int64_of(value);
}

constexpr std::array kEngineKeys{
    EngineKey{"cmd", set_text<&EngineSettings::command>},
    EngineKey{"name", set_text<&EngineSettings::name>},
    EngineKey{"dir", set_text<&EngineSettings::dir>},
    EngineKey{"args", set_text<&EngineSettings::argument_text>},
    EngineKey{"tc", [](EngineSettings& engine,
                       const std::string& value) { read_fastchess_clock(value, engine.limits); }},
    EngineKey{"st",
              [](EngineSettings& engine, const std::string& value) {
                  engine.limits.move_time = milliseconds_of(value, 1000);
              }},
    EngineKey{"nodes", [](EngineSettings& engine,
                          const std::string& value) { engine.limits.nodes = int64_of(value); }},
    EngineKey{"timemargin", set_margin},
    EngineKey{"plies", set_plies},
    EngineKey{"depth", set_plies},
    EngineKey{"restart", set_restart},
    EngineKey{"proto", check_protocol},
};

void set_engine_key(EngineSettings& engine, const KeyValue& pair) {
    constexpr std::string_view kOption = "option.";
    const auto& [key, value] = pair;
    if (key.starts_with(kOption)) {
        engine.options.emplace_back(key.substr(kOption.size()), value);
        return;
    }
    const auto* const known =
        std::ranges::find(kEngineKeys, std::string_view(key), &EngineKey::name);
    if (known == kEngineKeys.end()) refuse_key("engine", pair);
    known->set(engine, value);
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
