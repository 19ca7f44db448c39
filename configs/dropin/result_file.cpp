// config.json, with the keys and the numbers for words that fastchess writes, so that each of the
// two goes on with what the other has left. It has no place for a few of the settings (-testEnv,
// -strict, the limits in milliseconds); ours stand under "assay".
//
// Each part of the settings names its keys once, for a KeyWriter and a KeyReader alike, in the
// order of the file.
#include "configs/dropin/result_file.h"

#include <string>
#include <utility>

#include "configs/dropin/result_keys.h"

namespace assay::configs::dropin {

namespace {

// The parts: `file` is a KeyWriter or a KeyReader.

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
    file.choice("type", settings.tournament, RunnerSettings::Tournament::Gauntlet);
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

template <class File>
void stats_keys(File& file, const RunnerSettings& settings, std::vector<CoupleResults>& results) {
    file.part("stats", [&](auto& stats) {
        for (CoupleResults& couple : results) {
            const std::string key = settings.engines.at(couple.first).name + " vs " +
                                    settings.engines.at(couple.second).name;
            stats.part(key, [&](auto& part) { results_keys(part, couple.counts); });
        }
    });
}

}  // namespace

std::string result_file_text(const RunnerSettings& settings,
                             const std::vector<CoupleResults>& results,
                             const StoredRunPlace& place) {
    RunnerSettings copy = settings;
    std::vector<CoupleResults> counts = results;
    StoredRunPlace where = place;
    KeyWriter file;
    settings_keys(file, copy);
    stats_keys(file, copy, counts);
    file.part("assay", [&](auto& part) { own_keys(part, copy, where.store, where.command_line); });
    return pretty_json(file.object()) + "\n";
}

RunnerSettings read_result_file(const std::string& text, const std::string& path) {
    const json::value value = parsed_json(text, path);
    if (!value.is_object()) refuse_result_file(path, "a file of results is an object");
    RunnerSettings settings;
    KeyReader file(value.get_object(), path, "");
    file.require("engines");
    settings_keys(file, settings);
    if (!value.get_object().contains("seed")) settings.seed.reset();
    std::erase_if(settings.pgn.match_lines,
                  [](const std::string& line) { return !is_regular_expression(line); });
    if (settings.engines.size() == 2) {
        std::vector<CoupleResults> results(1);
        stats_keys(file, settings, results);
        settings.earlier = results.front().counts;
    }
    file.part("assay", [&](auto& part) {
        own_keys(part, settings, settings.earlier_store, settings.earlier_line);
    });
    return settings;
}

}  // namespace assay::configs::dropin
