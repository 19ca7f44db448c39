#include "harness/build/build_versions.h"

#include <initializer_list>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/tiny_repo.h"

using namespace assay;
using namespace assay::harness;

namespace {

/// Programs of one repository, called as their refs, in a run of one match.
RunPlan plan_of_refs(const test::TinyRepo& repo, const std::string& name,
                     std::initializer_list<const char*> refs) {
    RunPlan plan;
    plan.name = name;
    for (const char* ref : refs) {
        ProgramPlan program;
        program.name = ref;
        program.git.emplace();
        program.git->repo = repo.path();
        program.git->ref = ref;
        plan.programs.push_back(program);
    }
    plan.matches.resize(1);
    return plan;
}

}  // namespace

TEST_CASE("Versions: 'previous' is the commit of the last finished run, whatever was begun since") {
    const test::TinyRepo repo({"ok", "slower", "ok"});
    const RunPlan plan = plan_of_refs(repo, "nightly", {"HEAD", "previous"});
    Store store(repo.dir().path("assay.db"), Store::Access::Write);
    const auto stored = [&](const std::string& ref, RunState state) {
        RunRecord run;
        run.name = plan.name;
        run.plan = plan;
        run.versions.resize(2);
        run.versions[0].source = SourceRecord{};
        run.versions[0].source->commit = repo.git({"rev-parse", ref});
        const std::int64_t id = store.begin_run(run);
        store.set_state(id, state, "");
    };
    const auto previous = [&] {
        Versions versions(plan, store, {}, {});
        return versions.resolve()[1].source.value().commit;
    };
    // Without a finished run it is the commit before.
    stored("c1", RunState::Interrupted);
    CHECK(previous() == repo.git({"rev-parse", "c2"}));
    stored("c1", RunState::Finished);
    for (const RunState state : {RunState::Running, RunState::Interrupted, RunState::Failed}) {
        stored("c3", state);
        CHECK(previous() == repo.git({"rev-parse", "c1"}));
    }
    stored("c3", RunState::Finished);
    CHECK(previous() == repo.git({"rev-parse", "c3"}));
}

TEST_CASE("Versions: in the first night of a repository's first commit nothing is 'previous'") {
    const test::TinyRepo repo({"ok"});
    const RunPlan plan = plan_of_refs(repo, "nightly", {"HEAD", "previous"});
    const Store store(repo.dir().path("assay.db"), Store::Access::Write);
    Versions versions(plan, store, {}, {});
    std::string why;
    try {
        (void)versions.resolve();
    } catch (const Error& error) {
        why = error.what();
        CHECK(error.exit_code() == 2);
    }
    CHECK(why ==
          "program 'previous': ref 'previous' has no run of 'nightly' to look back to, and " +
              repo.git({"rev-parse", "--short=7", "HEAD"}) +
              " is the first commit: there is nothing to compare it with before the next one");
}

TEST_CASE("Versions: a merge base is that of the head which is known") {
    const test::TinyRepo repo({"ok", "slower", "ok"});
    const RunPlan plan = plan_of_refs(repo, "added", {"c1", "merge-base c3"});
    const Store store(repo.dir().path("assay.db"), Store::Access::Write);
    Versions versions(plan, store, {}, {});
    const std::vector<VersionRecord> all = versions.resolve();
    const std::string base = repo.git({"rev-parse", "c1"});
    CHECK(all.at(1).source.value().commit == base);
    const std::vector<VersionRecord> added = versions.resolve(false, {all.front()});
    REQUIRE(added.size() == 2);
    CHECK(added.at(0).source.value().commit == all.front().source.value().commit);
    CHECK(added.at(1).source.value().commit == base);
}
