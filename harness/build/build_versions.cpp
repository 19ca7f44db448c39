// Which version of each program a run plays, and where it is. Refs are resolved once, when the run
// begins, to commits that are stored: a branch may move while the run is played or between two
// sessions. Refs that depend on another program's commit ("previous", a merge base) come after the
// others.
//
// A program that was there when the run began must be there unchanged when it goes on, byte for
// byte, with the files that its options name. Versions from git are built again from the same
// commit, which on another machine gives other bytes; there the hash says nothing.
#include "harness/build/build_versions.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/credentials.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/build/own_files.h"
#include "harness/machine/machine.h"
#include "harness/plan/tournament_plan.h"
#include "harness/program/confinement/confinement.h"
#include "harness/program/program_file.h"

namespace assay::harness {

namespace {

constexpr std::string_view kWorktree = "worktree";
constexpr std::string_view kPrevious = "previous";
constexpr std::string_view kMergeBase = "merge-base ";

bool is_merge_base(std::string_view ref) {
    return ref.starts_with(kMergeBase);
}

/// True if the ref depends on another program's commit.
bool is_relative(std::string_view ref) {
    return ref == kPrevious || is_merge_base(ref);
}

void check_same(const VersionRecord& now, const VersionRecord& then, std::int64_t run) {
    std::string what = now.sha256 == then.sha256 ? "" : now.path;
    // Files that only the new record has were not recorded by an older assay.
    for (const auto& file : then.files) {
        if (what.empty() && std::ranges::find(now.files, file) == now.files.end())
            what = file.first;
    }
    if (what.empty()) return;
    throw Error(fmt::format(
        "program '{}' ({}) is not the one that run {} began with; start a new run without "
        "--resume, or put the old file back",
        now.name, what, run));
}

/// Whether no other machine has played any of it.
bool is_of_this_machine(const RunRecord& run) {
    const MachineRecord here = this_machine();
    return run.other_machines.empty() && run.machine.host == here.host &&
           run.machine.cpu == here.cpu;
}

}  // namespace

Versions::Versions(const RunPlan& plan, const Store& store, std::vector<std::string> outputs,
                   Say say)
    : plan_(plan),
      store_(store),
      outputs_(std::move(outputs)),
      say_(std::move(say)),
      cache_(std::make_unique<BuildCache>(runner_, builds_folder(store.path()), say_)) {}

Versions::~Versions() = default;

std::size_t Versions::head() const {
    return first_program(plan_);
}

GitRepository& Versions::repository_of(const std::string& repo) {
    std::unique_ptr<GitRepository>& found = repositories_[repo];
    if (!found) found = std::make_unique<GitRepository>(runner_, repo, cache_->mirrors());
    return *found;
}

const std::optional<Versions::Previous>& Versions::previous() {
    if (previous_) return *previous_;
    previous_.emplace();
    for (const RunRecord& run : store_.runs()) {
        if (run.name != plan_.name || run.state != RunState::Finished) continue;
        const std::size_t first = first_program(run.plan);
        if (first >= run.versions.size() || !run.versions[first].source) continue;
        previous_->emplace(Previous{run.id, run.versions[first].source->commit});
        break;
    }
    return *previous_;
}

/// The commit that `merge-base` and `previous` of this program are relative to.
std::string Versions::head_commit(std::size_t program, const std::vector<VersionRecord>& versions) {
    const std::string& repo = plan_.programs[program].git->repo;
    const auto& first = versions[head()].source;
    if (head() != program && first && without_credentials(first->repo) == without_credentials(repo))
        return first->commit;
    return repository_of(repo).commit_of("HEAD");
}

SourceRecord Versions::source_of(std::size_t program, const std::vector<VersionRecord>& versions,
                                 bool is_quiet) {
    const GitPlan& git = *plan_.programs[program].git;
    GitRepository& repository = repository_of(git.repo);
    std::string commit;
    std::string tree;
    if (git.ref == kWorktree) {
        if (is_git_url(git.repo)) {
            throw Error(
                fmt::format("program '{}': ref 'worktree' needs a repository on this "
                            "machine, and '{}' is a URL",
                            plan_.programs[program].name, without_credentials(git.repo)));
        }
        commit = repository.commit_of("HEAD");
        tree = repository.tree_of_files(cache_->objects(), own_files(store_.path(), outputs_));
        if (tree == repository.tree_of_commit(commit)) tree.clear();
    } else if (is_merge_base(git.ref)) {
        const std::string other(trim(git.ref.substr(kMergeBase.size())));
        commit = repository.merge_base(head_commit(program, versions), repository.commit_of(other));
    } else if (git.ref == kPrevious) {
        if (previous()) {
            commit = repository.commit_of(previous()->commit);
        } else {
            const std::string now = head_commit(program, versions);
            const auto parent = repository.parent_of(now);
            if (!parent) {
                throw Error(
                    fmt::format("program '{}': ref 'previous' has no run of '{}' to look "
                                "back to, and {} is the first commit: there is nothing to "
                                "compare it with before the next one",
                                plan_.programs[program].name, plan_.name, now.substr(0, 7)));
            }
            commit = *parent;
            if (say_ && !is_quiet) {
                say_(
                    fmt::format("{}: no run of '{}' has finished yet, so that 'previous' is the "
                                "commit before, {}",
                                plan_.programs[program].name, plan_.name, commit.substr(0, 7)));
            }
        }
    } else {
        commit = repository.commit_of(git.ref);
    }
    SourceRecord source = repository.describe(commit);
    source.ref = git.ref;
    source.tree = tree;
    return source;
}

std::vector<VersionRecord> Versions::resolve(bool is_quiet, std::vector<VersionRecord> known) {
    const std::size_t first = known.size();
    std::vector<VersionRecord> versions = std::move(known);
    versions.resize(plan_.programs.size());
    std::vector<std::size_t> later;
    for (std::size_t i = first; i < versions.size(); ++i) {
        const ProgramPlan& program = plan_.programs[i];
        versions[i].name = program.name;
        if (is_left_out(plan_, i)) continue;
        if (!program.git) {
            versions[i] = version_of(program);
        } else if (is_relative(program.git->ref)) {
            later.push_back(i);
        } else {
            versions[i].source = source_of(i, versions, is_quiet);
        }
    }
    for (const std::size_t i : later) versions[i].source = source_of(i, versions, is_quiet);
    return versions;
}

std::optional<std::string> Versions::skip_reason(const std::vector<VersionRecord>& versions) const {
    const bool looks_back = std::any_of(
        plan_.programs.begin(), plan_.programs.end(),
        [](const ProgramPlan& program) { return program.git && program.git->ref == kPrevious; });
    if (!looks_back || !previous_ || !*previous_) return std::nullopt;
    const auto& first = versions[head()].source;
    const Previous& last = **previous_;
    if (!first || !first->tree.empty() || first->commit != last.commit) return std::nullopt;
    return fmt::format("no commit since run {}", last.run);
}

std::string Versions::moved_text(const RunRecord& earlier, const std::vector<VersionRecord>& now) {
    std::string text;
    std::string relative;
    for (std::size_t i = 0; i < now.size() && i < earlier.versions.size(); ++i) {
        const auto& source = now[i].source;
        const auto& then = earlier.versions[i].source;
        if (!source || !then) continue;
        if (source->commit == then->commit && source->tree == then->tree) continue;
        const std::string one =
            fmt::format("{} is {} now", printable_utf8(source->ref), source->short_id());
        std::string& said = is_relative(source->ref) ? relative : text;
        if (said.find(one) == std::string::npos) said += (said.empty() ? "" : ", ") + one;
    }
    return text.empty() ? relative : text;
}

void Versions::check_unbuilt(const RunRecord& earlier) const {
    for (std::size_t i = 0; i < plan_.programs.size() && i < earlier.versions.size(); ++i) {
        if (plan_.programs[i].git || is_left_out(plan_, i)) continue;
        check_same(version_of(plan_.programs[i]), earlier.versions[i], earlier.id);
    }
}

/// git's id of all files of the source.
std::string Versions::tree_of(const SourceRecord& source, const ProgramPlan& program) {
    return source.tree.empty() ? repository_of(program.git->repo).tree_of_commit(source.commit)
                               : source.tree;
}

Versions::End Versions::build(RunRecord& run) {
    for (std::size_t i = 0; i < run.versions.size(); ++i) {
        VersionRecord& version = run.versions[i];
        if (!version.source || is_left_out(plan_, i)) continue;
        const ProgramPlan& program = plan_.programs[i];
        Built built = cache_->build(repository_of(program.git->repo), *version.source, program);
        const bool is_made = !built.record.was_cached && !program.git->build.empty();
        version.build = std::move(built.record);
        if (built.is_interrupted) return End::Interrupted;
        // The links of a tree are those of its author.
        if (program.confinement && version.build->failure.empty())
            version.build->failure = problem_of_built_dir(version.build->folder, program.dir);
        if (!version.build->failure.empty()) return End::Failed;
        if (is_made && say_) {
            say_(fmt::format("built {} in {:.1f} s", program.name, version.build->seconds));
        }
        VersionRecord found = version_of(BuildCache::placed(program, version.build->folder));
        // Compilers write other bytes on another machine; there the benchmark tells.
        if (!version.sha256.empty() && is_of_this_machine(run)) check_same(found, version, run.id);
        version.path = std::move(found.path);
        version.sha256 = std::move(found.sha256);
        version.files = std::move(found.files);
        version.surroundings = is_native_in(version.build->folder, version.path)
                                   ? ""
                                   : tree_of(*version.source, program);
    }
    return End::Ready;
}

std::string Versions::message_of(const VersionRecord& version, std::size_t program) {
    return repository_of(plan_.programs[program].git->repo).message_of(version.source->commit);
}

ProgramPlan placed_program(const ProgramPlan& program, const VersionRecord& version) {
    if (!program.git || !version.build) return program;
    return BuildCache::placed(program, version.build->folder);
}

std::string source_text(const VersionRecord& version) {
    if (!version.source) return "";
    const SourceRecord& source = *version.source;
    std::string text = source.short_id();
    if (is_merge_base(source.ref)) {
        text += fmt::format(" (merge base of {})",
                            printable_utf8(trim(source.ref.substr(kMergeBase.size()))));
    } else if (!source.commit.starts_with(source.ref)) {
        text += fmt::format(" ({})", printable_utf8(source.ref));
    }
    return text;
}

}  // namespace assay::harness
