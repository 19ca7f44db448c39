// config.json, with the keys and the numbers for words that fastchess writes, so that each of the
// two goes on with what the other has left. It has no place for a few of the settings (-testEnv,
// -strict, the limits in milliseconds); ours stand under "assay".
//
// Each part of the settings names its keys once, for a Writer and a Reader alike, in the order of
// the file.
#include "configs/dropin/result_file.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "configs/dropin/command_words.h"

namespace assay::configs::dropin {

namespace {

namespace json = boost::json;

constexpr std::string_view kAdvice = "; correct it, or leave -config out and begin the match anew";

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw BadWord(path + ": " + what + std::string(kAdvice));
}

/// Writes what the parts name.
class Writer {
public:
    template <class Type>
    void value(std::string_view key, const Type& variable) {
        object_[key] = variable;
    }

    void count(std::string_view key, std::int64_t variable) { object_[key] = variable; }

    /// A word that is a number in the file.
    void word(std::string_view key, bool variable, int if_true, int if_false) {
        object_[key] = variable ? if_true : if_false;
    }

    void negated(std::string_view key, bool variable) { object_[key] = !variable; }

    template <class Enum>
    void choice(std::string_view key, Enum variable, Enum /*last*/) {
        object_[key] = static_cast<int>(variable);
    }

    template <class Keys>
    void part(std::string_view key, Keys keys) {
        Writer inner;
        keys(inner);
        object_[key] = std::move(inner.object_);
    }

    template <class List, class Keys>
    void parts(std::string_view key, List& list, Keys keys) {
        json::array array;
        for (auto& one : list) {
            Writer inner;
            keys(inner, one);
            array.push_back(std::move(inner.object_));
        }
        object_[key] = std::move(array);
    }

    void texts(std::string_view key, const std::vector<std::string>& texts) {
        json::array array;
        for (const std::string& text : texts) array.emplace_back(text);
        object_[key] = std::move(array);
    }

    void numbers(std::string_view key, const std::vector<int>& numbers) {
        object_[key] = json::array(numbers.begin(), numbers.end());
    }

    void text_pairs(std::string_view key,
                    const std::vector<std::pair<std::string, std::string>>& pairs) {
        json::array array;
        for (const auto& [name, value] : pairs) array.push_back(json::array{name, value});
        object_[key] = std::move(array);
    }

    [[nodiscard]] json::object& object() { return object_; }

private:
    json::object object_;
};

/// Reads what the parts name; a key that is missing keeps the variable, a value of another kind
/// throws BadWord with the key's place in the file.
class Reader {
public:
    /// `path` names the file, `place` the object in it: empty, or "limit.tc.".
    Reader(const json::object& object, const std::string& path, std::string place)
        : object_(object), path_(path), place_(std::move(place)) {}

    void value(std::string_view key, bool& variable) const {
        if (const json::value* const found = at(key)) {
            if (!found->is_bool()) refuse_value(key, "true or false");
            variable = found->get_bool();
        }
    }

    void value(std::string_view key, std::string& variable) const {
        if (const json::value* const found = at(key)) {
            if (!found->is_string()) refuse_value(key, "a text");
            variable = std::string(found->get_string());
        }
    }

    template <class Number>
    void value(std::string_view key, Number& variable) const {
        const json::value* const found = at(key);
        if (found == nullptr) return;
        boost::system::error_code error;
        const auto number = found->to_number<Number>(error);
        if (error)
            refuse_value(key, std::is_floating_point_v<Number> ? "a number" : "a whole number");
        variable = number;
    }

    /// A number of things or milliseconds.
    void count(std::string_view key, std::int64_t& variable) const {
        constexpr std::int64_t kMost = 1'000'000'000'000'000;
        value(key, variable);
        if (variable < 0 || variable > kMost)
            refuse_value(key, fmt::format("a whole number from 0 to {}", kMost));
    }

    void word(std::string_view key, bool& variable, int if_true, int if_false) const {
        int number = variable ? if_true : if_false;
        value(key, number);
        variable = number == if_true;
    }

    void negated(std::string_view key, bool& variable) const {
        bool opposite = !variable;
        value(key, opposite);
        variable = !opposite;
    }

    template <class Enum>
    void choice(std::string_view key, Enum& variable, Enum last) const {
        int number = static_cast<int>(variable);
        value(key, number);
        const int most = static_cast<int>(last);
        if (number < 0 || number > most)
            refuse_value(key, fmt::format("a whole number from 0 to {}", most));
        variable = static_cast<Enum>(number);
    }

    template <class Keys>
    void part(std::string_view key, Keys keys) const {
        const json::value* const found = at(key);
        if (found == nullptr) return;
        if (!found->is_object()) refuse_value(key, "an object");
        Reader inner(found->get_object(), path_, place_ + std::string(key) + ".");
        keys(inner);
    }

    template <class List, class Keys>
    void parts(std::string_view key, List& list, Keys keys) const {
        const json::array& array = array_at(key);
        for (std::size_t i = 0; i < array.size(); ++i) {
            const std::string name = fmt::format("{}[{}]", key, i);
            if (!array[i].is_object()) refuse_value(name, "an object");
            Reader inner(array[i].get_object(), path_, place_ + name + ".");
            keys(inner, list.emplace_back());
        }
    }

    void texts(std::string_view key, std::vector<std::string>& texts) const {
        for (const json::value& one : array_at(key)) {
            if (!one.is_string()) refuse_value(key, "a list of texts");
            texts.emplace_back(one.get_string());
        }
    }

    void numbers(std::string_view key, std::vector<int>& numbers) const {
        for (const json::value& one : array_at(key)) {
            boost::system::error_code error;
            numbers.push_back(one.to_number<int>(error));
            if (error) refuse_value(key, "a list of whole numbers");
        }
    }

    void text_pairs(std::string_view key,
                    std::vector<std::pair<std::string, std::string>>& pairs) const {
        for (const json::value& one : array_at(key)) {
            const json::array* const pair = one.if_array();
            const bool is_pair = pair != nullptr && pair->size() == 2 && pair->at(0).is_string() &&
                                 pair->at(1).is_string();
            if (!is_pair) refuse_value(key, "a list of names with values");
            pairs.emplace_back(pair->at(0).get_string(), pair->at(1).get_string());
        }
    }

    /// Throws BadWord where the key is missing.
    void require(std::string_view key) const {
        if (object_.contains(key)) return;
        std::vector<std::string_view> names;
        for (const auto& member : object_) names.emplace_back(member.key());
        refuse(path_, fmt::format("there is no '{}{}'{}", place_, key, did_you_mean(key, names)));
    }

private:
    [[nodiscard]] const json::value* at(std::string_view key) const {
        return object_.if_contains(key);
    }

    [[nodiscard]] const json::array& array_at(std::string_view key) const {
        static const json::array kEmpty;
        const json::value* const found = at(key);
        if (found == nullptr) return kEmpty;
        if (!found->is_array()) refuse_value(key, "a list");
        return found->get_array();
    }

    [[noreturn]] void refuse_value(std::string_view key, std::string_view kind) const {
        refuse(path_, fmt::format("'{}{}' must be {}", place_, key, kind));
    }

    const json::object& object_;
    const std::string& path_;
    std::string place_;
};

// The parts: `file` is a Writer or a Reader.

template <class File>
void resign_keys(File& file, ResignSettings& resign) {
    file.value("move_count", resign.move_count);
    file.value("score", resign.score);
    file.value("twosided", resign.two_sided);
    file.value("enabled", resign.is_on);
}

template <class File>
void draw_keys(File& file, DrawSettings& draw) {
    file.value("move_number", draw.move_number);
    file.value("move_count", draw.move_count);
    file.value("score", draw.score);
    file.value("enabled", draw.is_on);
}

template <class File>
void length_keys(File& file, std::optional<int>& most_moves) {
    int moves = most_moves.value_or(1);
    bool is_on = most_moves.has_value();
    file.value("move_count", moves);
    file.value("enabled", is_on);
    most_moves = is_on ? std::optional(moves) : std::nullopt;
}

template <class File>
void tablebase_keys(File& file, TablebaseSettings& tables) {
    file.value("syzygy_dirs", tables.folders);
    file.value("max_pieces", tables.pieces);
    file.value("ignore_50_move_rule", tables.ignores_fifty);
    file.value("enabled", tables.is_on);
}

template <class File>
void opening_keys(File& file, OpeningSettings& opening) {
    file.value("file", opening.file);
    file.choice("format", opening.format, OpeningSettings::Format::None);
    file.word("order", opening.is_random, 0, 1);
    file.value("plies", opening.plies);
    file.value("start", opening.start);
}

template <class File>
void pgn_keys(File& file, RunnerSettings& settings) {
    PgnSettings& pgn = settings.pgn;
    file.texts("additional_lines_rgx", pgn.match_lines);
    file.value("event_name", settings.event);
    file.value("site", settings.site);
    file.value("file", pgn.file);
    file.choice("notation", pgn.notation, PgnSettings::Notation::Uci);
    file.value("append_file", pgn.appends);
    file.value("track_nodes", pgn.nodes);
    file.value("track_seldepth", pgn.seldepth);
    file.value("track_nps", pgn.nps);
    file.value("track_hashfull", pgn.hashfull);
    file.value("track_tbhits", pgn.tbhits);
    file.value("track_timeleft", pgn.time_left);
    file.value("track_latency", pgn.latency);
    file.value("track_pv", pgn.pv);
    file.value("min", pgn.is_minimal);
    file.value("crc", pgn.has_crc);
}

template <class File>
void epd_keys(File& file, EpdSettings& epd) {
    file.value("file", epd.file);
    file.value("append_file", epd.appends);
}

template <class File>
void sprt_keys(File& file, SprtSettings& sprt) {
    file.value("alpha", sprt.alpha);
    file.value("beta", sprt.beta);
    file.value("elo0", sprt.elo0);
    file.value("elo1", sprt.elo1);
    file.value("model", sprt.model);
    file.value("enabled", sprt.is_on);
}

template <class File>
void log_keys(File& file, LogSettings& log) {
    bool is_live = true;  // each line is in the file at once
    file.value("file", log.file);
    file.choice("level", log.level, LogSettings::Level::Fatal);
    file.value("append_file", log.appends);
    file.value("compress", log.is_packed);
    file.value("realtime", is_live);
    file.value("engine_coms", log.has_engines);
}

template <class File>
void engine_keys(File& file, EngineSettings& engine, bool is_chess960) {
    file.value("name", engine.name);
    file.value("dir", engine.dir);
    file.value("cmd", engine.command);
    file.value("args", engine.argument_text);
    file.value("restart", engine.restarts);
    file.text_pairs("options", engine.options);
    EngineLimits& limits = engine.limits;
    file.part("limit", [&](auto& limit) {
        limit.part("tc", [&](auto& clock) {
            clock.count("increment", limits.increment);
            clock.count("fixed_time", limits.move_time);
            clock.count("time", limits.time);
            clock.count("moves", limits.moves);
            clock.count("timemargin", limits.margin);
        });
        limit.count("nodes", limits.nodes);
        limit.count("plies", limits.plies);
    });
    // The match's own counts.
    file.word("variant", is_chess960, 1, 0);
}

template <class File>
void results_keys(File& file, ResultCounts& results) {
    file.count("wins", results.wins);
    file.count("losses", results.losses);
    file.count("draws", results.draws);
    file.count("penta_WW", results.pairs_ww);
    file.count("penta_WD", results.pairs_wd);
    file.count("penta_WL", results.pairs_wl);
    file.count("penta_DD", results.pairs_dd);
    file.count("penta_LD", results.pairs_ld);
    file.count("penta_LL", results.pairs_ll);
}

/// What fastchess's file has no place for. `store`, `line`: StoredRunPlace.
template <class File>
void own_keys(File& file, RunnerSettings& settings, std::string& store, std::string& line) {
    file.value("test_env", settings.is_test);
    file.value("strict", settings.is_strict);
    file.value("startup_ms", settings.startup_ms);
    file.value("ucinewgame_ms", settings.new_game_ms);
    file.value("ping_ms", settings.ping_ms);
    file.choice("tbadjudicate", settings.tablebase.result, TablebaseSettings::Result::Draw);
    file.numbers("affinity_cpus", settings.affinity_cpus);
    file.value("store", store);
    file.value("command_line", line);
}

template <class File>
void settings_keys(File& file, RunnerSettings& settings) {
    file.part("resign", [&](auto& part) { resign_keys(part, settings.resign); });
    file.part("draw", [&](auto& part) { draw_keys(part, settings.draw); });
    file.part("maxmoves", [&](auto& part) { length_keys(part, settings.most_moves); });
    file.part("tb_adjudication", [&](auto& part) { tablebase_keys(part, settings.tablebase); });
    file.part("opening", [&](auto& part) { opening_keys(part, settings.openings); });
    file.part("pgn", [&](auto& part) { pgn_keys(part, settings); });
    file.part("epd", [&](auto& part) { epd_keys(part, settings.epd); });
    file.part("sprt", [&](auto& part) { sprt_keys(part, settings.sprt); });
    file.value("config_name", settings.config_name);
    file.word("output", settings.has_cutechess_output, 1, 0);
    std::uint64_t seed = settings.seed.value_or(0);
    file.value("seed", seed);
    settings.seed = seed;
    file.word("variant", settings.is_chess960, 1, 0);
    file.word("type", settings.is_gauntlet, 1, 0);
    file.value("gauntlet_seeds", settings.seeds);
    file.value("ratinginterval", settings.rating_interval);
    file.value("scoreinterval", settings.score_interval);
    file.count("wait", settings.wait);
    file.value("autosaveinterval", settings.autosave_interval);
    file.value("games", settings.games);
    file.value("rounds", settings.rounds);
    file.value("concurrency", settings.concurrency);
    file.value("force_concurrency", settings.forces_concurrency);
    file.value("recover", settings.recovers);
    file.negated("noswap", settings.swaps);
    file.value("reverse", settings.is_reversed);
    file.value("report_penta", settings.has_penta);
    file.value("affinity", settings.has_affinity);
    file.value("check_mate_pvs", settings.checks_mate_pvs);
    bool shows_latency = false;  // in the log alone
    file.value("show_latency", shows_latency);
    file.part("log", [&](auto& part) { log_keys(part, settings.log); });
    file.parts("engines", settings.engines, [&](auto& part, EngineSettings& engine) {
        bool is_chess960 = settings.is_chess960;
        engine_keys(part, engine, is_chess960);
    });
}

/// The two engines' results; no others are counted.
template <class File>
void stats_keys(File& file, RunnerSettings& settings, ResultCounts& results) {
    if (settings.engines.size() != 2) return;
    const std::string key = settings.engines[0].name + " vs " + settings.engines[1].name;
    file.part("stats", [&](auto& stats) {
        stats.part(key, [&](auto& part) { results_keys(part, results); });
    });
}

/// Four blanks a level, as the file always had.
void write_pretty(const json::value& value, std::string& out, std::size_t depth) {
    const std::string indent((depth + 1) * 4, ' ');
    const auto close = [&](char bracket) { out += "\n" + std::string(depth * 4, ' ') + bracket; };
    if (value.is_object() && !value.get_object().empty()) {
        out += '{';
        bool is_first = true;
        for (const auto& member : value.get_object()) {
            out += (is_first ? "\n" : ",\n") + indent +
                   json::serialize(json::string(member.key())) + ": ";
            write_pretty(member.value(), out, depth + 1);
            is_first = false;
        }
        close('}');
    } else if (value.is_array() && !value.get_array().empty()) {
        out += '[';
        bool is_first = true;
        for (const json::value& one : value.get_array()) {
            out += (is_first ? "\n" : ",\n") + indent;
            write_pretty(one, out, depth + 1);
            is_first = false;
        }
        close(']');
    } else if (value.is_double()) {
        out += fmt::format("{}", value.get_double());
    } else {
        out += json::serialize(value);
    }
}

/// The text as JSON. Throws BadWord with the place of the first fault.
json::value parsed_json(const std::string& text, const std::string& path) {
    constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
    if (text.size() > kMostBytes)
        refuse(path, fmt::format("a file of results has at most {} MiB", kMostBytes >> 20U));
    json::parser parser;
    boost::system::error_code error;
    const std::size_t read = parser.write_some(text.data(), text.size(), error);
    const std::size_t rest = text.find_first_not_of(" \t\r\n", std::min(read, text.size()));
    if (!error && rest == std::string::npos) return parser.release();
    const bool is_cut = read == text.size();
    const std::size_t place = rest == std::string::npos ? read : rest;
    const Source source(path, text);
    std::string shown = format(
        source.at({place, place + 1}, is_cut ? "the JSON text ends too early" : "this is no JSON"));
    throw BadWord(std::string(trim(shown)) + "\n" + std::string(kAdvice.substr(2)));
}

}  // namespace

std::string result_file_text(const RunnerSettings& settings, const ResultCounts& results,
                             const StoredRunPlace& place) {
    RunnerSettings copy = settings;
    ResultCounts counts = results;
    StoredRunPlace where = place;
    Writer file;
    settings_keys(file, copy);
    stats_keys(file, copy, counts);
    file.part("assay", [&](auto& part) { own_keys(part, copy, where.store, where.command_line); });
    std::string text;
    write_pretty(file.object(), text, 0);
    return text + "\n";
}

RunnerSettings read_result_file(const std::string& text, const std::string& path) {
    const json::value value = parsed_json(text, path);
    if (!value.is_object()) refuse(path, "a file of results is an object");
    RunnerSettings settings;
    const Reader file(value.get_object(), path, "");
    file.require("engines");
    settings_keys(file, settings);
    if (!value.get_object().contains("seed")) settings.seed.reset();
    std::erase_if(settings.pgn.match_lines,
                  [](const std::string& line) { return !is_regular_expression(line); });
    stats_keys(file, settings, settings.earlier);
    file.part("assay", [&](auto& part) {
        own_keys(part, settings, settings.earlier_store, settings.earlier_line);
    });
    return settings;
}

}  // namespace assay::configs::dropin
