// config.json, with the keys and the numbers for words that fastchess writes, so that each of the
// two goes on with what the other has left. It has no place for a few of the settings (-testEnv,
// -strict, the limits in milliseconds); ours stand under "assay".
#include "configs/dropin/result_file.h"

#include <string>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "configs/dropin/command_words.h"

namespace assay::configs::dropin {

namespace {

namespace json = boost::json;

json::object engine_json(const EngineSettings& engine, bool is_chess960) {
    json::array options;
    for (const auto& [name, value] : engine.options) options.push_back(json::array{name, value});
    const EngineLimits& limits = engine.limits;
    return json::object{{"name", engine.name},
                        {"dir", engine.dir},
                        {"cmd", engine.command},
                        {"args", engine.argument_text},
                        {"restart", engine.restarts},
                        {"options", std::move(options)},
                        {"limit", json::object{{"tc", json::object{{"increment", limits.increment},
                                                                   {"fixed_time", limits.move_time},
                                                                   {"time", limits.time},
                                                                   {"moves", limits.moves},
                                                                   {"timemargin", limits.margin}}},
                                               {"nodes", limits.nodes},
                                               {"plies", limits.plies}}},
                        {"variant", is_chess960 ? 1 : 0}};
}

json::object pgn_json(const RunnerSettings& settings) {
    const PgnSettings& pgn = settings.pgn;
    json::array lines;
    for (const std::string& line : pgn.match_lines) lines.emplace_back(line);
    return json::object{{"additional_lines_rgx", std::move(lines)},
                        {"event_name", settings.event},
                        {"site", settings.site},
                        {"file", pgn.file},
                        {"notation", static_cast<int>(pgn.notation)},
                        {"append_file", pgn.appends},
                        {"track_nodes", pgn.nodes},
                        {"track_seldepth", pgn.seldepth},
                        {"track_nps", pgn.nps},
                        {"track_hashfull", pgn.hashfull},
                        {"track_tbhits", pgn.tbhits},
                        {"track_timeleft", pgn.time_left},
                        {"track_latency", pgn.latency},
                        {"track_pv", pgn.pv},
                        {"min", pgn.is_minimal},
                        {"crc", pgn.has_crc}};
}

json::object results_json(const ResultCounts& results) {
    return json::object{{"wins", results.wins},         {"losses", results.losses},
                        {"draws", results.draws},       {"penta_WW", results.pairs_ww},
                        {"penta_WD", results.pairs_wd}, {"penta_WL", results.pairs_wl},
                        {"penta_DD", results.pairs_dd}, {"penta_LD", results.pairs_ld},
                        {"penta_LL", results.pairs_ll}};
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

/// Reads the members of an object; one that is missing keeps the variable, one of another type
/// throws.
class Reader {
public:
    explicit Reader(const json::object& object) : object_(object) {}

    template <class Type>
    void read(std::string_view key, Type& variable) const {
        const json::value* const found = object_.if_contains(key);
        if (found == nullptr) return;
        if constexpr (std::is_same_v<Type, bool>) {
            variable = found->as_bool();
        } else if constexpr (std::is_same_v<Type, std::string>) {
            variable = std::string(found->as_string());
        } else if constexpr (std::is_floating_point_v<Type>) {
            variable = found->to_number<double>();
        } else {
            variable = found->to_number<Type>();
        }
    }

    /// A number of things or milliseconds; throws where it is none.
    void read_count(std::string_view key, std::int64_t& variable) const {
        constexpr std::int64_t kMost = 1'000'000'000'000'000;
        read(key, variable);
        if (variable < 0 || variable > kMost)
            throw BadWord(fmt::format("'{}' is out of range", key));
    }

    /// Of words that are numbers in the file.
    void read_is(std::string_view key, int wanted, bool& variable) const {
        if (object_.contains(key)) variable = object_.at(key).to_number<int>() == wanted;
    }

    [[nodiscard]] Reader inside(std::string_view key) const {
        static const json::object kEmpty;
        const json::value* const found = object_.if_contains(key);
        return Reader(found == nullptr ? kEmpty : found->as_object());
    }

    [[nodiscard]] const json::object& object() const { return object_; }

private:
    const json::object& object_;
};

EngineSettings read_engine(const Reader& from) {
    EngineSettings engine;
    from.read("name", engine.name);
    from.read("dir", engine.dir);
    from.read("cmd", engine.command);
    from.read("args", engine.argument_text);
    from.read("restart", engine.restarts);
    if (const auto* const options = from.object().if_contains("options"))
        for (const json::value& option : options->as_array())
            engine.options.emplace_back(option.as_array().at(0).as_string(),
                                        option.as_array().at(1).as_string());
    const Reader limit = from.inside("limit");
    EngineLimits& limits = engine.limits;
    limit.read_count("nodes", limits.nodes);
    limit.read_count("plies", limits.plies);
    const Reader clock = limit.inside("tc");
    clock.read_count("increment", limits.increment);
    clock.read_count("fixed_time", limits.move_time);
    clock.read_count("time", limits.time);
    clock.read_count("moves", limits.moves);
    clock.read_count("timemargin", limits.margin);
    return engine;
}

void read_pgn(const Reader& from, RunnerSettings& settings) {
    PgnSettings& pgn = settings.pgn;
    from.read("event_name", settings.event);
    from.read("site", settings.site);
    from.read("file", pgn.file);
    int notation = 0;
    from.read("notation", notation);
    if (notation >= 0 && notation <= 2) pgn.notation = static_cast<PgnSettings::Notation>(notation);
    from.read("append_file", pgn.appends);
    from.read("track_nodes", pgn.nodes);
    from.read("track_seldepth", pgn.seldepth);
    from.read("track_nps", pgn.nps);
    from.read("track_hashfull", pgn.hashfull);
    from.read("track_tbhits", pgn.tbhits);
    from.read("track_timeleft", pgn.time_left);
    from.read("track_latency", pgn.latency);
    from.read("track_pv", pgn.pv);
    from.read("min", pgn.is_minimal);
    from.read("crc", pgn.has_crc);
    if (const auto* const lines = from.object().if_contains("additional_lines_rgx"))
        for (const json::value& line : lines->as_array())
            if (std::string text(line.as_string()); is_regular_expression(text))
                pgn.match_lines.push_back(std::move(text));
}

void read_rules_of_end(const Reader& from, RunnerSettings& settings) {
    const Reader resign = from.inside("resign");
    resign.read("move_count", settings.resign.move_count);
    resign.read("score", settings.resign.score);
    resign.read("twosided", settings.resign.two_sided);
    resign.read("enabled", settings.resign.is_on);
    const Reader draw = from.inside("draw");
    draw.read("move_number", settings.draw.move_number);
    draw.read("move_count", settings.draw.move_count);
    draw.read("score", settings.draw.score);
    draw.read("enabled", settings.draw.is_on);
    const Reader length = from.inside("maxmoves");
    bool has_length = false;
    length.read("enabled", has_length);
    int moves = 1;
    length.read("move_count", moves);
    if (has_length) settings.most_moves = moves;
    bool has_tables = false;
    from.inside("tb_adjudication").read("enabled", has_tables);
    if (has_tables)
        settings.refused.emplace_back(
            "-tb is not available in assay: games are not adjudicated by tablebases; leave it out");
    const Reader sprt = from.inside("sprt");
    sprt.read("alpha", settings.sprt.alpha);
    sprt.read("beta", settings.sprt.beta);
    sprt.read("elo0", settings.sprt.elo0);
    sprt.read("elo1", settings.sprt.elo1);
    sprt.read("model", settings.sprt.model);
    sprt.read("enabled", settings.sprt.is_on);
}

ResultCounts read_results(const Reader& from) {
    ResultCounts results;
    from.read_count("wins", results.wins);
    from.read_count("losses", results.losses);
    from.read_count("draws", results.draws);
    from.read_count("penta_WW", results.pairs_ww);
    from.read_count("penta_WD", results.pairs_wd);
    from.read_count("penta_WL", results.pairs_wl);
    from.read_count("penta_DD", results.pairs_dd);
    from.read_count("penta_LD", results.pairs_ld);
    from.read_count("penta_LL", results.pairs_ll);
    return results;
}

void read_rest(const Reader& from, RunnerSettings& settings) {
    const Reader openings = from.inside("opening");
    OpeningSettings& opening = settings.openings;
    openings.read("file", opening.file);
    int format = static_cast<int>(OpeningSettings::Format::None);
    openings.read("format", format);
    if (format >= 0 && format <= 2) opening.format = static_cast<OpeningSettings::Format>(format);
    openings.read_is("order", 0, opening.is_random);
    openings.read("plies", opening.plies);
    openings.read("start", opening.start);
    from.inside("epd").read("file", settings.epd.file);
    from.inside("epd").read("append_file", settings.epd.appends);
    from.read("config_name", settings.config_name);
    from.read_is("output", 1, settings.has_cutechess_output);
    std::uint64_t seed = 0;
    from.read("seed", seed);
    if (from.object().contains("seed")) settings.seed = seed;
    from.read_is("variant", 1, settings.is_chess960);
    from.read_is("type", 1, settings.is_gauntlet);
    from.read("gauntlet_seeds", settings.seeds);
    from.read("ratinginterval", settings.rating_interval);
    from.read("scoreinterval", settings.score_interval);
    from.read("autosaveinterval", settings.autosave_interval);
    from.read("games", settings.games);
    from.read("rounds", settings.rounds);
    from.read("concurrency", settings.concurrency);
    from.read("force_concurrency", settings.forces_concurrency);
    from.read("recover", settings.recovers);
    bool is_fixed = false;
    from.read("noswap", is_fixed);
    settings.swaps = !is_fixed;
    from.read("reverse", settings.is_reversed);
    from.read("report_penta", settings.has_penta);
    from.read("affinity", settings.has_affinity);
    from.read("check_mate_pvs", settings.checks_mate_pvs);
}

}  // namespace

std::string result_file_text(const RunnerSettings& settings, const ResultCounts& results,
                             const StoredRunPlace& place) {
    json::array engines;
    for (const EngineSettings& engine : settings.engines)
        engines.push_back(engine_json(engine, settings.is_chess960));
    const OpeningSettings& opening = settings.openings;
    json::object file{
        {"resign", json::object{{"move_count", settings.resign.move_count},
                                {"score", settings.resign.score},
                                {"twosided", settings.resign.two_sided},
                                {"enabled", settings.resign.is_on}}},
        {"draw", json::object{{"move_number", settings.draw.move_number},
                              {"move_count", settings.draw.move_count},
                              {"score", settings.draw.score},
                              {"enabled", settings.draw.is_on}}},
        {"maxmoves", json::object{{"move_count", settings.most_moves.value_or(1)},
                                  {"enabled", settings.most_moves.has_value()}}},
        {"tb_adjudication", json::object{{"syzygy_dirs", ""},
                                         {"max_pieces", 0},
                                         {"ignore_50_move_rule", false},
                                         {"enabled", false}}},
        {"opening", json::object{{"file", opening.file},
                                 {"format", static_cast<int>(opening.format)},
                                 {"order", opening.is_random ? 0 : 1},
                                 {"plies", opening.plies},
                                 {"start", opening.start}}},
        {"pgn", pgn_json(settings)},
        {"epd", json::object{{"file", settings.epd.file}, {"append_file", settings.epd.appends}}},
        {"sprt", json::object{{"alpha", settings.sprt.alpha},
                              {"beta", settings.sprt.beta},
                              {"elo0", settings.sprt.elo0},
                              {"elo1", settings.sprt.elo1},
                              {"model", settings.sprt.model},
                              {"enabled", settings.sprt.is_on}}},
        {"config_name", settings.config_name},
        {"output", settings.has_cutechess_output ? 1 : 0},
        {"seed", settings.seed.value_or(0)},
        {"variant", settings.is_chess960 ? 1 : 0},
        {"type", settings.is_gauntlet ? 1 : 0},
        {"gauntlet_seeds", settings.seeds},
        {"ratinginterval", settings.rating_interval},
        {"scoreinterval", settings.score_interval},
        {"wait", settings.wait},
        {"autosaveinterval", settings.autosave_interval},
        {"games", settings.games},
        {"rounds", settings.rounds},
        {"concurrency", settings.concurrency},
        {"force_concurrency", settings.forces_concurrency},
        {"recover", settings.recovers},
        {"noswap", !settings.swaps},
        {"reverse", settings.is_reversed},
        {"report_penta", settings.has_penta},
        {"affinity", settings.has_affinity},
        {"check_mate_pvs", settings.checks_mate_pvs},
        {"show_latency", false},
        {"log", json::object{{"file", ""},
                             {"level", 3},
                             {"append_file", true},
                             {"compress", false},
                             {"realtime", true},
                             {"engine_coms", false}}},
        {"engines", std::move(engines)},
    };
    if (settings.engines.size() == 2)
        file["stats"] = json::object{
            {settings.engines[0].name + " vs " + settings.engines[1].name, results_json(results)}};
    file["assay"] =
        json::object{{"test_env", settings.is_test},      {"strict", settings.is_strict},
                     {"startup_ms", settings.startup_ms}, {"ucinewgame_ms", settings.new_game_ms},
                     {"ping_ms", settings.ping_ms},       {"store", place.store},
                     {"command_line", place.command_line}};
    std::string text;
    write_pretty(file, text, 0);
    return text + "\n";
}

RunnerSettings read_result_file(const std::string& text, const std::string& path) {
    RunnerSettings settings;
    try {
        const json::value value = json::parse(text);
        const Reader file(value.as_object());
        for (const json::value& engine : value.at("engines").as_array())
            settings.engines.push_back(read_engine(Reader(engine.as_object())));
        read_rules_of_end(file, settings);
        read_pgn(file.inside("pgn"), settings);
        read_rest(file, settings);
        const Reader stats = file.inside("stats");
        if (settings.engines.size() == 2) {
            const std::string key = settings.engines[0].name + " vs " + settings.engines[1].name;
            settings.earlier = read_results(stats.inside(key));
        }
        const Reader own = file.inside("assay");
        own.read("test_env", settings.is_test);
        own.read("strict", settings.is_strict);
        own.read("startup_ms", settings.startup_ms);
        own.read("ucinewgame_ms", settings.new_game_ms);
        own.read("ping_ms", settings.ping_ms);
        own.read("store", settings.earlier_store);
        own.read("command_line", settings.earlier_line);
    } catch (const std::exception& error) {
        throw BadWord(fmt::format("{} is no file of results: {}", path, error.what()));
    }
    return settings;
}

}  // namespace assay::configs::dropin
