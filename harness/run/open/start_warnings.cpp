// What a user should know before the first game, in the order in which it is looked for.
#include "harness/run/open/start_warnings.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "openings/book.h"

namespace assay::harness {

namespace {

using Listeners = std::vector<Listener*>;

void warn(const Listeners& listeners, std::string_view kind, const std::string& text) {
    for (Listener* listener : listeners) listener->on_warning(kind, text);
}

void note(const Listeners& listeners, const std::string& text) {
    for (Listener* listener : listeners) listener->on_note(text);
}

std::string moved_text(const RunRecord& run, std::int64_t machine) {
    const auto text = [&](std::int64_t number) {
        const MachineRecord& one = run.machine_of(number);
        return fmt::format("{} ({})", one.host, one.cpu);
    };
    return fmt::format(
        "the run began on {} and continues on {}: its games have two speeds, and the checks "
        "compare their results",
        text(0), text(machine));
}

void warn_of_books(const RunPlan& plan, const std::vector<MatchSetting>& settings,
                   const Listeners& listeners) {
    const std::vector<MatchPlan> matches = distinct_matches(plan);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (const auto shortage = book_shortage(matches[i], settings[i])) {
            warn(listeners, "openings", *shortage);
        }
        if (!settings[i].book) continue;
        for (const Diagnostic& warning : settings[i].book->warnings()) {
            std::string text = format(warning);
            text.pop_back();
            warn(listeners, "book", text);
        }
    }
}

/// Programs that are too many for the processors of the machine.
void warn_of_crowding(const RunPlan& plan, const Listeners& listeners) {
    for (const MatchPlan& match : distinct_matches(plan)) {
        const auto crowd = crowding(plan, match);
        if (!crowd) continue;
        // The first match of a tournament stands for all of them.
        const std::string whose =
            plan.tournament ? "the tournament: " : "match '" + match.name + "': ";
        warn(listeners, "machine", whose + *crowd);
    }
}

}  // namespace

void tell_of_pipes(const RunPlan& plan, const std::vector<Listener*>& listeners) {
    std::set<std::string> pipes;
    for (const MatchPlan& match : distinct_matches(plan)) {
        std::error_code ignored;
        const std::string& book = match.openings.book;
        if (is_of_a_process(book) && std::filesystem::is_fifo(book, ignored)) pipes.insert(book);
    }
    for (const std::string& book : pipes) {
        const std::string text =
            fmt::format("reading the book '{}' from a pipe, until its writer closes it", book);
        note(listeners, text);
    }
}

void tell_of_shard(const RunRecord& run, const Listeners& listeners) {
    const bool is_empty = std::ranges::all_of(
        run.plan.matches, [](const MatchPlan& match) { return match.pairs == 0; });
    const std::string text = fmt::format(
        "shard {} of a run: {}, and 'assay merge' puts the parts together", text_of(*run.shard),
        is_empty ? "none of the run's pairs is its own, as there are more shards than pairs"
                 : "it plays its part of the pairs");
    note(listeners, text);
}

void warn_at_start(const RunRecord& run, const std::vector<MatchSetting>& settings,
                   std::int64_t machine, const std::vector<std::string>& other_runs,
                   const Listeners& listeners) {
    warn_of_books(run.plan, settings, listeners);
    // Of a fleet other machines play.
    if (!run.plan.slurm)
        for (const std::string& text : other_runs) warn(listeners, "machine", text);
    warn_of_crowding(run.plan, listeners);
    if (machine != 0) warn(listeners, "machine", moved_text(run, machine));
}

}  // namespace assay::harness
