#include "reports/web/index_page.h"

#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/history/history.h"
#include "reports/text/tournament_words.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"
#include "reports/view/version_text.h"
#include "reports/web/page/assets.h"
#include "reports/web/run_parts.h"

namespace assay::reports::web {

namespace {

/// A name as a part of an address.
std::string in_address(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        if (is_plain) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

/// The word for the whole run.
Mark run_mark(const IndexRun& shown) {
    const harness::RunRecord& run = *shown.run;
    if (shown.is_in_play) return {"acc", "● in play"};
    if (run.state == harness::RunState::Running) return {"inc", "× cut off"};
    if (shown.view == nullptr) return {"inc", std::string(harness::name_of(run.state))};
    const harness::Outcome outcome = outcome_of(*shown.view);
    const bool is_broken = outcome.reason == harness::OutcomeReason::Requirement ||
                           outcome.reason == harness::OutcomeReason::Expectation;
    // The word of a run is its match's; a gate's is the outcome's.
    if (is_broken && !harness::is_gate(run)) return mark_of(harness::Holds::No);
    if (outcome.word != harness::OutcomeWord::None) return mark_of(outcome.word);
    if (shown.view->tournament != nullptr)
        return shown.view->tournament->is_complete()
                   ? Mark{"acc", "● complete"}
                   : Mark{"inc", std::string(harness::name_of(run.state))};
    if (!shown.view->matches.empty()) return mark_of(*shown.view, *shown.view->matches[0].tally);
    return {"inc", std::string(harness::name_of(run.state))};
}

/// The programs of the first match, or of the suite.
std::vector<std::size_t> programs_of(const harness::RunRecord& run) {
    if (!run.plan.matches.empty()) {
        const auto& between = run.plan.matches[0].between;
        return {between.begin(), between.end()};
    }
    return run.plan.suite ? run.plan.suite->programs : std::vector<std::size_t>();
}

void add_names(Values& row, const harness::RunRecord& run) {
    for (const std::size_t program : programs_of(run)) {
        if (program >= run.plan.programs.size()) continue;
        Values one;
        one.set("program", printable_utf8(run.plan.programs[program].name));
        one.set("version", version_text(version_at(run, program)));
        row.lists["programs"].push_back(one);
    }
}

/// In place of two programs: how many there are and who leads.
void add_tournament(Values& row, const TournamentView& tournament) {
    Values one;
    one.set("program",
            fmt::format("{} of {}", words_of(tournament.kind),
                        grouped(static_cast<std::int64_t>(tournament.rows.size()), "program")));
    one.set("version", printable_utf8(leader_sentence(tournament)));
    row.lists["programs"].push_back(one);
    const std::int64_t pairs = tournament.pairs;
    row.set("pairs", grouped(pairs)).set("pairs_note", grouped(pairs, "pair"));
}

Values run_row(const IndexRun& shown) {
    const harness::RunRecord& run = *shown.run;
    Values row;
    row.set("id", fmt::format("{}", run.id)).set("name", run.name);
    row.set("started", time_text_utc(run.started_us));
    const Mark mark = run_mark(shown);
    row.set("css", mark.css).set("word", mark.word);
    row.set("row_css", shown.is_in_play ? "sel" : "");
    row.set("elo", "").set("pairs", "").set("pairs_note", "");
    if (shown.view != nullptr && shown.view->tournament != nullptr) {
        add_tournament(row, *shown.view->tournament);
        return row;
    }
    add_names(row, run);
    if (shown.view == nullptr || shown.view->matches.empty()) return row;
    const harness::MatchTally& tally = *shown.view->matches[0].tally;
    row.set("pairs", grouped(tally.pairs())).set("pairs_note", grouped(tally.pairs(), "pair"));
    if (tally.pairs() == 0) return row;
    const auto quoted = shown.quoted ? *shown.quoted : harness::match_estimates(tally).quoted;
    row.set("elo", web::shown(quoted.elo));
    return row;
}

}  // namespace

std::string index_page(const std::vector<IndexRun>& runs, const std::string& store) {
    Values page;
    page.set("style", std::string(asset("style.css"))).set("store", store);
    std::map<std::string, std::vector<const harness::RunRecord*>> configs;
    std::vector<Values> others;
    std::int64_t in_play = 0;
    for (const IndexRun& one : runs) {
        if (!one.run->plan.tournament) configs[one.run->name].push_back(one.run);
        in_play += one.is_in_play ? 1 : 0;
        (one.is_in_play ? page.lists["runs"] : others).push_back(run_row(one));
    }
    for (Values& row : others) page.lists["runs"].push_back(std::move(row));
    Values histories;
    for (const auto& [name, all] : configs) {
        if (all.size() < 2) continue;
        Values row;
        row.set("name", name).set("link", "/history/" + in_address(name));
        row.set("count", grouped(static_cast<std::int64_t>(all.size())));
        row.set("last", day_text(all.front()->started_us, true));
        histories.lists["rows"].push_back(row);
    }
    if (!histories.lists.empty()) page.lists["histories"] = {histories};
    const std::string stored = grouped(static_cast<std::int64_t>(runs.size()), "run") + " stored";
    page.set("headline", runs.empty()   ? "No run is stored yet."
                         : in_play == 0 ? stored + "."
                                        : stored + ", one in play.");
    page.set("caption", "Newest first. Figures of the first match, of the latest fifty runs.");
    page.show("listed", true);
    page.show("reloads", runs.empty());
    return filled(asset("index.mustache"), page);
}

std::string waiting_page(const std::string& store) {
    Values page;
    page.set("style", std::string(asset("style.css"))).set("store", store);
    page.set("headline", fmt::format("There is no store {} yet.", printable_utf8(store)));
    page.show("reloads", true).show("waits", true);
    return filled(asset("index.mustache"), page);
}

}  // namespace assay::reports::web
