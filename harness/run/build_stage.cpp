#include "harness/run/build_stage.h"

#include <algorithm>
#include <csignal>
#include <map>

#include <fmt/format.h>

#include "base/stop_signals.h"
#include "base/text.h"
#include "harness/build/bench_run.h"
#include "harness/plan/tournament_plan.h"
#include "harness/run/same_programs.h"

namespace assay::harness {

namespace {

/// Takes the pending (blocked) signal that stopped one of our commands.
int take_stop_signal() {
    const sigset_t set = stop_signal_set();
    const timespec now{};
    const int signal = ::sigtimedwait(&set, nullptr, &now);
    return signal > 0 ? signal : SIGTERM;
}

/// What is done between the start of a run and its first game.
class Stage {
public:
    Stage(RunOutcome& outcome, Versions& versions, Store& store,
          const std::vector<Listener*>& listeners, const Clock& clock)
        : outcome_(outcome),
          run_(outcome.run),
          versions_(versions),
          store_(store),
          listeners_(listeners),
          clock_(clock) {}

    void run(bool may_skip) {
        build();
        for (std::size_t i = 0; i < run_.versions.size() && is_ready(); ++i) check_bench(i);
        const bool looks = may_skip && run_.plan.skip_if == SkipIf::SameBench && is_unplayed();
        if (is_ready() && looks) bench_for_comparison();
        if (is_ready()) tell_sameness();
        if (is_ready() && looks && is_compared()) skip_if_same(Sameness::SameExecutable);
        for (std::size_t i = 0; i < run_.plan.matches.size() && is_ready(); ++i) check_speed(i);
        if (is_ready() && looks && holds_speed()) skip_if_same(Sameness::SameBench);
    }

private:
    [[nodiscard]] bool is_ready() const { return outcome_.before == RunOutcome::Before::Ready; }

    void end(RunOutcome::Before before, std::string reason) {
        outcome_.before = before;
        outcome_.before_reason = std::move(reason);
    }

    void interrupt() {
        end(RunOutcome::Before::Interrupted, "stopped by a signal");
        outcome_.signal = take_stop_signal();
    }

    void build() {
        const bool has_source =
            std::any_of(run_.versions.begin(), run_.versions.end(),
                        [](const VersionRecord& version) { return version.source.has_value(); });
        if (!has_source) return;  // all is as it was stored when the run began
        std::vector<std::string> before;
        for (const VersionRecord& version : run_.versions) before.push_back(version.sha256);
        const Versions::End built = versions_.build(run_);
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!before[i].empty() && before[i] != run_.versions[i].sha256)
                unchecked_.emplace(i, before[i]);
        }
        store_versions();
        if (built == Versions::End::Interrupted) interrupt();
        if (built != Versions::End::Failed) return;
        for (const VersionRecord& version : run_.versions) {
            if (!version.build || version.build->failure.empty()) continue;
            outcome_.is_machines = version.build->is_machines;
            end(RunOutcome::Before::CannotPlay,
                fmt::format("{} at {} {}: {}\nthe whole log: {}", version.name,
                            version.source->short_id(),
                            version.build->is_machines ? "cannot be built on this machine"
                                                       : "does not build",
                            version.build->failure, version.build->log));
        }
    }

    [[nodiscard]] ProgramPlan placed(std::size_t program) const {
        return placed_program(run_.plan.programs[program], run_.versions[program]);
    }

    [[nodiscard]] std::string name_of_version(std::size_t program) const {
        const std::string source = source_text(run_.versions[program]);
        return run_.versions[program].name + (source.empty() ? "" : " at " + source);
    }

    void check_bench(std::size_t program) {
        const std::optional<BenchPlan>& plan = run_.plan.programs[program].bench;
        VersionRecord& version = run_.versions[program];
        const bool is_rebuilt = unchecked_.contains(program);
        if (!plan || (version.bench && !is_rebuilt) || is_left_out(run_.plan, program)) return;
        versions_.say("running the benchmark of " + name_of_version(program));
        const BenchRun bench = run_bench(versions_.runner(), placed(program));
        if (bench.is_interrupted) return interrupt();
        if (!bench.failure.empty()) return bench_failed(program, bench.failure, bench.is_machines);
        if (is_rebuilt && version.bench) return check_rebuilt(program, bench.said.nodes);
        BenchRecord record{bench.said.nodes, bench.said.nodes_per_second, plan->signature};
        if (plan->signature_in_commit && version.source) {
            record.declared = declared_signature(versions_.message_of(version, program));
        }
        version.bench = record;
        store_versions();
        tell_bench(program);
        if (plan->signature_in_commit && !record.declared) warn_of_no_signature(program);
        if (!record.declared || record.nodes == record.declared) return;
        const bool is_first = program == first_program(run_.plan);
        end(is_first ? RunOutcome::Before::BenchMismatch : RunOutcome::Before::CannotPlay,
            fmt::format(
                "{}: its bench reports {}, but its signature is {} nodes ({}): this is not the "
                "intended build",
                name_of_version(program),
                record.nodes ? fmt::format("{} nodes", *record.nodes)
                             : std::string("no number of nodes"),
                *record.declared,
                plan->signature_in_commit
                    ? std::string("its commit's message")
                    : fmt::format("programs.{}.bench.signature", version.name)));
    }

    /// A check that was asked for and is not made must not look like one that was passed.
    void warn_of_no_signature(std::size_t program) const {
        const std::string text = fmt::format(
            "{}: its commit's message has no line 'Bench: NODES', so that its signature is not "
            "checked (programs.{}.bench.signature: commit), only that its benchmark ends well",
            name_of_version(program), run_.versions[program].name);
        for (Listener* listener : listeners_) listener->on_warning("signature", text);
    }

    /// A file that has not been checked is not stored: it would be the right one the next time.
    void store_versions() {
        std::vector<VersionRecord> versions = run_.versions;
        for (const auto& [program, sha256] : unchecked_) versions[program].sha256 = sha256;
        store_.set_versions(run_.id, versions);
    }

    /// Built on another machine than the run began on: the same commit, and another file.
    void check_rebuilt(std::size_t program, std::optional<std::uint64_t> nodes) {
        const auto then = run_.versions[program].bench->nodes;
        if (nodes == then) {
            unchecked_.erase(program);
            return store_versions();
        }
        const auto text = [](std::optional<std::uint64_t> count) {
            return count ? counted(*count, "node") : std::string("no number of nodes");
        };
        end(RunOutcome::Before::CannotPlay,
            fmt::format(
                "{}: its bench reports {} on this machine, and {} where the run began: these "
                "are not the same program",
                name_of_version(program), text(nodes), text(then)));
    }

    [[nodiscard]] bool is_unplayed() const {
        return !run_.plan.matches.empty() && store_.pairs(run_.id, 0).empty() &&
               store_.half_pairs(run_.id, 0).empty();
    }

    /// The benchmarks of the first match's programs that are not declared, and so not run yet. One
    /// that does not end well says nothing about the program: it may have none.
    void bench_for_comparison() {
        const MatchPlan& match = run_.plan.matches.front();
        if (is_one_file(match)) return;
        for (const std::size_t program : match.between) {
            VersionRecord& version = run_.versions[program];
            if (version.bench) continue;
            versions_.say("running the benchmark of " + name_of_version(program));
            ProgramPlan plan = placed(program);
            plan.bench = BenchPlan();
            const BenchRun bench = run_bench(versions_.runner(), plan);
            if (bench.is_interrupted) return interrupt();
            if (!bench.failure.empty() || !bench.said.nodes) {
                versions_.say(fmt::format(
                    "skip_if: the benchmark of {} {}, so that it cannot be compared; "
                    "'programs.{}.bench' sets how it is run and read",
                    name_of_version(program),
                    bench.failure.empty() ? "prints no nodes" : bench.failure, version.name));
                return;
            }
            version.bench =
                BenchRecord{bench.said.nodes, bench.said.nodes_per_second, std::nullopt};
            store_versions();
            tell_bench(program);
        }
    }

    /// Whether both programs are started from one place, so that what they read beside their
    /// executable is the same as well.
    [[nodiscard]] bool is_one_file(const MatchPlan& match) const {
        return run_.versions[match.between[0]].path == run_.versions[match.between[1]].path;
    }

    /// Whether equal executables of the first match are equal programs: one in each of two places
    /// may be a script that starts what lies beside it, of which only a benchmark tells.
    [[nodiscard]] bool is_compared() const {
        const MatchPlan& match = run_.plan.matches.front();
        return is_one_file(match) || std::ranges::all_of(match.between, [&](std::size_t program) {
                   return run_.versions[program].bench && run_.versions[program].bench->nodes;
               });
    }

    void tell_sameness() const {
        if (run_.plan.tournament) return;  // its table shows it
        for (const MatchPlan& match : run_.plan.matches) {
            const std::string text = sameness_text(run_, match);
            if (text.empty()) continue;
            versions_.say(text + ": only chance can tell them apart in games");
        }
    }

    [[nodiscard]] bool holds_speed() const {
        const SpeedFinding* const speed = speed_of_match(run_.findings, 0);
        return speed == nullptr || speed->state == SpeedFinding::State::Holds;
    }

    void skip_if_same(Sameness wanted) {
        const MatchPlan& match = run_.plan.matches.front();
        if (sameness_of(run_, match) != wanted) return;
        end(RunOutcome::Before::Unchanged, sameness_text(run_, match));
    }

    void tell_bench(std::size_t program) const {
        const BenchRecord& bench = *run_.versions[program].bench;
        if (!bench.nodes) return;
        versions_.say(fmt::format("the benchmark of {} searches {}", name_of_version(program),
                                  counted(*bench.nodes, "node")));
    }

    void bench_failed(std::size_t program, const std::string& failure, bool is_machines) {
        outcome_.is_machines = is_machines;
        end(RunOutcome::Before::CannotPlay,
            fmt::format("{}: its bench {}{}; {}", name_of_version(program),
                        failure.starts_with("killed") ? "was " : "", failure,
                        is_machines
                            ? std::string("the machine ended it (no memory, no disk space, or "
                                          "another's signal), so this says nothing about the "
                                          "program; --resume runs it again")
                            : fmt::format("'programs.{}.bench' sets how it is run and read",
                                          run_.versions[program].name)));
    }

    void check_speed(std::size_t match) {
        const MatchPlan& plan = run_.plan.matches[match];
        if (!plan.require.speed_percent) return;
        for (const SpeedFinding& known : run_.findings.speed) {
            if (known.match == match) return;
        }
        const TimePoint began = clock_.now();
        const ProgramPlan first = placed(plan.between[0]);
        const ProgramPlan second = placed(plan.between[1]);
        const auto tell = [&](int done, bool is_over) {
            const SpeedProgress progress{
                first.name, second.name, done, SpeedTest::next_look(done), SpeedTest::kMostPairs,
                is_over};
            for (Listener* listener : listeners_) listener->on_speed_progress(progress);
        };
        tell(0, false);
        const SpeedRun speed =
            compare_speed(versions_.runner(), first, second, *plan.require.speed_percent,
                          [&](int done) { tell(done, false); });
        tell(speed.finding ? speed.finding->pairs : 0, true);
        if (speed.is_interrupted) return interrupt();
        if (!speed.finding)
            return bench_failed(plan.between.at(speed.guilty), speed.failure, speed.is_machines);
        SpeedFinding finding = *speed.finding;
        finding.match = match;
        finding.seconds = static_cast<double>(micros_between(began, clock_.now()).count()) / 1e6;
        run_.findings.speed.push_back(finding);
        store_.set_findings(run_.id, run_.findings);
        versions_.say(fmt::format("speed of {} against {}: {} after {} runs of each",
                                  run_.plan.programs[plan.between[0]].name,
                                  run_.plan.programs[plan.between[1]].name, speed_text(finding),
                                  finding.pairs));
    }

    RunOutcome& outcome_;
    RunRecord& run_;
    Versions& versions_;
    Store& store_;
    const std::vector<Listener*>& listeners_;
    const Clock& clock_;
    /// Programs of an earlier session whose file is another one now, with its hash then, until
    /// their benchmark has said that they are the same.
    std::map<std::size_t, std::string> unchecked_;
};

}  // namespace

void prepare(RunOutcome& outcome, Versions& versions, Store& store,
             const std::vector<Listener*>& listeners, const Clock& clock, bool may_skip) {
    Stage(outcome, versions, store, listeners, clock).run(may_skip);
}

}  // namespace assay::harness
