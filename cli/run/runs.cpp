#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/table.h"
#include "harness/store/store.h"
#include "harness/store/store_lock.h"
#include "reports/view/escape.h"
#include "reports/view/json_text.h"
#include "reports/view/number_text.h"
#include "reports/view/outcome_words.h"
#include "reports/view/stored_run.h"
#include "reports/view/version_text.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using harness::RunRecord;
using harness::Store;

constexpr const char* kRunsExamples = R"(examples:
  assay runs                     newest first
  assay runs --json              one JSON object a line
  assay runs delete 12           asks first, unless --yes is given
  assay runs prune               frees the disk space of deleted runs)";

double score(const harness::MatchTally& tally) {
    return static_cast<double>(reports::half_points(tally)) / 2;
}

/// The word for the suite's result; "-" where none of its expectations has a bound.
std::string suite_word(const harness::SuiteResult& suite) {
    for (const harness::Holds one :
         {harness::Holds::No, harness::Holds::Unknown, harness::Holds::Yes})
        if (suite.count(one) > 0) return std::string(name_of(one));
    return "-";
}

/// A killed run also says "running"; without the lock nobody plays it.
std::string state_text(const RunRecord& run, bool is_locked) {
    if (run.state == harness::RunState::Running && !is_locked) return "cut off";
    return std::string(name_of(run.state));
}

/// By program of the match.
json::array versions_json(const RunRecord& run, std::size_t match) {
    json::array versions;
    for (const std::size_t program : run.plan.matches[match].between) {
        const harness::VersionRecord* const version = reports::version_at(run, program);
        json::object one{{"program", reports::json_string(run.plan.programs.at(program).name)},
                         {"commit", nullptr},
                         {"subject", nullptr},
                         {"id_name", nullptr}};
        if (version != nullptr && version->source) {
            one["commit"] = reports::json_string(version->source->short_id());
            one["subject"] = reports::json_string(version->source->subject);
        }
        if (version != nullptr && !version->id_name.empty())
            one["id_name"] = reports::json_string(version->id_name);
        versions.push_back(std::move(one));
    }
    return versions;
}

/// "a1b2c3d Fix the null move against 9f8e7d6 Tune": shortened, since a line has other columns too.
std::string versions_text(const RunRecord& run, std::size_t match) {
    constexpr std::size_t kMostOfOne = 44;
    std::string text;
    for (const std::size_t program : run.plan.matches[match].between) {
        const std::string one = reports::version_text(reports::version_at(run, program));
        text += (text.empty() ? "" : " against ") + reports::shortened(one, kMostOfOne);
    }
    return text;
}

json::value run_json(const reports::StoredRun& stored, bool is_locked) {
    json::array matches;
    const RunRecord& run = stored.run();
    for (std::size_t i = 0; i < run.plan.matches.size(); ++i) {
        const harness::MatchTally& tally = stored.tallies()[i];
        matches.push_back(
            json::object{{"name", reports::json_string(run.plan.matches[i].name)},
                         {"versions", versions_json(run, i)},
                         {"verdict", reports::json_word(harness::name_of(tally.verdict()))},
                         {"tainted", tally.is_tainted()},
                         {"pairs", tally.pairs()},
                         {"pairs_planned", run.plan.matches[i].pairs},
                         {"games", tally.games()},
                         {"score", score(tally)}});
    }
    const harness::Outcome outcome = reports::outcome_of(stored.view());
    const std::optional<int>& code = run.findings.exit_code;
    return json::object{{"schema", 1},
                        {"run", run.id},
                        {"uid", reports::json_string(run.uid)},
                        {"shard", reports::json_word(run.shard ? text_of(*run.shard) : "")},
                        {"name", reports::json_string(run.name)},
                        {"state", std::string(name_of(run.state))},
                        {"outcome", reports::json_word(harness::name_of(outcome.word))},
                        {"outcome_reason", reports::json_word(harness::name_of(outcome.reason))},
                        {"exit_code", code ? json::value(*code) : json::value()},
                        {"cut_off", run.state == harness::RunState::Running && !is_locked},
                        {"started_us", run.started_us},
                        {"ended_us", run.ended_us == 0 ? json::value() : json::value(run.ended_us)},
                        {"end_reason", reports::json_string(run.end_reason)},
                        {"matches", matches}};
}

using Row = std::array<std::string, 10>;

/// All matches of a tournament, which may be thousands, in one.
Row row_of(const harness::TournamentPlan& plan, const reports::TournamentView& view) {
    const std::string planned = view.all && plan.kind != harness::TournamentKind::Knockout
                                    ? fmt::format("/{}", *view.all * plan.openings)
                                    : "";
    const bool is_of_games = plan.games == 1;
    return {"",
            "",
            std::string(harness::name_of(plan.kind)),
            "",
            "-",
            "",
            is_of_games ? fmt::format("{}{} games", view.single_games, planned)
                        : fmt::format("{}{}", view.pairs, planned),
            "",
            "",
            fmt::format("{} programs", view.rows.size())};
}

std::vector<Row> rows_of(const reports::StoredRun& stored, bool is_locked) {
    std::vector<Row> rows;
    const RunRecord& run = stored.run();
    const reports::RunView view = stored.view();
    if (view.tournament != nullptr) rows.push_back(row_of(*run.plan.tournament, *view.tournament));
    const std::size_t matches = view.tournament == nullptr ? run.plan.matches.size() : 0;
    for (std::size_t i = 0; i < matches; ++i) {
        const harness::MatchPlan& match = run.plan.matches[i];
        const harness::MatchTally& tally = stored.tallies()[i];
        const std::string word(reports::match_word(view, view.matches[i]));
        rows.push_back({"", "", printable_utf8(match.name), "", word.empty() ? "-" : word, "",
                        fmt::format("{}/{}", tally.pairs(), match.pairs),
                        fmt::format("{:.1f}/{}", score(tally), tally.games()), "",
                        versions_text(run, i)});
    }
    if (view.suite != nullptr)
        rows.push_back({"", "", "suite", "", suite_word(*view.suite), "", "", "", "", ""});
    if (rows.empty()) rows.push_back({"", "", "-", "", "-", "", "", "", "", ""});
    Row& first = rows.front();
    first[0] = std::to_string(run.id);
    first[1] = printable_utf8(run.name);
    if (run.shard) first[1] += " " + text_of(*run.shard);
    first[3] = state_text(run, is_locked);
    if (run.findings.exit_code) first[5] = std::to_string(*run.findings.exit_code);
    first[8] = reports::utc_minute(run.started_us);
    return rows;
}

reports::StoredRun standing_of(const std::shared_ptr<const Store>& store, const RunRecord& run) {
    return {store, run, reports::StoredRun::Detail::Figures};
}

void list_runs(const std::string& path, bool as_json) {
    const auto store = std::make_shared<const Store>(path, Store::Access::Read);
    const std::vector<RunRecord> runs = store->runs();
    const bool is_locked = harness::is_locked(path);
    if (as_json) {
        for (const RunRecord& run : runs) {
            fmt::print("{}\n", reports::json_text(run_json(standing_of(store, run), is_locked)));
        }
        return;
    }
    if (runs.empty()) {
        fmt::print("no runs in {}\n", path);
        return;
    }
    Table rows{{"run", "name", "match", "state", "verdict", "exit", "pairs", "score",
                "started (UTC)", "versions"}};
    for (const RunRecord& run : runs) {
        for (const Row& row : rows_of(standing_of(store, run), is_locked))
            rows.emplace_back(row.begin(), row.end());
    }
    print_table(rows, {true, false, false, false, false, true, true, true, false, false});
}

bool confirms(const RunRecord& run, std::int64_t games) {
    if (::isatty(STDIN_FILENO) == 0) {
        throw Error("to delete without being asked, add --yes");
    }
    fmt::print("delete run {} ({}, {} games)? [y/N] ", run.id, printable_utf8(run.name), games);
    std::fflush(stdout);
    std::string answer;
    std::getline(std::cin, answer);
    const std::string_view word = trim(answer);
    return equal_ignoring_case(word, "y") || equal_ignoring_case(word, "yes");
}

/// The store, locked for a change; refused while a run is being played.
struct OpenStore {
    explicit OpenStore(const std::string& path)
        : lock((static_cast<void>(Store(path, Store::Access::Read)), path)),
          store(path, Store::Access::Write) {}

    harness::StoreLock lock;
    Store store;
};

void delete_run(const std::string& path, const std::string& selector, bool is_sure, Exit& exit) {
    OpenStore open(path);
    const RunRecord run = reports::required_run(open.store, selector);
    std::int64_t games = 0;
    for (const std::size_t match : open.store.begun_matches(run.id)) {
        for (const harness::PairDigest& pair : open.store.pairs(run.id, match))
            games += std::ssize(pair.played());
        games += std::ssize(open.store.half_pairs(run.id, match));
    }
    if (!is_sure && !confirms(run, games)) {
        fmt::print("nothing was deleted\n");
        exit.code = 1;
        return;
    }
    open.store.delete_run(run.id);
    std::error_code ignored;
    std::filesystem::remove_all(harness::trees_folder(path) + "/" + std::to_string(run.id),
                                ignored);
    fmt::print("run {} is deleted; 'assay runs prune' frees its disk space\n", run.id);
}

void prune(const std::string& path) {
    OpenStore open(path);
    open.store.prune();
    fmt::print("{} is pruned\n", path);
}

struct RunsFlags {
    std::string store = "assay.db";
    std::string run;
    bool json = false;
    bool is_sure = false;
};

}  // namespace

void add_runs(Command& app, Exit& exit) {
    const auto flags = std::make_shared<RunsFlags>();
    Command* const command = app.add_subcommand("runs", "list, delete and prune stored runs");
    const auto add_store = [&](Command* to) {
        to->add_option("--db", flags->store, "the store")->type_name("FILE")->capture_default_str();
    };
    command->add_flag("--json", flags->json, "one JSON object a line");
    add_store(command);
    command->footer(kRunsExamples);
    command->require_subcommand(0, 1);

    Command* const erase = command->add_subcommand("delete", "delete a run with all its games");
    erase->add_option("run", flags->run, "a number, 'latest', or a config's name")
        ->type_name("RUN")
        ->required();
    erase->add_flag("--yes", flags->is_sure, "do not ask");
    add_store(erase);
    erase->footer("examples:\n  assay runs delete 12\n  assay runs delete nightly --yes");
    erase->callback([flags, &exit] { delete_run(flags->store, flags->run, flags->is_sure, exit); });

    Command* const shrink = command->add_subcommand("prune", "free the disk space of deleted runs");
    add_store(shrink);
    shrink->footer("examples:\n  assay runs prune\n  assay runs prune --db nightly.db");
    shrink->callback([flags] { prune(flags->store); });

    command->callback([flags] { list_runs(flags->store, flags->json); });
}

}  // namespace assay::cli
