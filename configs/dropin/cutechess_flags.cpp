// The command line of cutechess-cli. Flags are collected first, each at most once but -engine, and
// then read in a fixed order, whatever their places; -each is read last and overrides what engines
// said. -version, -engines and -help win wherever they stand.
#include "configs/dropin/cutechess_flags.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <type_traits>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/dropin/command_words.h"
#include "configs/dropin/cutechess_engine.h"
#include "configs/dropin/runner_help.h"

namespace assay::configs::dropin {

namespace {

using Words = std::vector<std::string>;
using Values = std::map<std::string, std::string>;

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

enum class Type : std::uint8_t { Text, List, Number, Switch };

/// A flag as it was typed.
struct Typed {
    std::string name;
    Words words;
};

class CuteParser;

struct CuteFlag {
    std::string_view name;
    Type type;
    std::size_t least;
    std::size_t most;
    void (CuteParser::*read)(const Typed& flag);
};

/// nullptr: there is none of this name.
const CuteFlag* flag_named(std::string_view name);

bool is_number(const std::string& text) {
    return to_number<double>(text.starts_with('+') ? text.substr(1) : text).has_value();
}

std::vector<Typed> typed_flags(const Words& words) {
    std::vector<Typed> typed;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const CuteFlag* const known = flag_named(words[i]);
        if (known == nullptr) warn_of(fmt::format("Unknown option: \"{}\"", words[i]));
        Typed one{words[i], {}};
        while (i + 1 < words.size()) {
            const std::string& next = words[i + 1];
            if (next.size() > 1 && next.front() == '-' && !is_number(next)) break;
            one.words.push_back(words[++i]);
        }
        const bool is_second = one.name != "-engine" &&
                               std::ranges::find(typed, one.name, &Typed::name) != typed.end();
        if (is_second) warn_of(fmt::format("Multiple instances of option \"{}\"", one.name));
        if (one.words.size() < known->least)
            warn_of(known->least == known->most
                        ? fmt::format("Option \"{}\" needs {} argument(s)", one.name, known->least)
                        : fmt::format("Option \"{}\" needs at least {} argument(s)", one.name,
                                      known->least));
        if (one.words.size() > known->most)
            warn_of(fmt::format("Too many arguments for option \"{}\"", one.name));
        const bool is_bad_number = known->type == Type::Number && !one.words.empty() &&
                                   !to_number<std::int64_t>(one.words.front());
        if (is_bad_number)
            warn_of(fmt::format("Invalid value for option \"{}\": \"{}\"", one.name,
                                joined(one.words, " ")));
        typed.push_back(std::move(one));
    }
    return typed;
}

/// `wanted`: keys, those with a default after '='. Every key must be there or have one.
Values values_of(const Typed& flag, std::string_view wanted) {
    Values defaults;
    for (std::size_t at = 0; at <= wanted.size();) {
        const std::size_t end = std::min(wanted.find('|', at), wanted.size());
        const std::string_view one = wanted.substr(at, end - at);
        const std::size_t equals = std::min(one.find('='), one.size());
        defaults[std::string(one.substr(0, equals))] =
            equals < one.size() ? one.substr(equals + 1) : "";
        at = end + 1;
    }
    Values values;
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

[[noreturn]] void refuse_value(const Typed& flag) {
    if (flag.words.empty()) warn_of(fmt::format("Empty value for option \"{}\"", flag.name));
    warn_of(
        fmt::format("Invalid value for option \"{}\": \"{}\"", flag.name, joined(flag.words, " ")));
}

template <class Number>
Number number_in(const Typed& flag, const std::string& text) {
    const auto number = to_number<Number>(text.starts_with('+') ? text.substr(1) : text);
    if (!number) refuse_value(flag);
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(*number)) refuse_value(flag);
    }
    return *number;
}

bool has_limit(const EngineLimits& limits) {
    return limits.is_infinite || limits.time + limits.increment > 0 || limits.move_time > 0;
}

class CuteParser {
public:
    explicit CuteParser(const Surroundings& surroundings) : surroundings_(surroundings) {
        settings_.runner = Runner::Cutechess;
        settings_.games = 1;
        settings_.rounds = 1;
        settings_.rating_interval = 0;
        settings_.has_penta = false;
        settings_.has_cutechess_output = true;
        settings_.event.clear();
        settings_.sprt.model = "logistic";
    }

    void read(const Words& words);

    [[nodiscard]] RunnerSettings& settings() { return settings_; }

    [[nodiscard]] std::vector<Message>& messages() { return messages_; }

    // A function a flag; kCuteFlags names them.
    void engine(const Typed& flag) { read_engine(flag.words, settings_.engines.emplace_back()); }

    void each(const Typed& flag) {
        for (EngineSettings& engine : settings_.engines) read_engine(flag.words, engine);
    }

    void event(const Typed& flag) { settings_.event = flag.words.front(); }

    void site(const Typed& flag) { settings_.site = flag.words.front(); }

    void epd_out(const Typed& flag) { settings_.epd.file = flag.words.front(); }

    void no_swap(const Typed& /*flag*/) { settings_.swaps = false; }

    void reverse(const Typed& /*flag*/) { settings_.is_reversed = true; }

    void recover(const Typed& /*flag*/) { settings_.recovers = true; }

    void games(const Typed& flag) { settings_.games = positive_in(flag); }

    void rounds(const Typed& flag) { settings_.rounds = positive_in(flag); }

    void seed(const Typed& flag) {
        settings_.seed = number_in<std::uint64_t>(flag, flag.words.front());
    }

    void seeds(const Typed& flag) { settings_.seeds = number_in<int>(flag, flag.words.front()); }

    void rating_interval(const Typed& flag) {
        settings_.rating_interval = number_in<std::int64_t>(flag, flag.words.front());
    }

    void outcome_interval(const Typed& flag) {
        settings_.outcome_interval = number_in<std::int64_t>(flag, flag.words.front());
    }

    void wait(const Typed& flag) { settings_.wait = natural_in(flag); }

    void max_moves(const Typed& flag) {
        settings_.most_moves =
            static_cast<int>(std::min<std::int64_t>(natural_in(flag), 1'000'000));
    }

    void tb(const Typed& flag) {
        settings_.tablebase.is_on = true;
        settings_.tablebase.folders = flag.words.front();
        if (settings_.tablebase.folders.empty()) refuse_value(flag);
    }

    void tb_pieces(const Typed& flag) {
        settings_.tablebase.pieces =
            static_cast<int>(std::min<std::int64_t>(positive_in(flag), 1'000));
    }

    void tb_ignore_50(const Typed& /*flag*/) { settings_.tablebase.ignores_fifty = true; }

    void result_format(const Typed& /*flag*/) {
        lack("-resultformat", "'assay report' has its own forms");
    }

    void debug(const Typed& /*flag*/) {
        lack("-debug", "'assay match --log DIR' writes every line of the engines to files");
    }

    void book_mode(const Typed& flag) {
        if (flag.words != Words{"ram"} && flag.words != Words{"disk"}) refuse_value(flag);
    }

    void concurrency(const Typed& flag);
    void repeat(const Typed& flag);
    void tournament(const Typed& flag);
    void variant(const Typed& flag);
    void draw(const Typed& flag);
    void resign(const Typed& flag);
    void sprt(const Typed& flag);
    void openings(const Typed& flag);
    void pgn_out(const Typed& flag);

private:
    void lack(std::string_view flag, std::string_view instead) {
        settings_.refused.push_back(fmt::format("{} is not available in assay: {}", flag, instead));
    }

    [[nodiscard]] static std::int64_t natural_in(const Typed& flag) {
        const auto number = number_in<std::int64_t>(flag, flag.words.front());
        if (number < 0) refuse_value(flag);
        return number;
    }

    [[nodiscard]] static std::int64_t positive_in(const Typed& flag) {
        const auto number = number_in<std::int64_t>(flag, flag.words.front());
        if (number <= 0 || number > std::numeric_limits<int>::max()) refuse_value(flag);
        return number;
    }

    void read_engine(const Words& words, EngineSettings& engine) {
        read_cutechess_engine(words, surroundings_, engine, settings_.refused);
    }

    void check();

    const Surroundings& surroundings_;
    RunnerSettings settings_;
    std::vector<Message> messages_;
    std::string policy_ = "default";
};

/// In the order in which they are read.
constexpr std::array kCuteFlags{
    CuteFlag{"-srand", Type::Number, 1, 1, &CuteParser::seed},
    CuteFlag{"-tournament", Type::Text, 1, 1, &CuteParser::tournament},
    CuteFlag{"-engine", Type::List, 1, kAny, &CuteParser::engine},
    CuteFlag{"-variant", Type::Text, 1, 1, &CuteParser::variant},
    CuteFlag{"-concurrency", Type::Number, 1, 1, &CuteParser::concurrency},
    CuteFlag{"-draw", Type::List, 0, kAny, &CuteParser::draw},
    CuteFlag{"-resign", Type::List, 0, kAny, &CuteParser::resign},
    CuteFlag{"-maxmoves", Type::Number, 1, 1, &CuteParser::max_moves},
    CuteFlag{"-tb", Type::Text, 1, 1, &CuteParser::tb},
    CuteFlag{"-tbpieces", Type::Number, 1, 1, &CuteParser::tb_pieces},
    CuteFlag{"-tbignore50", Type::Switch, 0, 0, &CuteParser::tb_ignore_50},
    CuteFlag{"-event", Type::Text, 1, 1, &CuteParser::event},
    CuteFlag{"-games", Type::Number, 1, 1, &CuteParser::games},
    CuteFlag{"-rounds", Type::Number, 1, 1, &CuteParser::rounds},
    CuteFlag{"-sprt", Type::List, 0, kAny, &CuteParser::sprt},
    CuteFlag{"-ratinginterval", Type::Number, 1, 1, &CuteParser::rating_interval},
    CuteFlag{"-outcomeinterval", Type::Number, 1, 1, &CuteParser::outcome_interval},
    CuteFlag{"-resultformat", Type::Text, 1, 1, &CuteParser::result_format},
    CuteFlag{"-debug", Type::Text, 0, 1, &CuteParser::debug},
    CuteFlag{"-openings", Type::List, 0, kAny, &CuteParser::openings},
    CuteFlag{"-bookmode", Type::Text, 0, kAny, &CuteParser::book_mode},
    CuteFlag{"-pgnout", Type::List, 1, 3, &CuteParser::pgn_out},
    CuteFlag{"-epdout", Type::Text, 1, 1, &CuteParser::epd_out},
    CuteFlag{"-repeat", Type::Number, 0, 1, &CuteParser::repeat},
    CuteFlag{"-noswap", Type::Switch, 0, 0, &CuteParser::no_swap},
    CuteFlag{"-reverse", Type::Switch, 0, 0, &CuteParser::reverse},
    CuteFlag{"-recover", Type::Switch, 0, 0, &CuteParser::recover},
    CuteFlag{"-site", Type::Text, 1, 1, &CuteParser::site},
    CuteFlag{"-wait", Type::Number, 1, 1, &CuteParser::wait},
    CuteFlag{"-seeds", Type::Number, 1, 1, &CuteParser::seeds},
    CuteFlag{"-each", Type::List, 1, kAny, &CuteParser::each},
};

const CuteFlag* flag_named(std::string_view name) {
    const auto found = std::ranges::find(kCuteFlags, name, &CuteFlag::name);
    return found == kCuteFlags.end() ? nullptr : &*found;
}

void CuteParser::concurrency(const Typed& flag) {
    settings_.concurrency = static_cast<int>(positive_in(flag));
    if (settings_.concurrency > kMostConcurrency) refuse_value(flag);
}

void CuteParser::repeat(const Typed& flag) {
    settings_.repetitions = flag.words.empty() ? 2 : positive_in(flag);
    if (settings_.games % settings_.repetitions != 0)
        messages_.push_back(
            {fmt::format("Warning: {} opening repetitions vs {} games per encounter",
                         settings_.repetitions, settings_.games),
             true});
    if (settings_.repetitions > 2) lack("-repeat with more than 2", "take -repeat");
}

void CuteParser::tournament(const Typed& flag) {
    const std::string& kind = flag.words.front();
    if (kind != "round-robin" && kind != "gauntlet" && kind != "knockout" && kind != "pyramid")
        throw BadWord("Warning: Invalid tournament type: " + kind);
    if (kind == "knockout" || kind == "pyramid") lack("-tournament " + kind, "leave it out");
    settings_.is_gauntlet = kind == "gauntlet";
}

void CuteParser::variant(const Typed& flag) {
    const std::string& name = flag.words.front();
    if (name != "standard" && name != "fischerandom") {
        if (name.empty()) refuse_value(flag);
        lack("-variant " + name, "'assay run' plays other games: see docs/multigame.md");
    }
    settings_.is_chess960 = name == "fischerandom";
}

void CuteParser::draw(const Typed& flag) {
    Values values = values_of(flag, "movenumber|movecount|score");
    settings_.draw = {true, number_in<int>(flag, values["movenumber"]),
                      number_in<int>(flag, values["movecount"]),
                      number_in<int>(flag, values["score"])};
}

void CuteParser::resign(const Typed& flag) {
    Values values = values_of(flag, "movecount|score|twosided=false");
    settings_.resign = {true, number_in<int>(flag, values["movecount"]),
                        number_in<int>(flag, values["score"]), values["twosided"] == "true"};
}

void CuteParser::sprt(const Typed& flag) {
    Values values = values_of(flag, "elo0|elo1|alpha|beta");
    settings_.sprt = {true,
                      number_in<double>(flag, values["alpha"]),
                      number_in<double>(flag, values["beta"]),
                      number_in<double>(flag, values["elo0"]),
                      number_in<double>(flag, values["elo1"]),
                      "logistic"};
}

void CuteParser::openings(const Typed& flag) {
    constexpr std::array<std::string_view, 5> kPolicies{"default", "encounter", "subround", "round",
                                                        "keep"};
    Values values =
        values_of(flag, "file|format=pgn|order=sequential|plies=1024|start=1|policy=default");
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
    policy_ = values["policy"];
    if (std::ranges::find(kPolicies, policy_) == kPolicies.end())
        warn_of(fmt::format("Invalid opening shift policy: \"{}\"", policy_));
    openings.plies = number_in<int>(flag, values["plies"]);
    openings.start = number_in<std::int64_t>(flag, values["start"]);
    if (openings.plies <= 0 || openings.start <= 0) refuse_value(flag);
    if (openings.is_random) messages_.push_back({"Indexing opening suite..."});
    if (!surroundings_.is_file(openings.file))
        warn_of(fmt::format("Can't open opening suite {}", openings.file));
}

void CuteParser::pgn_out(const Typed& flag) {
    settings_.pgn.file = flag.words.front();
    for (std::size_t i = 1; i < flag.words.size(); ++i) {
        if (flag.words[i] != "min" && flag.words[i] != "fi") refuse_value(flag);
        settings_.pgn.is_minimal = settings_.pgn.is_minimal || flag.words[i] == "min";
    }
}

void CuteParser::check() {
    for (const EngineSettings& engine : settings_.engines) {
        if (!has_limit(engine.limits)) warn_of("Invalid or missing time control");
        if (engine.command.empty()) throw BadWord("missing chess engine command");
        if (engine.protocol.empty()) warn_of("Missing chess protocol");
    }
    if (settings_.engines.size() < 2) warn_of("At least two engines are needed");
    for (EngineSettings& engine : settings_.engines)
        if (engine.name.empty()) engine.name = stem_of(engine.command);
    if (settings_.engines.size() == 2 && settings_.engines[0].name == settings_.engines[1].name)
        settings_.engines[1].name += "(1)";
    const bool is_kept = policy_ == "encounter" || policy_ == "round" || policy_ == "subround";
    if (settings_.repetitions == 0 && is_kept && settings_.games == 2) settings_.repetitions = 2;
    if (settings_.repetitions == 0 && is_kept && settings_.games > 2)
        lack("policy=" + policy_ + " with more than 2 games", "take -repeat");
    if (policy_ == "keep") lack("policy=keep", "leave it out");
    if (settings_.engines.size() > 2)
        lack("a match of more than two engines", "play each pair of engines in a match of its own");
    const bool is_one_sided = settings_.engines.size() == 2 &&
                              settings_.engines[0].ponders != settings_.engines[1].ponders;
    if (is_one_sided) lack("ponder of one engine alone", "give it with -each");
    const SprtSettings& sprt = settings_.sprt;
    const bool is_good =
        sprt.elo0 < sprt.elo1 && sprt.alpha > 0 && sprt.beta > 0 && sprt.alpha + sprt.beta < 1;
    if (sprt.is_on && !is_good)
        lack("this -sprt", "elo0 must be below elo1, alpha and beta above 0 and together below 1");
}

void CuteParser::read(const Words& words) {
    const std::vector<Typed> typed = typed_flags(words);
    for (const CuteFlag& known : kCuteFlags)
        for (const Typed& flag : typed)
            if (flag.name == known.name) (this->*known.read)(flag);
    check();
}

/// A word that wins wherever it stands; nullopt: there is none.
std::optional<std::string> early_text(const Words& words, const Surroundings& surroundings) {
    for (const std::string& word : words) {
        if (word == "-v" || word == "--version" || word == "-version") return surroundings.version;
        if (word == "--engines" || word == "-engines") return cutechess_engine_names(surroundings);
        if (word == "--help" || word == "-help") return std::string(cutechess_help());
    }
    return std::nullopt;
}

}  // namespace

ParsedCommand parse_cutechess(const std::vector<std::string>& words,
                              const Surroundings& surroundings) {
    ParsedCommand command;
    if (const auto text = early_text(words, surroundings)) {
        command.kind = ParsedCommand::Kind::Print;
        command.text = *text;
        return command;
    }
    CuteParser parser(surroundings);
    try {
        parser.read(words);
        if (!parser.settings().refused.empty())
            throw BadWord("Warning: " + parser.settings().refused.front());
        command.settings = std::move(parser.settings());
    } catch (const BadWord& bad) {
        command.kind = ParsedCommand::Kind::Refuse;
        command.text = bad.what();
    }
    command.messages = std::move(parser.messages());
    return command;
}

bool is_for_cutechess(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 5> kOwn{"-outcomeinterval", "-resultformat", "-bookmode",
                                                   "-engines", "--engines"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (std::ranges::find(kOwn, word) != kOwn.end()) return true;
        if (word.starts_with("conf=") || word.starts_with("initstr=") ||
            word.starts_with("tscale="))
            return true;
        if (i + 1 == words.size()) continue;
        const std::string& next = words[i + 1];
        const bool is_plain = !next.starts_with('-') && next.find('=') == std::string::npos;
        if ((word == "-pgnout" || word == "-epdout") && is_plain) return true;
        if (word == "-tournament" && next == "round-robin") return true;
    }
    return false;
}

}  // namespace assay::configs::dropin
