// What fastchess corrects and refuses when it has read its whole command line, in its order, so
// that of two mistakes the same one is named.
#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "configs/dropin/command_words.h"
#include "configs/dropin/fastchess_flags.h"

namespace assay::configs::dropin {

namespace {

constexpr std::int64_t kNever = 2'147'483'647;

bool has_clock(const EngineLimits& limits) {
    return limits.time + limits.increment != 0;
}

void correct_games(RunnerSettings& settings) {
    // A negative number is a huge one there.
    const auto is_too_many = [](std::int64_t games) { return games > 2 || games < 0; };
    if (is_too_many(settings.games)) {
        std::swap(settings.games, settings.rounds);
        if (is_too_many(settings.games))
            throw BadWord("Error: Exceeded -game limit! Must be less than 2");
    }
    if (settings.has_cutechess_output || settings.games != 2) settings.has_penta = false;
    if (settings.rating_interval == 0) settings.rating_interval = kNever;
    if (settings.score_interval == 0) settings.score_interval = kNever;
    if (settings.rounds > kNever) throw BadWord("Error: there are too many games to play");
    if (settings.games == 0 || settings.rounds <= 0)
        throw BadWord("Error: there is no game to play: -games and -rounds must be at least 1");
}

void correct_concurrency(RunnerSettings& settings, std::vector<Message>& messages,
                         int hardware_threads) {
    if (settings.concurrency <= 0) {
        const auto wanted = std::int64_t{hardware_threads} -
                            std::llabs(static_cast<long long>(settings.concurrency));
        if (wanted <= 0)
            throw BadWord(
                fmt::format("Error: -concurrency {} leaves no thread of {} for a game: raise it",
                            settings.concurrency, hardware_threads));
        settings.concurrency = static_cast<int>(wanted);
        messages.push_back(
            {fmt::format("Info: Adjusted concurrency to {} based on number of available hardware "
                         "threads.",
                         settings.concurrency)});
    }
    if (settings.concurrency > kMostConcurrency)
        throw BadWord(fmt::format("Error: -concurrency must be at most {}", kMostConcurrency));
    if (settings.concurrency > hardware_threads && !settings.forces_concurrency)
        throw BadWord(
            "Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override.");
}

void check_sprt(RunnerSettings& settings, std::vector<Message>& messages) {
    const SprtSettings& sprt = settings.sprt;
    if (!sprt.is_on) return;
    const auto is_share = [](double value) { return value > 0 && value < 1; };
    if (sprt.elo0 >= sprt.elo1) throw BadWord("Error; SPRT: elo0 must be less than elo1!");
    if (!is_share(sprt.alpha))
        throw BadWord("Error; SPRT: alpha must be a decimal number between 0 and 1!");
    if (!is_share(sprt.beta))
        throw BadWord("Error; SPRT: beta must be a decimal number between 0 and 1!");
    if (sprt.alpha + sprt.beta >= 1)
        throw BadWord("Error; SPRT: sum of alpha and beta must be less than 1!");
    if (sprt.model != "normalized" && sprt.model != "bayesian" && sprt.model != "logistic")
        throw BadWord("Error; SPRT: invalid SPRT model!");
    if (sprt.model == "bayesian" && settings.has_penta) {
        messages.push_back(
            {"Warning; Bayesian SPRT model not available with pentanomial statistics. Disabling "
             "pentanomial reports..."});
        settings.has_penta = false;
    }
}

void check_openings(const RunnerSettings& settings, std::vector<Message>& messages) {
    if (settings.is_chess960 && settings.openings.file.empty())
        throw BadWord("Error: Please specify a Chess960 opening book");
    if (settings.openings.file.empty())
        messages.push_back(
            {"Warning: No opening book specified! Consider using one, otherwise all games will be "
             "played from the starting position."});
    if (settings.openings.format == OpeningSettings::Format::None)
        messages.push_back(
            {"Warning: Unknown opening format, 2. All games will be played from the starting "
             "position."});
}

void check_tablebase(const TablebaseSettings& tables) {
    if (tables.is_on && tables.folders.empty())
        throw BadWord("Error: Must provide a ;-separated list of Syzygy tablebase directories.");
}

void check_engine(EngineSettings& engine, const Surroundings& surroundings) {
    const EngineLimits& limits = engine.limits;
    if (!has_clock(limits) && limits.move_time == 0 && limits.nodes == 0 && limits.plies == 0)
        throw BadWord("Error; no TimeControl specified!");
    if (has_clock(limits) && limits.move_time != 0)
        throw BadWord("Error; cannot use tc and st together!");
    const bool is_placed = !engine.dir.empty() || engine.command.starts_with('/');
    const bool is_absolute = engine.dir.empty() || engine.command.starts_with('/');
    const std::string separator = engine.dir.ends_with('/') ? "" : "/";
    const std::string path = is_absolute ? engine.command : engine.dir + separator + engine.command;
    if (is_placed && !surroundings.is_file(path))
        throw BadWord("Engine binary does not exist: " + path);
    if (engine.name.empty()) engine.name = stem_of(engine.command);
    if (engine.name.empty()) throw BadWord("Error; please specify a name for each engine!");
}

}  // namespace

void correct_fastchess(RunnerSettings& settings, std::vector<Message>& messages,
                       const Surroundings& surroundings) {
    correct_games(settings);
    correct_concurrency(settings, messages, surroundings.hardware_threads);
    check_sprt(settings, messages);
    check_openings(settings, messages);
    check_tablebase(settings.tablebase);
    if (settings.engines.size() < 2) throw BadWord("Error: Need at least two engines to start!");
    for (EngineSettings& engine : settings.engines) check_engine(engine, surroundings);
    std::map<std::string, int> seen;
    for (EngineSettings& engine : settings.engines) {
        const int count = ++seen[engine.name];
        if (count > 1) engine.name += "_" + std::to_string(count);
    }
}

}  // namespace assay::configs::dropin
