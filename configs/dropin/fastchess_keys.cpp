// The flags of fastchess that take keys with values, but for those of engines.
#include <algorithm>
#include <array>
#include <utility>

#include "configs/dropin/fastchess_flags.h"
#include "configs/dropin/fastchess_reader.h"
#include "configs/dropin/result_file.h"

namespace assay::configs::dropin {

namespace {

using KeyValue = FastchessReader::KeyValue;

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

void refuse_key(std::string_view what, const FastchessReader::KeyValue& pair) {
    throw BadWord(fmt::format("Unrecognized {} option \"{}\" with value \"{}\".", what, pair.first,
                              pair.second));
}

std::vector<FastchessReader::KeyValue> pairs_of(std::string_view flag,
                                                const FastchessReader::Words& words) {
    std::vector<FastchessReader::KeyValue> pairs;
    for (const std::string& word : words) {
        const std::size_t at = word.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == word.size())
            throw BadWord(
                fmt::format("Option \"{}\" expects key=value pairs, got \"{}\".", flag, word));
        pairs.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    return pairs;
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

}  // namespace assay::configs::dropin
