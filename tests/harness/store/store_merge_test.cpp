#include "harness/store/merge/store_merge.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/match/pair_counter.h"
#include "harness/record/move_codec.h"
#include "harness/record/run_identity.h"
#include "harness/store/store.h"
#include "tests/harness/store/sample_records.h"
#include "tests/support/contains.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

using test::contains;
using test::sample_run;
using test::write_sample_pair;

class MergeTest {
public:
    [[nodiscard]] std::string path(const std::string& name) const { return dir_.path(name); }

    [[nodiscard]] Store open(const std::string& name) const {
        return {path(name), Store::Access::Write};
    }

    /// A run of `pairs` pairs from `first` on in the store of that name; its number there.
    std::int64_t add_run(const std::string& name, const RunRecord& run, std::int64_t first,
                         std::int64_t pairs) const {
        Store store = open(name);
        const std::int64_t id = store.begin_run(run);
        for (std::int64_t pair = first; pair < first + pairs; ++pair)
            write_sample_pair(store, id, pair);
        return id;
    }

    [[nodiscard]] MergeResult merge(const std::vector<std::string>& names) const {
        std::vector<std::string> inputs;
        for (const std::string& name : names) inputs.push_back(path(name));
        return merge_stores(inputs, path("out.db"));
    }

    [[nodiscard]] std::string refusal(const std::vector<std::string>& names) const {
        try {
            (void)merge(names);
        } catch (const Error& error) {
            CHECK(error.exit_code() == 2);
            CHECK_FALSE(std::filesystem::exists(path("out.db.part")));
            return error.what();
        }
        return "merged";
    }

    void exec(const std::string& name, const std::string& sql) const {
        SQLite::Database(path(name), SQLite::OPEN_READWRITE).exec(sql);
    }

private:
    assay::test::TempDir dir_;
};

RunRecord run_at(long long started_us, const std::string& name = "nightly") {
    RunRecord run = sample_run(name);
    run.started_us = started_us;
    return run;
}

}  // namespace

TEST_CASE("Merge: runs of two stores are numbered in the order in which they began") {
    const MergeTest t;
    t.add_run("a.db", run_at(10), 0, 2);
    t.add_run("a.db", run_at(30), 0, 1);
    t.add_run("b.db", run_at(20, "gate"), 0, 3);
    const MergeResult merged = t.merge({"a.db", "b.db"});
    REQUIRE(merged.runs.size() == 3);
    CHECK(merged.runs[1].name == "gate");
    CHECK(merged.runs[1].from[0].store == t.path("b.db"));
    CHECK(merged.runs[1].games == 6);

    const Store out(t.path("out.db"), Store::Access::Read);
    const std::vector<RunRecord> runs = out.runs();  // newest first
    REQUIRE(runs.size() == 3);
    CHECK(runs[0].id == 3);
    CHECK(runs[0].started_us == 30);
    CHECK(runs[1].name == "gate");
    CHECK(runs[2].versions.at(0).sha256 == "00ff");
    CHECK(out.pairs(1, 0).size() == 2);
    CHECK(out.pairs(2, 0).size() == 3);
    const Store from(t.path("b.db"), Store::Access::Read);
    CHECK(encode_moves(out.game(2, 0, 5)->moves) == encode_moves(from.game(1, 0, 5)->moves));
    CHECK(out.game(3, 0, 1)->opening == std::vector<std::string>{"e2e4", "e7e5"});
    // The merged store is one that can be played into.
    Store again(t.path("out.db"), Store::Access::Write);
    CHECK(again.begin_run(run_at(40)) == 4);
    write_sample_pair(again, 4, 0);
    CHECK(again.game(4, 0, 2).has_value());
}

TEST_CASE("Merge: a copy that got further is taken, whichever is named first") {
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"a.db", "b.db"}, {"b.db", "a.db"}}) {
        const MergeTest t;
        t.add_run("a.db", run_at(10), 0, 2);
        t.add_run("b.db", run_at(10), 0, 5);
        t.open("b.db").set_state(1, RunState::Finished, "all is played");
        const MergeResult merged = t.merge(order);
        REQUIRE(merged.runs.size() == 1);
        CHECK(merged.runs[0].from.size() == 2);
        CHECK(merged.runs[0].games == 10);
        const Store out(t.path("out.db"), Store::Access::Read);
        const RunRecord run = *out.find_run("1");
        CHECK(run.state == RunState::Finished);
        CHECK(run.end_reason == "all is played");
        CHECK(run.versions.size() == 2);
        CHECK(tally_of(out, run, 0).pairs() == 5);
    }
}

TEST_CASE("Merge: parts of one run with pairs of their own become the whole") {
    const MergeTest t;
    t.add_run("a.db", run_at(10), 0, 2);
    t.add_run("b.db", run_at(10), 1, 3);
    t.add_run("c.db", run_at(10), 4, 1);
    CHECK(t.merge({"c.db", "a.db", "b.db"}).runs.at(0).games == 10);
    const Store out(t.path("out.db"), Store::Access::Read);
    CHECK(tally_of(out, *out.find_run("1"), 0).pairs() == 5);
    CHECK(out.game(1, 0, 10)->started_us == test::sample_game(4, 1, 0).started_us);
}

TEST_CASE("Merge: pairs that were played on other machines stay theirs") {
    const MergeTest t;
    MachineRecord other{"elsewhere", "AMD EPYC", "6.1.0", 4, 2, 1};
    t.add_run("a.db", run_at(10), 0, 2);
    t.add_run("b.db", run_at(10), 0, 2);
    other.nps = 5e5;
    (void)t.open("a.db").add_machine(1, other);
    other.nps = 0;
    other.trouble = "its clock is wrong";
    {
        Store store = t.open("b.db");
        const std::int64_t number = store.add_machine(1, other);
        for (const int game : {0, 1}) {
            GameRecord record = test::sample_game(2, game, 0);
            record.machine = number;
            store.write_game(1, 0, record);
        }
        store.write_pair(1, 0, test::sample_pair(2));
    }
    t.add_run("c.db", run_at(20), 0, 1);
    (void)t.merge({"a.db", "b.db", "c.db"});
    const Store out(t.path("out.db"), Store::Access::Read);
    const RunRecord run = *out.find_run("1");
    CHECK(run.machine_of(other.id()).host == "elsewhere");
    // What either copy knows of it.
    CHECK(run.machine_of(other.id()).nps == 5e5);
    CHECK(run.machine_of(other.id()).trouble == "its clock is wrong");
    CHECK(tally_of(out, run, 0).machines() == std::vector<std::int64_t>{0, other.id()});
    CHECK(out.find_run("2")->other_machines.empty());
}

TEST_CASE("Merge: a game of which two copies differ is named, and nothing is written") {
    const MergeTest t;
    t.add_run("a.db", run_at(10), 0, 3);
    t.add_run("b.db", run_at(10), 0, 3);
    t.exec("b.db", "UPDATE games SET used_us = used_us + 1 WHERE pair = 1 AND game = 1");
    const std::string why = t.refusal({"a.db", "b.db"});
    CHECK_MESSAGE(contains(why, "b.db run 1 and "), why);
    CHECK_MESSAGE(contains(why,
                           "are the same run, but game 4 of 'match' (pair 2) "
                           "differs"),
                  why);
    CHECK_FALSE(std::filesystem::exists(t.path("out.db")));
    t.exec("b.db", "UPDATE games SET used_us = used_us - 1 WHERE pair = 1 AND game = 1");
    t.exec("b.db", "UPDATE records SET moves = x'0100' WHERE id = 2");
    CHECK(contains(t.refusal({"a.db", "b.db"}), "game 2 of 'match' (pair 1)"));
}

TEST_CASE("Merge: a run that began at the same moment with another program is no copy") {
    const auto refused = [](const std::function<void(RunRecord&)>& change) {
        const MergeTest t;
        RunRecord other = run_at(10);
        change(other);
        t.add_run("a.db", run_at(10), 0, 1);
        t.add_run("b.db", other, 0, 1);
        return t.refusal({"a.db", "b.db"});
    };
    CHECK(contains(refused([](RunRecord& run) { run.versions[1].sha256 = "99"; }),
                   "but program 'base' is a different file (SHA-256)"));
    CHECK(contains(refused([](RunRecord& run) { run.versions[0].files.pop_back(); }),
                   "but program 'head' is a different file"));
    CHECK(contains(refused([](RunRecord& run) { run.plan.seed = 7; }), "but their seeds differ"));
    CHECK(contains(refused([](RunRecord& run) { run.plan_hash = "x"; }), "but their plans differ"));
    CHECK(contains(refused([](RunRecord& run) { run.book_hashes[0] = "x"; }),
                   "but their books differ"));
    // On another machine, or under another name, it is another run.
    CHECK(refused([](RunRecord& run) {
              run.machine.host = "other";
              run.plan.seed = 7;
          }) == "merged");
    CHECK(refused([](RunRecord& run) { run.name = "gate"; }) == "merged");
}

TEST_CASE("Merge: runs of one microsecond, host and name are two where each has its own identity") {
    const MergeTest t;
    RunRecord one = run_at(10);
    one.uid = drawn_uid();
    RunRecord other = run_at(10);
    other.uid = drawn_uid();
    other.plan.seed = 7;
    t.add_run("a.db", one, 0, 2);
    t.add_run("b.db", other, 0, 2);
    CHECK(t.merge({"a.db", "b.db"}).runs.size() == 2);
}

namespace {

/// Shard `index` of 3 of a run of 7 pairs, played on a host of its own.
RunRecord shard_run(int index) {
    RunRecord run = run_at(10 + index);
    run.plan.matches[0].pairs = 7;
    run.plan.matches[0].stop.rule = StopPlan::Rule::Fixed;
    run.uid = "0123456789abcdef0123456789abcdef";
    run.shard = Shard{index, 3};
    run.machine.host = "host" + std::to_string(index);
    run.state = RunState::Finished;
    return run;
}

void add_shard(const MergeTest& t, const std::string& name, int index, std::int64_t pairs,
               const std::string& uid = shard_run(1).uid) {
    Store store = t.open(name);
    RunRecord run = shard_run(index);
    run.uid = uid;
    const std::int64_t id = store.begin_run(run);
    for (std::int64_t position = 0; position < pairs; ++position)
        write_sample_pair(store, id, run.shard->pair_at(position));
    RunMeters meters;
    meters.wall_us = 100 * index;
    meters.voided = 1;
    meters.between_games = {{1, 0}, {0, 2}};
    store.set_meters(id, 0, meters);
}

}  // namespace

TEST_CASE("Merge: shards are one open run with the pairs, machines and meters of all") {
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"1.db", "2.db", "3.db"}, {"3.db", "1.db", "2.db"}}) {
        const MergeTest t;
        add_shard(t, "1.db", 1, 3);
        add_shard(t, "2.db", 2, 2);
        add_shard(t, "3.db", 3, 2);
        const RunRecord part = *t.open("2.db").find_run("1");
        CHECK(part.plan.matches[0].pairs == 2);
        CHECK(part.plan.matches[0].stop.rule == StopPlan::Rule::None);
        CHECK(tally_of(t.open("2.db"), part, 0).pairs() == 2);
        const MergeResult merged = t.merge(order);
        REQUIRE(merged.runs.size() == 1);
        CHECK(merged.runs[0].games == 14);
        CHECK(merged.runs[0].lacks.empty());
        const Store out(t.path("out.db"), Store::Access::Read);
        const RunRecord run = *out.find_run("1");
        CHECK_FALSE(run.shard);
        CHECK(run.uid == "0123456789abcdef0123456789abcdef");
        CHECK(run.state == RunState::Interrupted);
        CHECK_FALSE(run.findings.exit_code);
        CHECK(run.plan.matches[0].pairs == 7);
        CHECK(run.plan.matches[0].stop.rule == StopPlan::Rule::Fixed);
        CHECK(run.other_machines.size() == 2);
        const MatchTally tally = tally_of(out, run, 0);
        CHECK(tally.pairs() == 7);
        CHECK(tally.machines().size() == 3);
        for (const PairDigest& pair : out.pairs(1, 0)) {
            CHECK(run.machine_of(pair.machine).host == "host" + std::to_string(pair.pair % 3 + 1));
        }
        const RunMeters meters = out.meters(1, 0);
        CHECK(meters.wall_us == 300);
        CHECK(meters.voided == 3);
        CHECK(meters.between_games == std::vector<FaultsBetweenGames>{{3, 0}, {0, 6}});
    }
}

TEST_CASE("Merge: what shards lack is told, and comes with a later merge") {
    const MergeTest t;
    add_shard(t, "1.db", 1, 3);
    add_shard(t, "2.db", 2, 1);
    const MergeResult merged = t.merge({"2.db", "1.db"});
    REQUIRE(merged.runs.at(0).lacks.size() == 1);
    CHECK(merged.runs[0].lacks[0].pairs == 3);
    CHECK(merged.runs[0].lacks[0].of == 7);
    CHECK(merged.runs[0].lacks[0].first == 2);
    std::filesystem::rename(t.path("out.db"), t.path("first.db"));
    add_shard(t, "3.db", 3, 2);
    std::filesystem::remove(t.path("2.db"));
    add_shard(t, "2.db", 2, 2);
    // The whole, a shard that is in it with one pair more, and one that it lacks.
    CHECK(t.merge({"2.db", "3.db", "first.db"}).runs.at(0).lacks.empty());
    const Store out(t.path("out.db"), Store::Access::Read);
    const RunRecord run = *out.find_run("1");
    CHECK_FALSE(run.shard);
    CHECK(run.state == RunState::Interrupted);
    CHECK(tally_of(out, run, 0).pairs() == 7);
    for (const PairDigest& pair : out.pairs(1, 0))
        CHECK(run.machine_of(pair.machine).host == "host" + std::to_string(pair.pair % 3 + 1));
}

TEST_CASE(
    "Merge: one shard alone becomes a run that lacks the others, and two copies of it are one") {
    const MergeTest t;
    add_shard(t, "1.db", 1, 2);
    std::filesystem::copy_file(t.path("1.db"), t.path("copy.db"));
    const MergeResult merged = t.merge({"1.db", "copy.db"});
    CHECK(merged.runs.at(0).games == 4);
    REQUIRE(merged.runs[0].lacks.size() == 1);
    CHECK(merged.runs[0].lacks[0].pairs == 5);
    CHECK(merged.runs[0].lacks[0].of == 7);
    const Store out(t.path("out.db"), Store::Access::Read);
    CHECK_FALSE(out.find_run("1")->shard);
    CHECK(out.find_run("1")->state == RunState::Interrupted);
    CHECK(out.meters(1, 0).voided == 1);
}

TEST_CASE("Merge: shards that only look alike are told") {
    const MergeTest t;
    add_shard(t, "1.db", 1, 2);
    RunRecord other = shard_run(2);
    other.uid = "fedcba9876543210fedcba9876543210";
    t.add_run("2.db", other, 1, 1);
    const MergeResult merged = t.merge({"1.db", "2.db"});
    CHECK(merged.runs.size() == 2);
    REQUIRE(merged.warnings.size() == 1);
    CHECK(contains(merged.warnings[0], "1.db run 1 and "));
    CHECK(contains(merged.warnings[0], "are shards of two runs: their keys differ (--shard-key)"));
}

TEST_CASE("Merge: whole runs of the same shards, as those of two nights, are no look-alikes") {
    const MergeTest t;
    const std::string other = "fedcba9876543210fedcba9876543210";
    for (const auto& [index, pairs] : {std::pair{1, 3}, {2, 2}, {3, 2}}) {
        add_shard(t, "night1-" + std::to_string(index), index, pairs);
        add_shard(t, "night2-" + std::to_string(index), index, pairs, other);
    }
    const MergeResult merged =
        t.merge({"night1-1", "night1-2", "night1-3", "night2-1", "night2-2", "night2-3"});
    CHECK(merged.runs.size() == 2);
    CHECK(merged.warnings.empty());
}

TEST_CASE("Merge: a run of shards has its place by the shard that began first") {
    const MergeTest t;
    add_shard(t, "3.db", 3, 2);
    add_shard(t, "1.db", 1, 3);
    t.add_run("gate.db", run_at(12, "gate"), 0, 1);  // after the first shard, before the third
    const MergeResult merged = t.merge({"3.db", "1.db", "gate.db"});
    REQUIRE(merged.runs.size() == 2);
    CHECK(merged.runs[0].name == "nightly");
    CHECK(merged.runs[1].name == "gate");
}

TEST_CASE("Merge: a shard of another division, seed, book or program is refused") {
    const auto refused = [](const std::function<void(RunRecord&)>& change) {
        const MergeTest t;
        add_shard(t, "1.db", 1, 2);
        RunRecord other = shard_run(2);
        change(other);
        t.add_run("2.db", other, 1, 1);
        return t.refusal({"1.db", "2.db"});
    };
    CHECK(contains(refused([](RunRecord& run) { run.shard->count = 4; }),
                   "but one is shard 2/4 and the other 1/3"));
    CHECK(contains(refused([](RunRecord& run) { run.plan.seed = 7; }), "but their seeds differ"));
    CHECK(
        contains(refused([](RunRecord& run) { run.book_hashes[0] = "x"; }), "their books differ"));
    CHECK(contains(refused([](RunRecord& run) { run.versions[0].bench->nodes = 1; }), "merged") ==
          true);
    CHECK(contains(refused([](RunRecord& run) {
                       run.versions[0].sha256 = "99";
                       run.versions[0].bench->nodes = 1;
                   }),
                   "program 'head' is another build"));
}

TEST_CASE(
    "Merge: packed trees come along under the run's new number; one that is gone is counted") {
    const MergeTest t;
    t.add_run("a.db", run_at(10), 0, 1);
    const std::int64_t run = t.add_run("b.db", run_at(20), 0, 0);
    for (std::size_t position = 0; position < 2; ++position) {
        SearchRecord search;
        search.position = position;
        search.tree = tree_file(run, "head", std::to_string(position));
        search.answers.resize(1);
        search.answers[0].value = 3.5;
        t.open("b.db").write_search(run, search);
    }
    const std::filesystem::path tree =
        std::filesystem::path(trees_folder(t.path("b.db"))) / tree_file(run, "head", "0");
    std::filesystem::create_directories(tree.parent_path());
    write_file(tree.string(), "packed");
    CHECK(t.merge({"a.db", "b.db"}).missing_trees == 1);
    const std::vector<SearchRecord> found =
        Store(t.path("out.db"), Store::Access::Read).searches(2);
    REQUIRE(found.size() == 2);
    CHECK(found[0].tree == tree_file(2, "head", "0"));
    CHECK(read_file(trees_folder(t.path("out.db")) + "/" + found[0].tree) == "packed");
    CHECK(found[1].tree.empty());
    CHECK(found[1].answers.at(0).value == 3.5);
}

TEST_CASE("Merge: of two copies of a run either may have its trees") {
    for (const char* owner : {"a.db", "b.db"}) {
        const MergeTest t;
        for (const char* name : {"a.db", "b.db"}) {
            const std::int64_t run = t.add_run(name, run_at(10), 0, 0);
            SearchRecord search;
            search.tree = tree_file(run, "head", "0");
            t.open(name).write_search(run, search);
        }
        const std::filesystem::path tree =
            std::filesystem::path(trees_folder(t.path(owner))) / tree_file(1, "head", "0");
        std::filesystem::create_directories(tree.parent_path());
        write_file(tree.string(), "packed");
        CAPTURE(owner);
        CHECK(t.merge({"a.db", "b.db"}).missing_trees == 0);
        const std::vector<SearchRecord> found =
            Store(t.path("out.db"), Store::Access::Read).searches(1);
        REQUIRE(found.size() == 1);
        CHECK(found[0].tree == tree_file(1, "head", "0"));
        CHECK(read_file(trees_folder(t.path("out.db")) + "/" + found[0].tree) == "packed");
    }
}

TEST_CASE("Merge: a tree's name that leads out of its folder is refused") {
    const MergeTest t;
    t.add_run("a.db", run_at(10), 0, 1);
    const std::int64_t run = t.add_run("b.db", run_at(20), 0, 0);
    SearchRecord search;
    search.tree = "1/../../../elsewhere";
    t.open("b.db").write_search(run, search);
    CHECK_THROWS_AS((void)t.merge({"a.db", "b.db"}), assay::Error);
    CHECK_FALSE(std::filesystem::exists(t.path("out.db")));
}

TEST_CASE("Merge: searches of which two copies differ are refused") {
    const MergeTest t;
    for (const char* name : {"a.db", "b.db"}) {
        const std::int64_t run = t.add_run(name, run_at(10), 0, 0);
        SearchRecord search;
        search.nodes = name[0] == 'a' ? 100 : 101;
        t.open(name).write_search(run, search);
    }
    CHECK(contains(t.refusal({"a.db", "b.db"}), "but the search of position 1 of its suite"));
}

TEST_CASE("Merge: what is there is not overwritten, and what is no store not taken") {
    const MergeTest t;
    t.add_run("a.db", run_at(10), 0, 1);
    write_file(t.path("text.db"), "no store at all, though it is longer than a header");
    CHECK(contains(t.refusal({"a.db", "text.db"}), "is not an assay store"));
    CHECK(contains(t.refusal({"a.db", "none.db"}), "there is no such store"));
    CHECK(contains(t.refusal({"a.db", "./a.db"}), "is named twice"));
    write_file(t.path("out.db"), "mine");
    CHECK(contains(t.refusal({"a.db"}), "already exists"));
    CHECK(read_file(t.path("out.db")) == "mine");
}

TEST_CASE("Merge: of copies with the same games the one that ended later is taken") {
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"a.db", "b.db"}, {"b.db", "a.db"}}) {
        const MergeTest t;
        t.add_run("a.db", run_at(10), 0, 2);
        t.add_run("b.db", run_at(10), 0, 2);
        t.open("a.db").set_state(1, RunState::Interrupted, "stopped by a signal");
        t.open("b.db").set_state(1, RunState::Finished, "");
        t.exec("a.db", "UPDATE runs SET ended_us = 100");
        t.exec("b.db", "UPDATE runs SET ended_us = 101");
        CHECK(t.merge(order).runs.at(0).games == 4);
        const Store out(t.path("out.db"), Store::Access::Read);
        CHECK(out.find_run("1")->state == RunState::Finished);
    }
}

TEST_CASE("Merge: of copies with the same games a finished one beats one without an end") {
    for (const std::vector<std::string>& order :
         {std::vector<std::string>{"a.db", "b.db"}, {"b.db", "a.db"}}) {
        const MergeTest t;
        t.add_run("a.db", run_at(10), 0, 2);
        t.add_run("b.db", run_at(10), 0, 2);
        t.open("b.db").set_state(1, RunState::Finished, "");
        CHECK(t.merge(order).runs.at(0).games == 4);
        const Store out(t.path("out.db"), Store::Access::Read);
        CHECK(out.find_run("1")->state == RunState::Finished);
    }
}

}  // namespace assay::harness
