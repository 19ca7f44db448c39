#include "cli/run/serve_site.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/match/match_summary.h"
#include "harness/store/live_file.h"
#include "harness/store/store.h"
#include "reports/files/badge.h"
#include "reports/files/junit.h"
#include "reports/files/run_json.h"
#include "reports/history/history.h"
#include "reports/text/markdown.h"
#include "reports/view/json_text.h"
#include "reports/view/stored_run.h"
#include "reports/web/history_page.h"
#include "reports/web/index_page.h"
#include "reports/web/live_games.h"
#include "reports/web/run_page.h"

namespace assay::cli {

namespace {

constexpr std::size_t kRunsWithFigures = 50;

bool exists(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error) || error;
}

/// A run makes its store as an empty file first.
bool is_empty_file(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) &&
           std::filesystem::file_size(path, error) == 0 && !error;
}

/// The run that is being played into the store; 0: none. A killed run also says that it runs.
std::int64_t run_in_play(const std::string& path) {
    const auto live = harness::read_live(path);
    return live ? live->run : 0;
}

/// The estimate to quote of the run's first match; nullopt where it has none or no pair.
std::optional<harness::MatchEstimate> quoted_of(
    const harness::Store& store, const reports::RunView& view,
    const std::map<std::pair<std::int64_t, std::size_t>, std::string>& summaries,
    harness::SummaryMemo& memo) {
    if (view.matches.empty() || view.matches[0].tally->pairs() == 0) return std::nullopt;
    const auto found = summaries.find({view.run.id, 0});
    if (found != summaries.end() && view.run.state == harness::RunState::Finished) {
        const auto summary = harness::summary_from_json(found->second);
        if (summary && summary->quoted) return summary->quoted;
    }
    return memo
        .of(store, view.run, 0, 0,
            [&] { return harness::summary_of(*view.matches[0].tally, store, view.run.id, 0, 0); })
        .quoted;
}

std::string index_of(const std::string& path, harness::SummaryMemo& memo) {
    if (is_awaited(path)) return reports::web::waiting_page(path);
    const auto store = std::make_shared<const harness::Store>(path, harness::Store::Access::Read);
    const std::vector<harness::RunRecord> runs = store->runs();
    const auto summaries = store->summaries();
    const std::int64_t in_play = run_in_play(path);
    std::vector<std::unique_ptr<reports::StoredRun>> loaded;
    std::vector<reports::RunView> views;
    views.reserve(kRunsWithFigures);
    std::vector<reports::web::IndexRun> shown;
    for (const harness::RunRecord& run : runs) {
        shown.push_back({&run, nullptr, run.id == in_play});
        if (views.size() == kRunsWithFigures) continue;
        loaded.push_back(
            std::make_unique<reports::StoredRun>(store, run, reports::StoredRun::Detail::Figures));
        views.push_back(loaded.back()->view());
        shown.back().view = &views.back();
        shown.back().quoted = quoted_of(*store, views.back(), summaries, memo);
    }
    return reports::web::index_page(shown, path);
}

std::string form_of(const std::string& path, std::int64_t id, const std::string& format) {
    const auto stored = reports::StoredRun::load(path, std::to_string(id));
    const reports::RunView view = stored->view();
    if (format == "json") return reports::run_json(view);
    if (format == "markdown") return reports::markdown_report(view);
    if (format == "junit") return reports::junit_report(view);
    if (format == "badge") return reports::badge_json(view);
    if (format == "openmetrics") return reports::open_metrics(view);
    throw Error("serve: a run has no format '" + format + "'");
}

reports::web::PageOptions live_options(const std::string& path, const harness::RunRecord& run) {
    const auto live = harness::read_live(path);
    const long long now = wall_clock_us();
    return {true, live ? reports::web::live_games(run, *live, now) : "", now};
}

/// How far runs are, looked up once for all who wait for news of the same run. Any thread may call.
class News {
public:
    explicit News(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] reports::live::Progress of(std::int64_t run) {
        const std::lock_guard lock(mutex_);
        if (known_.size() > kMostRuns) known_.clear();
        Known& known = known_[run];
        const auto now = std::chrono::steady_clock::now();
        if (known.until > now) return known.progress;
        known.progress = looked_up(run, known);
        known.until = now + kFresh;
        return known.progress;
    }

private:
    static constexpr std::chrono::milliseconds kFresh{
        400};  // below the server's time between looks
    static constexpr std::size_t kMostRuns = 64;

    struct Known {
        std::chrono::steady_clock::time_point until{};
        reports::live::Progress progress;
        std::string live;  // what progress.games was made of
    };

    [[nodiscard]] reports::live::Progress looked_up(std::int64_t id, Known& known) const {
        const harness::Store store(path_, harness::Store::Access::Read);
        const harness::RunRecord run = reports::required_run(store, std::to_string(id));
        reports::live::Progress progress;
        progress.is_over = run.state != harness::RunState::Running;
        for (std::size_t match = 0; match < run.plan.matches.size(); ++match)
            progress.pairs += store.pair_count(id, match);
        if (run.plan.suite) progress.pairs += static_cast<std::int64_t>(store.searches(id).size());
        const auto live = progress.is_over ? std::nullopt : harness::read_live(path_);
        const bool is_ours = live && live->run == id;
        const std::string text = is_ours ? harness::live_json(*live) : "";
        progress.games = known.progress.games;
        if (progress.games && text == known.live) return progress;
        known.live = text;
        const std::string markup =
            is_ours ? reports::web::live_games(run, *live, wall_clock_us()) : "";
        progress.games =
            std::make_shared<const std::string>(reports::json_text(reports::json_string(markup)));
        return progress;
    }

    std::string path_;
    std::mutex mutex_;
    std::map<std::int64_t, Known> known_;
};

}  // namespace

reports::live::Site site_of(const std::string& path) {
    reports::live::Site site;
    const auto memo = std::make_shared<harness::SummaryMemo>();
    site.index = [path, memo] { return index_of(path, *memo); };
    site.run = [path](std::int64_t id) {
        const auto stored = reports::StoredRun::load(path, std::to_string(id));
        return reports::web::run_page(stored->view(), stored->store(),
                                      live_options(path, stored->run()));
    };
    site.history = [path, memo](const std::string& name) {
        const harness::Store store(path, harness::Store::Access::Read);
        return reports::web::history_page(
            reports::history_of(store, name, memo.get()),
            {path, [](std::int64_t run) { return fmt::format("/run/{}", run); }});
    };
    site.form = [path](std::int64_t id, const std::string& format) {
        return form_of(path, id, format);
    };
    site.progress = [news = std::make_shared<News>(path)](std::int64_t id) { return news->of(id); };
    return site;
}

bool is_awaited(const std::string& path) {
    return !exists(path) || is_empty_file(path);
}

void check_servable(const std::string& path) {
    if (path.empty()) throw Error("serve: the store has no name: --db FILE names it");
    if (!is_awaited(path)) {
        const harness::Store readable(path, harness::Store::Access::Read);
        return;
    }
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
        throw Error("serve: there is no folder '" + printable_utf8(folder.string()) +
                    "' in which the store " + printable_utf8(path) + " could be made");
}

}  // namespace assay::cli
