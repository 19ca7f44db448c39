#include "configs/dropin/cutechess_engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "configs/dropin/command_words.h"

namespace assay::configs::dropin {

namespace {

/// "N/m:s+i", "inf", "hgN"; false where it is no time control.
bool read_cutechess_clock(const std::string& text, EngineLimits& limits) {
    const std::int64_t margin = limits.margin;
    const std::int64_t nodes = limits.nodes;
    const std::int64_t plies = limits.plies;
    const std::int64_t move_time = limits.move_time;
    limits = {};
    limits.margin = margin;
    limits.nodes = nodes;
    limits.plies = plies;
    limits.move_time = move_time;
    if (text == "inf") {
        limits.is_infinite = true;
        return true;
    }
    std::string rest = text;
    if (rest.starts_with("hg")) {
        limits.is_hourglass = true;
        rest = rest.substr(2);
    }
    const auto ms_of = [](const std::string& number, double unit) -> std::optional<std::int64_t> {
        const auto value = to_number<double>(number);
        if (!value || *value < 0 || !std::isfinite(*value)) return std::nullopt;
        return static_cast<std::int64_t>(std::llround(std::min(*value * unit, 1e15)));
    };
    if (const std::size_t slash = rest.find('/'); slash != std::string::npos) {
        const auto moves = to_number<std::int64_t>(rest.substr(0, slash));
        if (!moves || *moves < 0) return false;
        limits.moves = *moves;
        rest = rest.substr(slash + 1);
    }
    if (const std::size_t plus = rest.find('+'); plus != std::string::npos) {
        const auto increment = ms_of(rest.substr(plus + 1), 1000);
        if (!increment) return false;
        limits.increment = *increment;
        rest = rest.substr(0, plus);
    }
    std::int64_t total = 0;
    if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
        const auto minutes = ms_of(rest.substr(0, colon), 60'000);
        if (!minutes) return false;
        total = *minutes;
        rest = rest.substr(colon + 1);
    }
    const auto seconds = ms_of(rest, 1000);
    if (!seconds) return false;
    limits.time = total + *seconds;
    return limits.time + limits.increment > 0;
}

void read_limit(const std::string& name, const std::string& value, EngineLimits& limits) {
    const auto whole = to_number<std::int64_t>(value);
    if (name == "tc") {
        if (!read_cutechess_clock(value, limits))
            warn_of(fmt::format("Invalid time control: \"{}\"", value));
    } else if (name == "st") {
        const auto seconds = to_number<double>(value);
        const bool is_good = seconds && *seconds > 0 && *seconds < 1e12;
        if (!is_good) warn_of(fmt::format("Invalid search time: \"{}\"", value));
        limits.move_time = std::llround(*seconds * 1000);
    } else if (name == "timemargin") {
        if (!whole || *whole < 0) warn_of(fmt::format("Invalid time margin: \"{}\"", value));
        limits.margin = *whole;
    } else if (name == "depth") {
        if (!whole || *whole <= 0) warn_of(fmt::format("Invalid depth limit: \"{}\"", value));
        limits.plies = *whole;
    } else if (name == "nodes") {
        if (!whole || *whole <= 0) warn_of(fmt::format("Invalid node limit: \"{}\"", value));
        limits.nodes = *whole;
    }
}

/// An engine of the list that cutechess keeps.
void read_configured(const std::string& name, const Surroundings& here, EngineSettings& engine) {
    namespace json = boost::json;
    const auto text = here.read(here.engines_file);
    boost::system::error_code error;
    const json::value list = json::parse(text.value_or("[]"), error);
    if (!error && list.is_array()) {
        for (const json::value& one : list.get_array()) {
            const json::object* const object = one.if_object();
            if (object == nullptr) continue;
            const auto text_of = [object](std::string_view key) -> std::string {
                const json::value* const found = object->if_contains(key);
                return found != nullptr && found->is_string() ? std::string(found->get_string())
                                                              : "";
            };
            if (text_of("name") != name) continue;
            engine.name = name;
            const std::vector<std::string> command = shell_words(text_of("command"));
            if (!command.empty()) {
                engine.command = command.front();
                engine.arguments.assign(std::next(command.begin()), command.end());
            }
            engine.dir = text_of("workingDirectory");
            const std::string protocol = text_of("protocol");
            if (!protocol.empty()) engine.protocol = protocol;
            return;
        }
    }
    warn_of(fmt::format("Unknown engine configuration: \"{}\"", name));
}

struct CuteEngineKey {
    std::string_view name;
    void (*read)(EngineSettings& engine, const std::string& value);
};

constexpr std::array kCuteEngineKeys{
    CuteEngineKey{"name",
                  [](EngineSettings& engine, const std::string& value) { engine.name = value; }},
    CuteEngineKey{"cmd",
                  [](EngineSettings& engine, const std::string& value) { engine.command = value; }},
    CuteEngineKey{"dir",
                  [](EngineSettings& engine, const std::string& value) { engine.dir = value; }},
    CuteEngineKey{"arg", [](EngineSettings& engine,
                            const std::string& value) { engine.arguments.push_back(value); }},
    CuteEngineKey{"proto",
                  [](EngineSettings& engine, const std::string& value) {
                      if (value != "uci" && value != "xboard")
                          warn_of(fmt::format("Usupported chess protocol: \"{}\"", value));
                      engine.protocol = value;
                  }},
    CuteEngineKey{"restart",
                  [](EngineSettings& engine, const std::string& value) {
                      if (value != "auto" && value != "on" && value != "off")
                          warn_of(fmt::format("Invalid restart mode: \"{}\"", value));
                      engine.restarts = value == "on";
                  }},
    CuteEngineKey{"ponder", [](EngineSettings& engine,
                               const std::string& /*value*/) { engine.ponders = true; }},
};

/// A key that assay does not have, and what to do without it.
struct LackingKey {
    std::string_view name;
    std::string_view instead;
};

constexpr std::string_view kTakeOpenings =
    "make openings of it with 'assay book convert', and give them with -openings";
constexpr std::array kLackingKeys{
    LackingKey{"initstr", "give what it sets as option.NAME=VALUE"},
    LackingKey{"stderr", "'assay match --log DIR' writes what the engine says there too"},
    LackingKey{"trust", "leave it out; claims of a result are compared with the rules"},
    LackingKey{"whitepov", "have the engine tell scores of its own side"},
    LackingKey{"book", kTakeOpenings},
    LackingKey{"bookdepth", kTakeOpenings},
    LackingKey{"tscale", "leave it out; an engine has 10 seconds to start"},
};

void read_engine_word(const std::string& name, const std::string& value, const Surroundings& here,
                      EngineSettings& engine, std::vector<std::string>& refused) {
    constexpr std::string_view kOption = "option.";
    constexpr std::array<std::string_view, 5> kLimits{"tc", "st", "timemargin", "depth", "nodes"};
    const auto* const key =
        std::ranges::find(kCuteEngineKeys, std::string_view(name), &CuteEngineKey::name);
    if (key != kCuteEngineKeys.end()) {
        key->read(engine, value);
    } else if (name == "conf") {
        read_configured(value, here, engine);
    } else if (name.starts_with(kOption)) {
        engine.options.emplace_back(name.substr(kOption.size()), value);
    } else if (const auto* const lacking =
                   std::ranges::find(kLackingKeys, std::string_view(name), &LackingKey::name);
               lacking != kLackingKeys.end()) {
        refused.push_back(
            fmt::format("{} of an engine is not available in assay: {}", name, lacking->instead));
    } else if (std::ranges::find(kLimits, name) != kLimits.end()) {
        read_limit(name, value, engine.limits);
    } else {
        warn_of(fmt::format("Invalid engine option: \"{}\"", name));
    }
}

}  // namespace

void warn_of(const std::string& text) {
    throw BadWord("Warning: " + text);
}

void read_cutechess_engine(const std::vector<std::string>& words, const Surroundings& surroundings,
                           EngineSettings& engine, std::vector<std::string>& refused) {
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (name.empty()) continue;
        read_engine_word(name, equals == std::string::npos ? "" : word.substr(equals + 1),
                         surroundings, engine, refused);
    }
}

std::string cutechess_engine_names(const Surroundings& surroundings) {
    namespace json = boost::json;
    boost::system::error_code error;
    const auto text = surroundings.read(surroundings.engines_file);
    const json::value list = json::parse(text.value_or("[]"), error);
    std::string names;
    if (error || !list.is_array()) return names;
    for (const json::value& one : list.get_array()) {
        const json::object* const object = one.if_object();
        const json::value* const name = object == nullptr ? nullptr : object->if_contains("name");
        if (name == nullptr || !name->is_string()) continue;
        if (!names.empty()) names += '\n';
        names += std::string_view(name->get_string());
    }
    return names;
}

}  // namespace assay::configs::dropin
