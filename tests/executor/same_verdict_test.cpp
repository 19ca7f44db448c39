// One match of 200 pairs, however it is divided: pairs, pentanomial, verdict and LLR are those of
// one machine to the last digit, and so is every game. In ./check, between players that answer at
// once, each test is played by another number of nodes; in ./check --long our player plays all of
// it with 1,000 nodes a move.
#include <cstdint>
#include <string>
#include <vector>

#include <boost/json/value.hpp>
#include <doctest/doctest.h>

#include "tests/executor/fleet_folder.h"
#include "tests/support/contains.h"
#include "tests/support/how_many.h"
#include "tests/support/slurm_cluster.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::FleetFolder;
using assay::test::is_long;
using assay::test::SlurmCluster;

namespace {

constexpr int kPairs = 200;

/// The match under one stop rule, as one machine played it.
class SameRun : public FleetFolder {
public:
    explicit SameRun(const std::string& stop) : stop_("stop: " + stop + "\n") {
        divide("slots: 1");
        whole_ = assay({"gate", "local.yaml", "--db", "whole.db"});
        expected_ = decision_in("whole.db");
        games_ = games_in("whole.db", pairs());
    }

    /// Writes the configs again, with these keys of executor.slurm.
    void divide(const std::string& slurm) {
        std::string config = repeatable_config(kPairs) + stop_;
        if (is_long()) {
            const std::string instant = program("instant");
            const std::string player = program("player");
            for (std::size_t at = config.find(instant); at != std::string::npos;
                 at = config.find(instant, at + player.size()))
                config.replace(at, instant.size(), player);
            replace(config, "options: {Seed: 1}", "options: {Killers: true}");
            replace(config, "options: {Seed: 2}", "options: {Killers: false}");
            replace(config, "{nodes: 100}", "{nodes: 1000}");
        }
        write_both(config, "batch: 20, " + slurm);
    }

    /// That count.
    [[nodiscard]] int pairs() const { return std::stoi(expected_.substr(6)); }

    [[nodiscard]] const std::string& expected() const { return expected_; }

    void check_same(const Finished& finished, const std::string& store) const {
        CHECK_MESSAGE(finished.code == whole_.code, finished.out, finished.err);
        CHECK(decision_in(store) == expected_);
        CHECK(games_in(store, pairs()) == games_);
    }

    void by_slurm(const SlurmCluster& cluster, const std::string& nodes, const char* slots) {
        CAPTURE(slots);
        forget_fleet();
        divide(std::string("slots: ") + slots + ", options: " + nodes);
        const std::string store = std::string("slurm-") + slots + ".db";
        const Finished played = assay({"gate", "fleet.yaml", "--db", store});
        check_same(played, store);
        // Its table of machines tells nodes of one host apart.
        CHECK_MESSAGE(contains(played.out, " n1 ") == (*slots != '1'), played.out);
        const Finished shown =
            assay({"fleet", "status", "fleet.yaml", "--db", store, "--json", "--check"});
        REQUIRE_MESSAGE(shown.code == 0, shown.out, shown.err);
        const boost::json::value status = assay::test::parsed(shown.out);
        CHECK(status.at("batches").at("done").as_int64() == static_cast<std::int64_t>(parts()));
        CHECK(status.at("nodes").as_object().size() == static_cast<std::size_t>(*slots - '0'));
        CHECK(status.at("stopped").as_bool());
        // Nothing is left in the queue, and the folder says that it is over.
        CHECK(cluster.ask({"squeue", "-h"}).empty());
        CHECK(contains(assay({"work", "--batch", run_folder(), "0"}).out, "nothing to do"));
    }

    void by_parallel() {
        forget_fleet();
        divide("submit: false");
        Child coordinator(assay_argv({"gate", "fleet.yaml", "--db", "parallel.db"}), root());
        REQUIRE(coordinator.until([&] { return !run_folder().empty(); }));
        const Finished workers = assay::test::run(
            {"sh", "-c",
             "seq 0 9 | parallel --will-cite -j 2 " ASSAY_BINARY_DIR "/assay work --batch " +
                 run_folder()},
            root());
        CHECK_MESSAGE(workers.code == 0, workers.out, workers.err);
        check_same(coordinator.wait(), "parallel.db");
    }

    void by_shards(int count) const {
        CAPTURE(count);
        const std::string prefix = "shards-" + std::to_string(count) + "-";
        std::vector<std::string> merge{"merge"};
        for (int index = 1; index <= count; ++index) {
            merge.push_back(prefix + std::to_string(index) + ".db");
            const Finished part = assay({"gate", "local.yaml", "--db", merge.back(), "--shard",
                                         std::to_string(index) + "/" + std::to_string(count)});
            CHECK_MESSAGE(part.code == 0, part.out, part.err);
        }
        const std::string store = prefix + "all.db";
        merge.insert(merge.end(), {"-o", store});
        const Finished merged = assay(merge);
        REQUIRE_MESSAGE(merged.code == 0, merged.out, merged.err);
        check_same(assay({"gate", "local.yaml", "--db", store, "--resume"}), store);
    }

private:
    static void replace(std::string& text, const std::string& what, const std::string& by) {
        text.replace(text.find(what), what.size(), by);
    }

    std::string stop_;
    Finished whole_;
    std::string expected_;
    std::string games_;
};

}  // namespace

TEST_CASE("Same verdict: 200 pairs by Slurm, parallel and shards are those of one machine") {
    const SlurmCluster cluster(4);

    struct Case {
        const char* stop;
        int first;  // the least and the most pairs that the decision may rest on
        int last;
    };

    struct Nodes {
        const char* options;
        const char* count;
    };

    // A test that decides soon, one that decides late, and one that never does.
    const std::vector<Case> cases{{"{sprt: {nelo: [-400, -200]}}", 1, 50},
                                  {"{closing: {nelo: [-30, 60]}}", 51, 199},
                                  {"{fixed: {alpha: 0.05}}", 200, 200}};
    const std::vector<Nodes> all{
        {"['--exclude=n[3-4]']", "2"}, {"['--exclude=n[2-4]']", "1"}, {"[--nodes=1]", "4"}};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& one = cases[i];
        CAPTURE(one.stop);
        SameRun run(one.stop);
        CHECK_MESSAGE(run.pairs() >= one.first, run.expected());
        CHECK_MESSAGE(run.pairs() <= one.last, run.expected());
        for (std::size_t j = 0; j < all.size(); ++j)
            if (is_long() || i == j) run.by_slurm(cluster, all[j].options, all[j].count);
        if (is_long() || i == 1) run.by_parallel();
        // In ./check those of e2e's tests of shards.
        if (is_long())
            for (const int count : {1, 3, 8}) run.by_shards(count);
    }
}
