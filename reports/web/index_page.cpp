#include "reports/web/index_page.h"

#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "reports/history/history.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/verdict_text.h"
#include "reports/web/assets.h"
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

Values run_row(const IndexRun& shown) {
    const harness::RunRecord& run = *shown.run;
    Values row;
    row.set("id", fmt::format("{}", run.id)).set("name", run.name);
    row.set("started", day_text(run.started_us, true));
    row.set("css", "inc").set("word", std::string(harness::name_of(run.state)));
    row.set("elo", "").set("pairs", "").set("between", "");
    if (run.plan.matches.empty()) return row;
    const harness::MatchPlan& plan = run.plan.matches[0];
    row.set("between",
            fmt::format("{} against {}", program_name(run, plan, 0), program_name(run, plan, 1)));
    if (shown.view == nullptr || shown.view->matches.empty()) return row;
    const harness::MatchTally& tally = *shown.view->matches[0].tally;
    const harness::OutcomeWord outcome = outcome_of(*shown.view).word;
    const Mark mark =
        outcome == harness::OutcomeWord::None ? mark_of(*shown.view, tally) : mark_of(outcome);
    row.set("css", mark.css).set("word", mark.word).set("pairs", grouped(tally.pairs()));
    if (tally.pairs() > 0) row.set("elo", web::shown(figures_of(tally).strength.elo));
    return row;
}

}  // namespace

std::string index_page(const std::vector<IndexRun>& runs, const std::string& store) {
    Values page;
    page.set("style", std::string(asset("style.css"))).set("store", store);
    std::map<std::string, std::vector<const harness::RunRecord*>> configs;
    std::size_t playing = 0;
    for (const IndexRun& one : runs) {
        page.lists["runs"].push_back(run_row(one));
        configs[one.run->name].push_back(one.run);
        playing += one.run->state == harness::RunState::Running ? 1 : 0;
    }
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
    page.set("headline",
             runs.empty() ? "No run is stored yet."
             : playing == 0
                 ? counted(static_cast<std::int64_t>(runs.size()), "run") + " stored."
                 : fmt::format("{} stored, {} being played or left unfinished.",
                               counted(static_cast<std::int64_t>(runs.size()), "run"), playing));
    page.set("caption", "Newest first. Verdicts and figures of the latest fifty.");
    return filled(asset("index.mustache"), page);
}

}  // namespace assay::reports::web
