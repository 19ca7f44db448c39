// Turns the names in a plan (a game, a book, a number of games at once) into what a session plays
// with. Run, replay, `--explain` and reports make their setting here, so that a game is replayed
// with the opening with which it was played. All that a plan can get wrong about the machine or a
// file is found here, before the first program is started.
//
// Openings are a pure function of the pair's number: two machines, or a session that takes a run
// up, agree on them without telling each other. That is why a stream of random numbers, which
// depends on who drew before, has no place here.
#include "harness/match/match_setting.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/machine/machine.h"
#include "harness/machine/processor_groups.h"
#include "harness/plan/protocol_fit.h"
#include "harness/plan/tournament_plan.h"
#include "harness/program/confinement/confinement.h"
#include "harness/program/program_file.h"
#include "openings/book.h"
#include "openings/order.h"
#include "openings/random_opening.h"
#include "openings/shipped.h"
#include "openings/shuffled_order.h"

namespace assay::harness {

namespace {

/// Random openings that are tried for each pair that a deterministic match asks for.
constexpr std::int64_t kMostDrawn = 10;

std::string book_path(const OpeningsPlan& plan) {
    if (plan.book == "default" || plan.book == "balanced" || plan.book == "unbalanced") {
        return openings::shipped_book_path(plan.book);
    }
    return plan.book;
}

/// That think at once in a game; of a tournament, the most that can.
int threads_of(const RunPlan& plan, const MatchPlan& match) {
    const std::vector<std::size_t> programs =
        plan.tournament ? entrants_of(plan)
                        : std::vector<std::size_t>(match.between.begin(), match.between.end());
    std::vector<int> threads;
    for (const std::size_t program : programs)
        threads.push_back(threads_of(plan.programs[program]));
    // Any two may meet, and `concurrency` is one number for all matches: the pair with the most
    // threads decides.
    std::ranges::sort(threads, std::greater());
    return match.ponder ? threads[0] + threads[1] : threads[0];
}

bool is_clockless(const RunPlan& plan, const MatchPlan& match) {
    return plan.tournament
               ? std::ranges::all_of(plan.tournament->time, &TimeControl::is_deterministic)
               : std::ranges::all_of(match.time, &TimeControl::is_deterministic);
}

/// How many openings are played, where none is played twice.
std::uint64_t openings_needed(const MatchPlan& match) {
    const std::uint64_t games =
        2 * static_cast<std::uint64_t>(match.pairs) + (match.runner.has_odd_game ? 1 : 0);
    const auto an_opening = static_cast<std::uint64_t>(match.runner.games_an_opening);
    return (games + an_opening - 1) / an_opening;
}

/// The opening of each pair, by the plan's scheme.
OpeningOf openings_of(const MatchPlan& match, std::uint64_t seed,
                      const std::shared_ptr<openings::Book>& book) {
    const auto order = match.openings.order == OpeningsPlan::Order::Random
                           ? openings::Order::Random
                           : openings::Order::Sequential;
    const auto at = [&](auto turns) -> OpeningOf {
        return [book, turns = std::move(turns)](std::int64_t pair) {
            return book->at(turns->index(static_cast<std::uint64_t>(pair)).index);
        };
    };
    if (match.openings.scheme == OpeningsPlan::Scheme::Shuffled) {
        return at(std::make_shared<const openings::ShuffledOrder>(
            order, seed, match.openings.start, book->size(), openings_needed(match)));
    }
    return at(std::make_shared<const openings::OpeningOrder>(order, seed, match.openings.start,
                                                             book->size()));
}

std::unique_ptr<TableReader> open_tablebase(const MatchPlan& match, const rules::Game& game) {
    if (!match.adjudicate.tablebase) return nullptr;
    const AdjudicatePlan::Tables& plan = *match.adjudicate.tablebase;
    auto tables = TableReader::open(game, plan.path);
    if (!tables)
        throw Error(fmt::format("match '{}': there are no tablebases for {}", match.name,
                                printable_utf8(game.name())));
    return tables;
}

}  // namespace

MatchSetting make_setting(const MatchPlan& match, std::uint64_t seed, const std::stop_token& stop) {
    MatchSetting setting;
    setting.game = game_of(match);
    setting.tablebase = open_tablebase(match, *setting.game);
    if (match.openings.book == kRandomOpenings) {
        // Said before the first game where games of this kind are over before so many plies.
        (void)openings::random_opening(*setting.game, match.openings.plies.value_or(0), seed,
                                       match.openings.start - 1);
        setting.opening_of = [game = setting.game.get(), seed,
                              plies = match.openings.plies.value_or(0),
                              first = match.openings.start - 1](std::int64_t pair) {
            return openings::random_opening(*game, plies, seed,
                                            first + static_cast<std::uint64_t>(pair));
        };
        // Deterministic programs repeat a pair whose opening was drawn before, and such a pair is
        // played once more with another opening: a game with few openings must come to an end.
        if (match.deterministic)
            setting.openings = kMostDrawn * std::max<std::int64_t>(1, match.pairs);
        return setting;
    }
    // The default is a book of positions in EPD, which other games do not read: they start from
    // their start position.
    const bool is_bookless = match.openings.book == "none" || (match.openings.book == "default" &&
                                                               !setting.game->info().formats.epd);
    if (is_bookless) {
        setting.opening_of = [](std::int64_t) { return openings::Opening{}; };
        if (match.deterministic) setting.openings = 1;
        return setting;
    }
    openings::BookOptions options;
    options.path = book_path(match.openings);
    options.plies = match.openings.plies;
    options.stop = stop;
    options.keeps_all = match.openings.scheme == OpeningsPlan::Scheme::Shuffled;
    setting.book = openings::open_book(options, *setting.game);
    if (setting.book->size() == 0) {
        throw Error(options.path + ": no opening in it can be played");
    }
    setting.opening_of = openings_of(match, seed, setting.book);
    if (match.deterministic) setting.openings = static_cast<std::int64_t>(setting.book->size());
    return setting;
}

adapters::ProgramSpec spec_as_written(const ProgramPlan& program, const std::string& game) {
    adapters::ProgramSpec spec;
    spec.name = program.name;
    spec.argv = program.command;
    confine(spec, program);
    spec.dir = program.dir;
    spec.env = program.env;
    spec.protocol = program.protocol;
    spec.options = program.options;
    spec.memory_bytes = program.memory_bytes;
    spec.game = game;
    spec.ping_before_go = program.ping_before_go;
    spec.restarts = program.restarts;
    return spec;
}

adapters::ProgramSpec spec_of(const ProgramPlan& program, const std::string& game) {
    adapters::ProgramSpec spec = spec_as_written(program, game);
    spec.argv.front() = resolve_executable(program);
    confine(spec, program);
    return spec;
}

adapters::ProgramSpec spec_of(const ProgramPlan& program, const VersionRecord& version,
                              const std::string& game) {
    adapters::ProgramSpec spec = spec_as_written(program, game);
    spec.argv.front() = version.path;
    confine(spec, program);
    spec.files = sealed_files(version);
    return spec;
}

int games_within(const RunPlan& plan, const MatchPlan& match, int cpus) {
    MachineRecord task;
    // Slurm gives processors, and does not say whether two of them are one core: each is taken for
    // a core.
    task.logical_cores = cpus;
    task.physical_cores = cpus;
    return default_concurrency(task, threads_of(plan, match), is_clockless(plan, match));
}

int concurrency_of(const RunPlan& plan, const MatchPlan& match) {
    if (plan.slurm) return plan.slurm->slots * games_within(plan, match, plan.slurm->cpus);
    if (match.concurrency > 0) return match.concurrency;
    if (match.affinity && !match.cpus.empty())
        return std::max(1, static_cast<int>(match.cpus.size()) / threads_of(plan, match));
    return default_concurrency(this_machine(), threads_of(plan, match), is_clockless(plan, match));
}

std::vector<std::vector<int>> pinned_to(const RunPlan& plan, const MatchPlan& match) {
    if (!match.affinity) return {};
    const std::vector<int> allowed = allowed_cpus();
    const int threads = threads_of(plan, match);
    if (match.cpus.empty()) {
        auto groups = processor_groups(spread(processors_of(allowed, read_kernel_text)), threads);
        // Fewer processors than threads: they share what there is.
        if (groups.empty()) groups.push_back(allowed);
        return groups;
    }
    for (const int cpu : match.cpus) {
        if (std::ranges::find(allowed, cpu) == allowed.end())
            throw Error(
                fmt::format("match '{}': affinity names processor {}, which this process "
                            "may not use or which is not there",
                            match.name, cpu));
    }
    auto groups = processor_groups(processors_of(match.cpus, read_kernel_text), threads);
    const int games = concurrency_of(plan, match);
    if (std::ssize(groups) < games)
        throw Error(
            fmt::format("match '{}': affinity names {}, and {} at once with {} each need {}",
                        match.name, counted(match.cpus.size(), "processor"), counted(games, "game"),
                        counted(threads, "thread"), std::int64_t{games} * threads));
    return groups;
}

std::optional<std::string> crowding(const RunPlan& plan, const MatchPlan& match) {
    if (plan.slurm || is_clockless(plan, match)) return std::nullopt;
    const std::int64_t games = concurrency_of(plan, match);
    return crowding(this_machine(),
                    static_cast<int>(
                        match.pairs > 0 && !plan.tournament ? std::min(games, match.pairs) : games),
                    threads_of(plan, match));
}

std::optional<std::string> book_shortage(const MatchPlan& match, const MatchSetting& setting) {
    if (match.openings.book == kRandomOpenings) return std::nullopt;
    const std::uint64_t size = setting.book ? setting.book->size() : 1;
    const std::uint64_t start = setting.book ? match.openings.start : 1;
    const auto pairs = static_cast<std::uint64_t>(match.pairs);
    std::string text;
    if (setting.openings && size < pairs) {
        text = fmt::format(
            ", and {} pairs are asked: programs whose limits are nodes or depth play an opening "
            "the same way again, so that the match ends with the last opening; take a larger book",
            match.pairs);
    } else if (setting.book && !setting.openings && (start - 1) % size + pairs > size) {
        const bool is_random = match.openings.order == OpeningsPlan::Order::Random &&
                               match.openings.scheme == OpeningsPlan::Scheme::Keyed;
        text = fmt::format(", and {} asked: after the last one it begins anew{}",
                           counted(match.pairs, "pair is", "pairs are"),
                           is_random ? ", in another order" : "");
    }
    if (start > size) {
        text += fmt::format("{} 'start' is {}: it counts on from the first opening",
                            text.empty() ? ", and" : "; its", start);
    }
    if (text.empty()) return std::nullopt;
    if (!setting.book) return "the start position is the only opening" + text;
    return setting.book->path() + ": holds " + counted(size, "opening") + text;
}

}  // namespace assay::harness
