#include "cli/run/explain.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/loader/config_text.h"
#include "harness/build/bench_run.h"
#include "harness/fleet/forecast.h"
#include "harness/match/budget.h"
#include "harness/match/match_setting.h"
#include "harness/plan/plan_secrets.h"
#include "harness/plan/tournament_plan.h"
#include "harness/program/program_file.h"
#include "harness/store/store.h"
#include "harness/suite/run.h"
#include "harness/tournament/tournament_state.h"
#include "reports/text/match/match_summary.h"
#include "reports/text/suite_text.h"
#include "reports/text/tournament_text.h"

namespace assay::cli {

namespace {

std::string hours_text(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    if (seconds < 48 * 3600.0) return fmt::format("{:.1f} h", seconds / 3600);
    return fmt::format("{:.1f} days", seconds / 86400);
}

/// What would be built. A run resolves the commit at its start.
void print_git_program(const harness::ProgramPlan& program) {
    std::printf("  %-20s %s of %s\n", program.name.c_str(), program.git->ref.c_str(),
                program.git->repo.c_str());
    const auto print_words = [](const char* what, const std::vector<std::string>& words) {
        std::string line;
        for (const std::string& word : words) line += " " + word;
        std::printf("  %-20s %s%s\n", "", what, line.c_str());
    };
    for (const auto& step : program.git->build) print_words("build:", step);
    print_words("command:", program.command);
    for (const auto& [name, value] : program.options)
        std::printf("  %-20s %s=%s\n", "", name.c_str(), value.c_str());
}

void print_programs(const harness::RunPlan& plan) {
    std::printf("programs\n");
    for (const harness::ProgramPlan& program : plan.programs) {
        if (program.git) {
            print_git_program(program);
            continue;
        }
        const harness::VersionRecord version = harness::version_of(program);
        std::string line = fmt::format("  {:<20} {}", program.name, version.path);
        for (std::size_t i = 1; i < program.command.size(); ++i) line += " " + program.command[i];
        for (const auto& [name, value] : program.options)
            line += fmt::format("  {}={}", name, value);
        std::printf("%s\n  %-20s sha256 %s\n", line.c_str(), "", version.sha256.c_str());
        for (const auto& [path, hash] : version.files) {
            std::printf("  %-20s %s sha256 %s\n", "", path.c_str(), hash.c_str());
        }
    }
}

/// Of a match, and of all those of a tournament.
void print_game(const harness::MatchPlan& match, const harness::MatchSetting& setting) {
    if (!(match.game == harness::MatchPlan().game)) {
        std::printf("  game        %s\n", printable_utf8(harness::game_text(match.game)).c_str());
    }
    if (setting.book) {
        std::printf("  openings    %llu in %s\n",
                    static_cast<unsigned long long>(setting.book->size()),
                    setting.book->path().c_str());
    } else if (match.openings.book == harness::kRandomOpenings) {
        std::printf("  openings    %s\n", words_of(match.openings).c_str());
    } else {
        std::printf("  openings    the start position\n");
    }
}

/// What tasks of Slurm cost, before anything is submitted.
void print_fleet(const harness::RunPlan& plan, const harness::MatchPlan& match) {
    const harness::SlurmPlan& slurm = *plan.slurm;
    const harness::FleetForecast forecast = harness::forecast_of(plan, match);
    std::printf("  executor    %s, %s of %s, each plays %s at once; folder %s\n",
                slurm.submits ? "Slurm" : "workers that others start",
                counted(slurm.slots, "task").c_str(), counted(slurm.cpus, "processor").c_str(),
                counted(forecast.games_of_task, "game").c_str(),
                printable_utf8(slurm.folder).c_str());
    std::printf("  batches     %lld of %s; their dispatch takes about %s of slots\n",
                static_cast<long long>(forecast.batches),
                counted(forecast.pairs_of_task, "pair").c_str(),
                hours_text(forecast.dispatch_seconds).c_str());
    if (forecast.overshoot)
        std::printf("  overshoot   about %.0f pairs behind the verdict are played in vain\n",
                    *forecast.overshoot);
    if (forecast.slot_hours)
        std::printf("  slot-hours  %.1f if all pairs are played\n", *forecast.slot_hours);
}

void print_notes(const harness::RunPlan& plan, const harness::MatchPlan& match,
                 const harness::MatchSetting& setting) {
    if (const auto crowd = harness::crowding(plan, match)) {
        std::printf("  note        %s\n", crowd->c_str());
    }
    if (const auto shortage = harness::book_shortage(match, setting)) {
        std::printf("  note        %s\n", shortage->c_str());
    }
}

void print_match(const harness::RunPlan& plan, const harness::MatchPlan& match) {
    const harness::MatchSetting setting = harness::make_setting(match, plan.seed.value_or(0));
    const int concurrency = harness::concurrency_of(plan, match);
    std::printf("  time        %s\n", harness::to_text(match.time[0]).c_str());
    if (!(match.time[0] == match.time[1])) {
        std::printf("  against     %s\n", harness::to_text(match.time[1]).c_str());
    }
    print_game(match, setting);
    std::printf("  pairs       at most %lld, %d games at once\n",
                static_cast<long long>(match.pairs), concurrency);
    if (const auto game = harness::seconds_a_game(match)) {
        const double games = 2.0 * static_cast<double>(match.pairs);
        std::printf("  duration    about %s if all pairs are played\n",
                    hours_text(games * *game / concurrency).c_str());
    } else {
        std::printf("  duration    depends on the machine: no clock limits a game\n");
    }
    print_notes(plan, match, setting);
    if (plan.slurm) print_fleet(plan, match);
    if (match.deterministic) {
        std::printf("  repeatable  the limits are %s and each program has one thread\n",
                    "nodes or depth");
    }
}

/// Pairs of a tournament that have been played, by match.
using PlayedPairs = std::map<std::size_t, std::int64_t>;

/// `played`: what earlier sessions have, of which `pairs` are the counts.
void print_tournament(const harness::RunRecord& run, const harness::PlayedMeetings& played,
                      const PlayedPairs& pairs) {
    const harness::RunPlan& plan = run.plan;
    const harness::MatchPlan match = harness::distinct_matches(plan).front();
    const harness::MatchSetting setting = harness::make_setting(match, plan.seed.value_or(0));
    const int concurrency = harness::concurrency_of(plan, match);
    const auto state = harness::tournament_state(plan, played);
    std::printf("%s", reports::tournament_header(run, state, "", concurrency).c_str());
    print_game(match, setting);
    double seconds = 0;
    bool has_clocks = true;
    std::int64_t left = 0;
    for (std::size_t i = 0; i < plan.matches.size(); ++i) {
        const harness::MatchPlan& one = plan.matches[i];
        const auto game = harness::seconds_a_game(one);
        const auto before = pairs.find(i);
        const std::int64_t lack =
            std::max<std::int64_t>(0, one.pairs - (before == pairs.end() ? 0 : before->second));
        has_clocks = has_clocks && game.has_value();
        seconds += static_cast<double>(plan.tournament->games * lack) * game.value_or(0);
        left += lack;
    }
    if (!pairs.empty() && left > 0)
        std::printf("  lacks       %lld pairs\n", static_cast<long long>(left));
    if (has_clocks && seconds > 0)
        std::printf("  duration    about %s\n", hours_text(seconds / concurrency).c_str());
    print_notes(plan, match, setting);
}

/// Makes of the plan the one with which `--add` would go on, and of the rest what has been played.
/// Where there is no such run, `--add` begins one.
void take_up_newest(harness::RunPlan& plan, const std::string& path,
                    harness::PlayedMeetings& played, PlayedPairs& pairs) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return;
    const harness::Store store(path, harness::Store::Access::Read);
    for (const harness::RunRecord& run : store.runs()) {
        if (run.name != plan.name || !run.plan.tournament) continue;
        const auto joined = harness::with_programs(run.plan, plan);
        if (!joined || !harness::is_same_tournament(run.plan, *joined)) return;
        plan = *joined;
        if (!plan.seed) plan.seed = run.plan.seed;
        played = harness::PlayedMeetings(harness::setup_of(plan).size());
        for (const std::size_t match : store.begun_matches(run.id)) {
            const auto [low, high] = plan.matches.at(match).between;
            for (const harness::PairDigest& pair : store.pairs(run.id, match)) {
                if (harness::is_replaced(pair.state)) continue;
                (void)played.add(low, high, pair);
                ++pairs[match];
            }
        }
        return;
    }
}

/// The newest run of this name that compared the match's speeds; nullopt if there is none or the
/// store cannot be read, which the run itself reports.
std::optional<std::pair<std::int64_t, harness::SpeedFinding>> earlier_speed(
    const harness::RunPlan& plan, std::size_t match, const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    try {
        const harness::Store store(path, harness::Store::Access::Read);
        for (const harness::RunRecord& run : store.runs()) {
            if (run.name != plan.name) continue;
            const auto* const speed = harness::speed_of_match(run.findings, match);
            if (speed != nullptr && speed->seconds > 0) return std::pair(run.id, *speed);
        }
    } catch (const std::exception&) {
        return std::nullopt;
    }
    return std::nullopt;
}

void print_speed(const harness::RunPlan& plan, std::size_t match, const std::string& store) {
    constexpr int kLeast = 8;
    std::string text = fmt::format(
        "{} to {} runs of each program's benchmark before the games, in addition to their minutes",
        kLeast, harness::SpeedTest::kMostPairs);
    if (const auto earlier = earlier_speed(plan, match, store)) {
        const double each = earlier->second.seconds / std::max(1, earlier->second.pairs);
        text += fmt::format(": {} to {}, judging by run {}", hours_text(each * kLeast),
                            hours_text(each * harness::SpeedTest::kMostPairs), earlier->first);
    }
    std::printf("  speed       %s\n", text.c_str());
}

}  // namespace

void explain(const harness::RunPlan& given, const std::string& store, bool json, bool adds) {
    harness::RunPlan plan = given;
    // What the run would refuse is refused here.
    for (const harness::MatchPlan& match : harness::distinct_matches(plan))
        if (!plan.slurm) (void)harness::pinned_to(plan, match);
    harness::PlayedMeetings played(plan.tournament ? harness::setup_of(plan).size()
                                                   : harness::MeetingSize{1});
    PlayedPairs pairs;
    if (adds && plan.tournament) take_up_newest(plan, store, played, pairs);
    harness::derive_pairs(plan);
    harness::hide_secrets(plan);
    if (json) {
        std::printf("%s\n", harness::to_json(plan).c_str());
        return;
    }
    std::printf("%s · seed %s\n", printable_utf8(plan.name).c_str(),
                plan.seed ? std::to_string(*plan.seed).c_str() : "drawn at the start");
    print_programs(plan);
    harness::RunRecord run;
    run.name = plan.name;
    run.plan = plan;
    std::vector<harness::MatchTally> tallies;
    if (!plan.tournament) {
        for (const harness::MatchPlan& match : plan.matches) tallies.emplace_back(match);
    }
    reports::RunView view{run, {}, {}, ""};
    for (const harness::MatchTally& tally : tallies) view.matches.push_back({&tally, {}});
    if (plan.tournament) print_tournament(run, played, pairs);
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        std::printf(
            "%s",
            reports::match_header(view, i, harness::concurrency_of(plan, plan.matches[i])).c_str());
        print_match(plan, plan.matches[i]);
        if (plan.matches[i].require.speed_percent) print_speed(plan, i, store);
    }
    if (plan.suite) {
        const int concurrency = harness::suite_concurrency(plan);
        std::printf("%s", reports::suite_header(view, concurrency).c_str());
        for (const harness::SuiteExpectation& one : plan.suite->expectations) {
            const std::string bound = reports::bound_text(one);
            std::printf("  %-30s %s\n", one.name.c_str(),
                        bound.empty() ? "is reported" : bound.c_str());
        }
    }
    std::printf(
        "\n# the resolved plan as a config (--json prints it as the store keeps it, which is no "
        "config)\n%s",
        configs::config_text(plan).c_str());
}

}  // namespace assay::cli
