// What the flags of cutechess-cli mean, flag by flag.
#include <array>
#include <initializer_list>

#include "configs/dropin/command_words.h"
#include "configs/dropin/cutechess_parser.h"
#include "configs/dropin/runner_plan.h"

namespace assay::configs::dropin {

namespace {

bool has_limit(const EngineLimits& limits) {
    return limits.is_infinite || limits.time + limits.increment > 0 || limits.move_time > 0;
}

/// What that runner says of an engine that cannot play; empty: it can.
std::string_view lacking_in(const EngineSettings& engine) {
    if (!has_limit(engine.limits)) return "Warning: Invalid or missing time control";
    if (engine.command.empty()) return "Critical: missing chess engine command";
    if (engine.protocol.empty()) return "Warning: Missing chess protocol";
    return "";
}

/// A key, and the member that its value sets.
template <class Settings, class Number>
using NumberKeys = std::initializer_list<std::pair<const char*, Number Settings::*>>;

template <class Settings>
void set_numbers(const CuteTyped& flag, const CuteValues& values, Settings& settings,
                 NumberKeys<Settings, int> keys) {
    for (const auto& [key, member] : keys)
        settings.*member = cutechess_number<int>(flag, values.at(key));
}

void set_numbers(const CuteTyped& flag, const CuteValues& values, SprtSettings& settings,
                 NumberKeys<SprtSettings, double> keys) {
    for (const auto& [key, member] : keys)
        settings.*member = cutechess_number<double>(flag, values.at(key));
}

}  // namespace

CuteValues cutechess_values(const CuteTyped& flag, std::string_view wanted) {
    CuteValues defaults;
    for (std::size_t at = 0; at <= wanted.size();) {
        const std::size_t end = std::min(wanted.find('|', at), wanted.size());
        const std::string_view one = wanted.substr(at, end - at);
        const std::size_t equals = std::min(one.find('='), one.size());
        defaults[std::string(one.substr(0, equals))] =
            equals < one.size() ? one.substr(equals + 1) : "";
        at = end + 1;
    }
    CuteValues values;
    for (const std::string& word : flag.words) {
        const std::size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (key.empty() || value.empty() || !defaults.contains(key) || values.contains(key))
            warn_of(fmt::format("Invalid argument for option \"{}\": \"{}\"", flag.name, word));
        values[key] = value;
    }
    std::string missing;
    for (const auto& [key, value] : defaults) {
        if (values.contains(key)) continue;
        if (value.empty())
            missing += (missing.empty() ? "\"" : ", \"") + key + "\"";
        else
            values[key] = value;
    }
    if (!missing.empty())
        warn_of(fmt::format("Option \"{}\" needs argument(s): {}", flag.name, missing));
    return values;
}

std::string refused_cutechess_value(const CuteTyped& flag) {
    if (flag.words.empty()) return fmt::format("Empty value for option \"{}\"", flag.name);
    return fmt::format("Invalid value for option \"{}\": \"{}\"", flag.name,
                       joined(flag.words, " "));
}

void refuse_cutechess_value(const CuteTyped& flag) {
    warn_of(refused_cutechess_value(flag));
}

void CutechessParser::concurrency(const CuteTyped& flag) {
    settings_.concurrency = static_cast<int>(positive_in(flag));
    if (settings_.concurrency > kMostConcurrency) refuse_cutechess_value(flag);
}

void CutechessParser::rounds(const CuteTyped& flag) {
    if (settings_.tournament == RunnerSettings::Tournament::Knockout)
        warn_of("Tournament \"knockout\" does not support user-defined round multipliers");
    settings_.rounds = positive_in(flag);
}

void CutechessParser::repeat(const CuteTyped& flag) {
    settings_.repetitions = flag.words.empty() ? 2 : positive_in(flag);
    if (settings_.games % settings_.repetitions != 0)
        messages_.push_back(
            {fmt::format("Warning: {} opening repetitions vs {} games per encounter",
                         settings_.repetitions, settings_.games),
             true});
}

void CutechessParser::tournament(const CuteTyped& flag) {
    // In the order of the enumerators.
    constexpr std::array<std::string_view, 4> kKinds{"round-robin", "gauntlet", "knockout",
                                                     "pyramid"};
    const auto* const kind = std::ranges::find(kKinds, flag.words.front());
    if (kind == kKinds.end()) warn_of("Invalid tournament type: " + flag.words.front());
    settings_.tournament = static_cast<RunnerSettings::Tournament>(kind - kKinds.begin());
}

void CutechessParser::variant(const CuteTyped& flag) {
    const std::string& name = flag.words.front();
    if (name != "standard" && name != "fischerandom") {
        if (name.empty()) refuse_cutechess_value(flag);
        lack("-variant " + name, "'assay run' plays other games: see docs/multigame.md");
    }
    settings_.is_chess960 = name == "fischerandom";
}

void CutechessParser::draw(const CuteTyped& flag) {
    DrawSettings& draw = settings_.draw;
    set_numbers(flag, cutechess_values(flag, "movenumber|movecount|score"), draw,
                {{"movenumber", &DrawSettings::move_number},
                 {"movecount", &DrawSettings::move_count},
                 {"score", &DrawSettings::score}});
    draw.is_on = true;
}

void CutechessParser::resign(const CuteTyped& flag) {
    ResignSettings& resign = settings_.resign;
    const CuteValues values = cutechess_values(flag, "movecount|score|twosided=false");
    set_numbers(flag, values, resign,
                {{"movecount", &ResignSettings::move_count}, {"score", &ResignSettings::score}});
    resign.two_sided = values.at("twosided") == "true";
    resign.is_on = true;
}

void CutechessParser::sprt(const CuteTyped& flag) {
    SprtSettings& sprt = settings_.sprt;
    set_numbers(flag, cutechess_values(flag, "elo0|elo1|alpha|beta"), sprt,
                {{"elo0", &SprtSettings::elo0},
                 {"elo1", &SprtSettings::elo1},
                 {"alpha", &SprtSettings::alpha},
                 {"beta", &SprtSettings::beta}});
    sprt.is_on = true;
}

void CutechessParser::openings(const CuteTyped& flag) {
    // In the order of the enumerators.
    constexpr std::array<std::string_view, 3> kPolicies{"default", "encounter", "round"};
    CuteValues values = cutechess_values(
        flag, "file|format=pgn|order=sequential|plies=1024|start=1|policy=default");
    OpeningSettings& openings = settings_.openings;
    openings.file = values["file"];
    const std::string& format = values["format"];
    if (format != "epd" && format != "pgn")
        warn_of(fmt::format("Invalid opening suite format: \"{}\"", format));
    openings.format = format == "epd" ? OpeningSettings::Format::Epd : OpeningSettings::Format::Pgn;
    const std::string& order = values["order"];
    if (order != "sequential" && order != "random")
        warn_of(fmt::format("Invalid opening selection order: \"{}\"", order));
    openings.is_random = order == "random";
    const auto* const policy = std::ranges::find(kPolicies, values["policy"]);
    if (policy == kPolicies.end())
        warn_of(fmt::format("Invalid opening shift policy: \"{}\"", values["policy"]));
    openings.policy = static_cast<OpeningSettings::Policy>(policy - kPolicies.begin());
    openings.plies = cutechess_number<int>(flag, values["plies"]);
    openings.start = cutechess_number<std::int64_t>(flag, values["start"]);
    if (openings.plies <= 0 || openings.start <= 0) refuse_cutechess_value(flag);
    if (openings.is_random) messages_.push_back({"Indexing opening suite..."});
    if (!surroundings_.is_file(openings.file))
        warn_of(fmt::format("Can't open opening suite {}", openings.file));
}

void CutechessParser::pgn_out(const CuteTyped& flag) {
    settings_.pgn.file = flag.words.front();
    for (std::size_t i = 1; i < flag.words.size(); ++i) {
        if (flag.words[i] != "min" && flag.words[i] != "fi") refuse_cutechess_value(flag);
        settings_.pgn.is_minimal = settings_.pgn.is_minimal || flag.words[i] == "min";
    }
}

void CutechessParser::check() {
    for (const EngineSettings& engine : settings_.engines) {
        const std::string_view lacking = lacking_in(engine);
        if (lacking.empty()) continue;
        problems_ += problems_.empty() ? "" : "\n";
        problems_ += lacking;
        break;
    }
    if (settings_.engines.size() < 2) {
        problems_ += problems_.empty() ? "" : "\n";
        problems_ += "Warning: At least two engines are needed";
    }
    if (!problems_.empty()) throw BadWord(problems_);
    for (EngineSettings& engine : settings_.engines)
        if (engine.name.empty()) engine.name = stem_of(engine.command);
    std::map<std::string, int> seen;
    for (EngineSettings& engine : settings_.engines) {
        const int before = seen[engine.name]++;
        if (before > 0) engine.name += fmt::format("({})", before);
    }
    if (const std::string lacking = not_planned(settings_); !lacking.empty())
        settings_.refused.push_back(lacking);
    const SprtSettings& sprt = settings_.sprt;
    const bool is_good =
        sprt.elo0 < sprt.elo1 && sprt.alpha > 0 && sprt.beta > 0 && sprt.alpha + sprt.beta < 1;
    if (sprt.is_on && !is_good)
        lack("this -sprt", "elo0 must be below elo1, alpha and beta above 0 and together below 1");
}

}  // namespace assay::configs::dropin
