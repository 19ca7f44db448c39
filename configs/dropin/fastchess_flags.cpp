// The command line of fastchess. A flag takes the words behind it up to the next one that begins
// with a '-' and is no negative number. How many it may have depends on its style. -each is read
// last, whatever its place, and overrides what the engines said themselves.
#include "configs/dropin/fastchess_flags.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "configs/dropin/fastchess_reader.h"
#include "configs/dropin/runner_plan.h"
#include "harness/machine/processor_groups.h"

namespace assay::configs::dropin {

struct FastchessFlag {
    enum class Style : std::uint8_t { None, Single, Pairs, OptionalPairs, Free };

    std::string_view name;
    Style style;
    void (FastchessReader::*apply)(const FastchessReader::Words& words);
};

namespace {

using Flag = FastchessFlag;
using Words = FastchessReader::Words;

bool is_flag(const std::string& word) {
    return word.starts_with('-') && !(word.size() > 1 && is_digit(word[1]));
}

constexpr auto kNone = Flag::Style::None;
constexpr auto kSingle = Flag::Style::Single;
constexpr auto kPairs = Flag::Style::Pairs;
constexpr auto kOptionalPairs = Flag::Style::OptionalPairs;
constexpr auto kFree = Flag::Style::Free;

constexpr std::array kFlags{
    Flag{"-engine", kPairs, &FastchessReader::engine},
    Flag{"-each", kPairs, &FastchessReader::each},
    Flag{"-pgnout", kOptionalPairs, &FastchessReader::pgn_out},
    Flag{"-epdout", kOptionalPairs, &FastchessReader::epd_out},
    Flag{"-openings", kPairs, &FastchessReader::openings},
    Flag{"-sprt", kPairs, &FastchessReader::sprt},
    Flag{"-draw", kPairs, &FastchessReader::draw},
    Flag{"-resign", kPairs, &FastchessReader::resign},
    Flag{"-maxmoves", kSingle, &FastchessReader::max_moves},
    Flag{"-tb", kSingle, &FastchessReader::tb},
    Flag{"-tbpieces", kSingle, &FastchessReader::tb_pieces},
    Flag{"-tbignore50", kNone, &FastchessReader::tb_ignore_50},
    Flag{"-tbadjudicate", kSingle, &FastchessReader::tb_adjudicate},
    Flag{"-autosaveinterval", kSingle, &FastchessReader::autosave_interval},
    Flag{"-log", kPairs, &FastchessReader::log},
    Flag{"-config", kPairs, &FastchessReader::config},
    Flag{"-report", kPairs, &FastchessReader::report},
    Flag{"-output", kPairs, &FastchessReader::output},
    Flag{"-concurrency", kSingle, &FastchessReader::concurrency},
    Flag{"-crc32", kPairs, &FastchessReader::crc},
    Flag{"-force-concurrency", kNone, &FastchessReader::force_concurrency},
    Flag{"-event", kFree, &FastchessReader::event},
    Flag{"-site", kFree, &FastchessReader::site},
    Flag{"-games", kSingle, &FastchessReader::games},
    Flag{"-rounds", kSingle, &FastchessReader::rounds},
    Flag{"-wait", kSingle, &FastchessReader::wait},
    Flag{"-noswap", kNone, &FastchessReader::no_swap},
    Flag{"-reverse", kNone, &FastchessReader::reverse},
    Flag{"-ratinginterval", kSingle, &FastchessReader::rating_interval},
    Flag{"-scoreinterval", kSingle, &FastchessReader::score_interval},
    Flag{"-srand", kSingle, &FastchessReader::seed},
    Flag{"-seeds", kSingle, &FastchessReader::seeds},
    Flag{"-version", kNone, &FastchessReader::version},
    Flag{"--version", kNone, &FastchessReader::version},
    Flag{"-v", kNone, &FastchessReader::version},
    Flag{"--v", kNone, &FastchessReader::version},
    Flag{"-help", kNone, &FastchessReader::help},
    Flag{"--help", kNone, &FastchessReader::help},
    Flag{"-recover", kNone, &FastchessReader::recover},
    Flag{"-repeat", kFree, &FastchessReader::repeat},
    Flag{"-variant", kSingle, &FastchessReader::variant},
    Flag{"-tournament", kSingle, &FastchessReader::tournament},
    Flag{"-quick", kPairs, &FastchessReader::quick},
    Flag{"-use-affinity", kFree, &FastchessReader::affinity},
    Flag{"-check-mate-pvs", kNone, &FastchessReader::check_mate_pvs},
    Flag{"-show-latency", kNone, &FastchessReader::show_latency},
    Flag{"-debug", kNone, &FastchessReader::debug},
    Flag{"-testEnv", kNone, &FastchessReader::test_env},
    Flag{"-strict", kNone, &FastchessReader::strict},
    Flag{"-startup-ms", kSingle, &FastchessReader::startup_ms},
    Flag{"-ucinewgame-ms", kSingle, &FastchessReader::new_game_ms},
    Flag{"-ping-ms", kSingle, &FastchessReader::ping_ms},
};

const Flag& flag_of(const std::string& word) {
    const auto found = std::ranges::find(kFlags, word, &Flag::name);
    if (found != kFlags.end()) return *found;
    std::string text = fmt::format("Unrecognized option: {} parsing failed.", word);
    std::vector<std::string_view> names;
    for (const Flag& flag : kFlags) names.push_back(flag.name);
    const std::string near = nearest_name(word, names);
    if (!near.empty()) text += fmt::format(": Did you mean \"{}\"?", near);
    throw BadWord(text);
}

void check_style(const Flag& flag, const Words& words) {
    if (flag.style == kNone && !words.empty())
        throw BadWord(fmt::format("Option \"{}\" does not accept parameters.", flag.name));
    if (flag.style == kSingle && words.size() != 1)
        throw BadWord(fmt::format("Option \"{}\" expects exactly one value.", flag.name));
    if (flag.style == kPairs && words.empty())
        throw BadWord(fmt::format("Option \"{}\" expects key=value parameters.", flag.name));
}

std::string reading_error(std::string_view flag, const std::string& value, const BadWord& bad) {
    return fmt::format("Error while reading option \"{}\" with value \"{}\"\nReason: {}", flag,
                       value, bad.what());
}

ParsedCommand with_text(ParsedCommand::Kind kind, std::string text,
                        std::vector<Message> messages = {}) {
    ParsedCommand command;
    command.kind = kind;
    command.text = std::move(text);
    command.messages = std::move(messages);
    return command;
}

}  // namespace

void FastchessReader::repeat(const Words& words) {
    const bool is_number =
        words.size() == 1 && !words.front().empty() && std::ranges::all_of(words.front(), is_digit);
    settings.games = is_number ? int_of(words.front()) : 2;
}

void FastchessReader::variant(const Words& words) {
    const std::string& name = words.front();
    if (name != "standard" && name != "fischerandom") throw BadWord("Unknown variant.");
    settings.is_chess960 = name == "fischerandom";
}

void FastchessReader::tournament(const Words& words) {
    const std::string& name = words.front();
    if (name != "roundrobin" && name != "gauntlet")
        throw BadWord("Unsupported tournament format. Only supports roundrobin and gauntlet.");
    settings.tournament = name == "gauntlet" ? RunnerSettings::Tournament::Gauntlet
                                             : RunnerSettings::Tournament::RoundRobin;
}

void FastchessReader::affinity(const Words& words) {
    settings.has_affinity = true;
    try {
        settings.affinity_cpus = harness::processor_list(joined(words, ","));
    } catch (const Error&) {
        throw BadWord("Bad cpu list.");
    }
}

void FastchessReader::tb(const Words& words) {
    settings.tablebase.is_on = true;
    settings.tablebase.folders = words.front();
}

void FastchessReader::tb_adjudicate(const Words& words) {
    using Result = TablebaseSettings::Result;
    const std::string& kind = words.front();
    if (kind != "WIN_LOSS" && kind != "DRAW" && kind != "BOTH")
        throw BadWord("Invalid tb adjudication type: " + kind);
    settings.tablebase.result = kind == "WIN_LOSS" ? Result::WinLoss
                                : kind == "DRAW"   ? Result::Draw
                                                   : Result::Both;
}

void FastchessReader::apply(const FastchessFlag& flag, const Words& words) {
    check_style(flag, words);
    (this->*flag.apply)(words);
}

void FastchessReader::read(const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const FastchessFlag& flag = flag_of(words[i]);
        Words values;
        while (i + 1 < words.size() && !is_flag(words[i + 1])) values.push_back(words[++i]);
        if (flag.name == "-each") {
            has_each_ = true;
            each_.insert(each_.end(), values.begin(), values.end());
            continue;
        }
        try {
            apply(flag, values);
        } catch (const BadWord& bad) {
            throw BadWord(reading_error(flag.name, words[i], bad));
        }
    }
    if (!has_each_) return;
    try {
        apply(flag_of("-each"), each_);
    } catch (const BadWord& bad) {
        throw BadWord(reading_error("-each", each_.empty() ? "<none>" : joined(each_, " "), bad));
    }
}

ParsedCommand parse_fastchess(const std::vector<std::string>& words,
                              const Surroundings& surroundings) {
    if (words.empty()) return with_text(ParsedCommand::Kind::Print, std::string(fastchess_help()));
    if (words.front() == "--compliance" && words.size() > 1) {
        ParsedCommand command;
        command.kind = ParsedCommand::Kind::Compliance;
        command.compliance.assign(std::next(words.begin()), words.end());
        return command;
    }
    FastchessReader reader(surroundings);
    try {
        reader.read(words);
        correct_fastchess(reader.settings, reader.messages, surroundings);
        if (const std::string lacking = not_planned(reader.settings); !lacking.empty())
            reader.settings.refused.push_back(lacking);
        if (!reader.settings.refused.empty())
            throw BadWord("Error: " + reader.settings.refused.front());
    } catch (const PrintOnly& print) {
        return with_text(ParsedCommand::Kind::Print, print.text, reader.messages);
    } catch (const BadWord& bad) {
        return with_text(ParsedCommand::Kind::Refuse, bad.what(), reader.messages);
    }
    ParsedCommand command;
    command.settings = std::move(reader.settings);
    command.messages = std::move(reader.messages);
    return command;
}

}  // namespace assay::configs::dropin
