#include "harness/record/run_identity.h"

#include <functional>
#include <set>

#include <doctest/doctest.h>

#include "tests/harness/store/sample_records.h"

using namespace assay::harness;
using assay::test::sample_run;

TEST_CASE("Identity: drawn ones are 32 hexadecimal digits, and no two are the same") {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string uid = drawn_uid();
        CHECK(uid.size() == 32);
        CHECK(uid.find_first_not_of("0123456789abcdef") == std::string::npos);
        CHECK(seen.insert(uid).second);
    }
}

TEST_CASE("Identity: shards share it wherever they begin, and any other run has another one") {
    const RunRecord run = sample_run();
    const std::string uid = shards_uid(run, "build 12");
    CHECK(uid.size() == 32);
    RunRecord elsewhere = run;
    elsewhere.machine.host = "other";
    elsewhere.started_us += 5;
    elsewhere.versions[0].path = "/elsewhere/engine";
    elsewhere.shard = Shard{2, 8};
    CHECK(shards_uid(elsewhere, "build 12") == uid);
    CHECK(shards_uid(run, "build 13") != uid);
    const auto changed = [&run](const std::function<void(RunRecord&)>& change) {
        RunRecord other = run;
        change(other);
        return shards_uid(other, "build 12");
    };
    CHECK(changed([](RunRecord& other) { other.plan.seed = 8; }) != uid);
    CHECK(changed([](RunRecord& other) { other.plan_hash = "other"; }) != uid);
    CHECK(changed([](RunRecord& other) { other.versions[1].sha256 = "aa"; }) != uid);
    CHECK(changed([](RunRecord& other) { other.versions[0].source->commit = "b2"; }) != uid);
    CHECK(changed([](RunRecord& other) { other.versions[0].files[0].second = "12"; }) != uid);
    CHECK(changed([](RunRecord& other) { other.book_hashes[0] = "dd"; }) != uid);
    // What was built elsewhere from the same commit is the same program.
    CHECK(changed([](RunRecord& other) { other.versions[0].sha256 = "aa"; }) == uid);
}

TEST_CASE("Identity: of an older run it follows from name, start and host") {
    const RunRecord run = sample_run();
    RunRecord copy = run;
    copy.state = RunState::Finished;
    CHECK(derived_uid(copy) == derived_uid(run));
    copy.started_us += 1;
    CHECK(derived_uid(copy) != derived_uid(run));
    copy = run;
    copy.machine.host = "other";
    CHECK(derived_uid(copy) != derived_uid(run));
    copy = run;
    copy.name = "other";
    CHECK(derived_uid(copy) != derived_uid(run));
}

TEST_CASE("Identity: another file of one commit is the same program unless its benchmark differs") {
    const VersionRecord head = sample_run().versions[0];
    VersionRecord other = head;
    other.sha256 = "elsewhere";
    CHECK(is_same_program(head, other));
    other.bench->nodes = 17;
    CHECK_FALSE(is_same_program(head, other));
    other.bench.reset();
    CHECK(is_same_program(head, other));
    other.source->tree = "98";
    CHECK_FALSE(is_same_program(head, other));
    other = head;
    other.files.pop_back();
    CHECK_FALSE(is_same_program(head, other));
    // A script of another commit is another program, though its own file is the same.
    VersionRecord script = head;
    other = head;
    script.surroundings = "tree of one";
    other.surroundings = "tree of another";
    other.source->commit = "98";
    CHECK_FALSE(is_same_program(script, other));
    other.surroundings = script.surroundings;
    CHECK(is_same_program(script, other));
    VersionRecord file = sample_run().versions[1];
    VersionRecord changed = file;
    changed.sha256 = "ff";
    CHECK_FALSE(is_same_program(file, changed));
}
