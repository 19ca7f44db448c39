// The command line of cutechess-cli. Flags are collected first, each at most once but -engine, and
// then read in a fixed order, whatever their places; -each is read last and overrides what engines
// said. -version, -engines and -help win wherever they stand.
#include "configs/dropin/cutechess_flags.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/dropin/command_words.h"
#include "configs/dropin/cutechess_parser.h"
#include "configs/dropin/runner_help.h"
#include "configs/dropin/runner_plan.h"

namespace assay::configs::dropin {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

enum class Type : std::uint8_t { Text, List, Number, Switch };

struct CuteFlag {
    std::string_view name;
    Type type;
    std::size_t least;
    std::size_t most;
    void (CutechessParser::*read)(const CuteTyped& flag);
};

/// nullptr: there is none of this name.
const CuteFlag* flag_named(std::string_view name);

bool is_number(const std::string& text) {
    return to_number<double>(text.starts_with('+') ? text.substr(1) : text).has_value();
}

std::vector<CuteTyped> typed_flags(const Words& words) {
    std::vector<CuteTyped> typed;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const CuteFlag* const known = flag_named(words[i]);
        if (known == nullptr) warn_of(fmt::format("Unknown option: \"{}\"", words[i]));
        CuteTyped one{words[i], {}};
        while (i + 1 < words.size()) {
            const std::string& next = words[i + 1];
            if (next.size() > 1 && next.front() == '-' && !is_number(next)) break;
            one.words.push_back(words[++i]);
        }
        const bool is_second = one.name != "-engine" &&
                               std::ranges::find(typed, one.name, &CuteTyped::name) != typed.end();
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

/// In the order in which they are read.
constexpr std::array kCuteFlags{
    CuteFlag{"-srand", Type::Number, 1, 1, &CutechessParser::seed},
    CuteFlag{"-tournament", Type::Text, 1, 1, &CutechessParser::tournament},
    CuteFlag{"-engine", Type::List, 1, kAny, &CutechessParser::engine},
    CuteFlag{"-variant", Type::Text, 1, 1, &CutechessParser::variant},
    CuteFlag{"-concurrency", Type::Number, 1, 1, &CutechessParser::concurrency},
    CuteFlag{"-draw", Type::List, 0, kAny, &CutechessParser::draw},
    CuteFlag{"-resign", Type::List, 0, kAny, &CutechessParser::resign},
    CuteFlag{"-maxmoves", Type::Number, 1, 1, &CutechessParser::max_moves},
    CuteFlag{"-tb", Type::Text, 1, 1, &CutechessParser::tb},
    CuteFlag{"-tbpieces", Type::Number, 1, 1, &CutechessParser::tb_pieces},
    CuteFlag{"-tbignore50", Type::Switch, 0, 0, &CutechessParser::tb_ignore_50},
    CuteFlag{"-event", Type::Text, 1, 1, &CutechessParser::event},
    CuteFlag{"-games", Type::Number, 1, 1, &CutechessParser::games},
    CuteFlag{"-rounds", Type::Number, 1, 1, &CutechessParser::rounds},
    CuteFlag{"-sprt", Type::List, 0, kAny, &CutechessParser::sprt},
    CuteFlag{"-ratinginterval", Type::Number, 1, 1, &CutechessParser::rating_interval},
    CuteFlag{"-outcomeinterval", Type::Number, 1, 1, &CutechessParser::outcome_interval},
    CuteFlag{"-resultformat", Type::Text, 1, 1, &CutechessParser::result_format},
    CuteFlag{"-debug", Type::Text, 0, 1, &CutechessParser::debug},
    CuteFlag{"-openings", Type::List, 0, kAny, &CutechessParser::openings},
    CuteFlag{"-bookmode", Type::Text, 0, kAny, &CutechessParser::book_mode},
    CuteFlag{"-pgnout", Type::List, 1, 3, &CutechessParser::pgn_out},
    CuteFlag{"-epdout", Type::Text, 1, 1, &CutechessParser::epd_out},
    CuteFlag{"-repeat", Type::Number, 0, 1, &CutechessParser::repeat},
    CuteFlag{"-noswap", Type::Switch, 0, 0, &CutechessParser::no_swap},
    CuteFlag{"-reverse", Type::Switch, 0, 0, &CutechessParser::reverse},
    CuteFlag{"-recover", Type::Switch, 0, 0, &CutechessParser::recover},
    CuteFlag{"-site", Type::Text, 1, 1, &CutechessParser::site},
    CuteFlag{"-wait", Type::Number, 1, 1, &CutechessParser::wait},
    CuteFlag{"-seeds", Type::Number, 1, 1, &CutechessParser::seeds},
    CuteFlag{"-each", Type::List, 1, kAny, &CutechessParser::each},
};

const CuteFlag* flag_named(std::string_view name) {
    const auto found = std::ranges::find(kCuteFlags, name, &CuteFlag::name);
    return found == kCuteFlags.end() ? nullptr : &*found;
}

/// That runner says what is wrong, and then that the flag's value is: but of -tournament, which it
/// reads apart.
void read_flag(CutechessParser& parser, const CuteFlag& known, const CuteTyped& flag) {
    try {
        (parser.*known.read)(flag);
    } catch (const BadWord& bad) {
        const std::string value = "Warning: " + refused_cutechess_value(flag);
        if (flag.name == "-tournament" || bad.what() == value) throw;
        throw BadWord(fmt::format("{}\n{}", bad.what(), value));
    }
}

void read_flags(CutechessParser& parser, const Words& words) {
    const std::vector<CuteTyped> typed = typed_flags(words);
    for (const CuteFlag& known : kCuteFlags)
        for (const CuteTyped& flag : typed)
            if (flag.name == known.name) read_flag(parser, known, flag);
    parser.check();
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
    CutechessParser parser(surroundings);
    try {
        read_flags(parser, words);
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
        if (word == "-tournament" &&
            (next == "round-robin" || next == "knockout" || next == "pyramid"))
            return true;
    }
    return false;
}

}  // namespace assay::configs::dropin
