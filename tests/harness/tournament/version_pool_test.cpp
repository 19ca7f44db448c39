#include "harness/tournament/version_pool.h"

#include <algorithm>

#include <doctest/doctest.h>

using namespace assay::harness;

namespace {

/// A run of "head" against "base", each built from a commit.
RunRecord night(std::int64_t id, const std::string& head, const std::string& base) {
    RunRecord run;
    run.id = id;
    run.name = "nightly";
    run.started_us = 1000 * id;
    run.plan.programs.resize(2);
    run.plan.programs[0].name = "head";
    run.plan.programs[1].name = "base";
    run.plan.matches.resize(1);
    run.versions.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string& commit = i == 0 ? head : base;
        run.versions[i].name = run.plan.programs[i].name;
        run.versions[i].sha256 = "sha-of-" + commit;
        SourceRecord source;
        source.commit = commit;
        source.subject = "Subject of " + commit.substr(0, 3);
        run.versions[i].source = source;
    }
    return run;
}

/// A pair of which program 0 of the match got these half points: with the first move, without it.
PairDigest played_pair(int ahead, int behind, bool is_swapped = false) {
    PairDigest pair;
    for (std::size_t game = 0; game < 2; ++game) {
        GameDigest& digest = pair.games[game];
        const bool has_first_move = (game == 0) != is_swapped;
        digest.program = has_first_move ? Lineup{0, 1} : Lineup{1, 0};
        digest.scores.players = 2;
        const auto score = static_cast<float>(has_first_move ? ahead : behind) / 2;
        const std::size_t player = has_first_move ? 0 : 1;
        digest.scores.value[player] = score;
        digest.scores.value[1 - player] = 1 - score;
    }
    return pair;
}

double count_of(const assay::stats::RatedPairs& row, int ahead, int behind) {
    return row.counts[static_cast<std::size_t>(3 * ahead + behind)];
}

}  // namespace

TEST_CASE("VersionPool: a commit is one version, whatever it is called, and heads are told apart") {
    VersionPool pool(VersionsBy::Commit);
    pool.add(night(1, "bbbbbbbbbb", "aaaaaaaaaa"), 0, {played_pair(2, 1), played_pair(2, 0)});
    // What was head is base now.
    pool.add(night(2, "cccccccccc", "bbbbbbbbbb"), 0, {played_pair(1, 1)});
    const std::vector<PooledVersion> versions = pool.versions();
    REQUIRE(versions.size() == 3);
    CHECK(versions[0].label == "bbbbbbb Subject of bbb");
    CHECK(versions[0].names == std::set<std::string>{"base", "head"});
    CHECK(versions[0].name == "base");
    CHECK(versions[0].runs == 2);
    CHECK(versions[0].first_us == 1000);
    CHECK(versions[0].last_us == 2000);
    CHECK(versions[2].label == "ccccccc Subject of ccc");
    const auto rows = pool.results();
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].first == 0);
    CHECK(rows[0].second == 1);
    CHECK(count_of(rows[0], 2, 1) == 1);
    CHECK(count_of(rows[0], 2, 0) == 1);
    // By name they are two programs, and the pool says that each stands for two versions.
    VersionPool by_name(VersionsBy::Name);
    by_name.add(night(1, "bbbbbbbbbb", "aaaaaaaaaa"), 0, {played_pair(2, 1)});
    by_name.add(night(2, "cccccccccc", "bbbbbbbbbb"), 0, {played_pair(1, 1)});
    REQUIRE(by_name.versions().size() == 2);
    CHECK(by_name.versions()[0].label == "head");
    CHECK(by_name.versions()[0].builds == 2);
    CHECK(by_name.versions()[0].commit.empty());
    CHECK(by_name.results()[0].pairs() == 2);
}

TEST_CASE("VersionPool: a version is as old as its first run, in whatever order runs are read") {
    VersionPool pool(VersionsBy::Commit);
    pool.add(night(2, "cccccccccc", "bbbbbbbbbb"), 0, {played_pair(1, 1)});
    pool.add(night(1, "bbbbbbbbbb", "aaaaaaaaaa"), 0, {played_pair(2, 1)});
    const std::vector<PooledVersion> versions = pool.versions();
    REQUIRE(versions.size() == 3);
    CHECK(versions[1].names == std::set<std::string>{"base", "head"});
    CHECK(versions[1].name == "base");  // as it was called last
    CHECK(versions[1].first_us == 1000);
    CHECK(versions[1].last_us == 2000);
}

TEST_CASE("VersionPool: results keep who had the first move, whoever is named first") {
    VersionPool pool(VersionsBy::Commit);
    pool.add(night(1, "b", "a"), 0, {played_pair(2, 0, true)});
    // The same two with their places in the match changed: program 0 is now the other one, and
    // loses its game with the first move and draws the other one.
    pool.add(night(2, "a", "b"), 0, {played_pair(0, 1)});
    const auto rows = pool.results();
    REQUIRE(rows.size() == 1);
    CHECK(count_of(rows[0], 2, 0) == 1);
    // b had the first move in the second game, which was drawn, and won the first one.
    CHECK(count_of(rows[0], 1, 2) == 1);
    CHECK(rows[0].pairs() == 2);
    CHECK(rows[0].games()[0].wins == 1);
    CHECK(rows[0].games()[0].draws == 1);
    CHECK(rows[0].games()[1].wins == 1);
    CHECK(rows[0].games()[1].losses == 1);
}

TEST_CASE("VersionPool: where sides stay, both games count for the program that moved first") {
    VersionPool pool(VersionsBy::Commit);
    PairDigest pair = played_pair(2, 0);  // program 0 wins as first, loses as second
    pair.games[1] = pair.games[0];        // and again as first, instead
    pool.add(night(1, "b", "a"), 0, {pair, played_pair(2, 0)});
    // Program 1 had the first move in both games of this one, and lost both.
    PairDigest other = played_pair(0, 2);
    other.games[0] = other.games[1];
    pool.add(night(2, "b", "a"), 0, {other});
    double as_first = 0;
    double won_as_first = 0;
    for (const assay::stats::RatedPairs& row : pool.results()) {
        for (const assay::stats::RatedGames& half : row.games()) {
            if (half.first != 0) continue;
            as_first += half.wins + half.draws + half.losses;
            won_as_first += half.wins;
        }
    }
    CHECK(as_first == 3);  // two of the first pair, one of the second, none of the third
    CHECK(won_as_first == 3);
    CHECK(pool.pairs() == 3);
    REQUIRE(pool.results().size() == 3);
}

TEST_CASE("VersionPool: options are the same in any order and in capitals or small letters") {
    VersionPool pool(VersionsBy::Commit);
    RunRecord run = night(1, "aaaaaaaaaa", "aaaaaaaaaa");
    run.plan.programs[0].options = {{"Hash", "64"}, {"Threads", "2"}};
    run.plan.programs[1].options = {{"threads", "2"}, {"hash", "64"}};
    pool.add(run, 0, {played_pair(1, 1)});
    CHECK(pool.own_pairs() == 1);
}

TEST_CASE("VersionPool: options belong to a version, and a version against itself is left out") {
    VersionPool pool(VersionsBy::Commit);
    RunRecord run = night(1, "aaaaaaaaaa", "aaaaaaaaaa");
    pool.add(run, 0, {played_pair(1, 1)});
    CHECK(pool.own_pairs() == 1);
    CHECK(pool.pairs() == 0);
    run.plan.programs[0].options = {{"Hash", "64"}};
    pool.add(run, 0, {played_pair(2, 1)});
    CHECK(pool.pairs() == 1);
    std::vector<std::string> labels;
    for (const PooledVersion& version : pool.versions()) labels.push_back(version.label);
    CHECK(labels ==
          std::vector<std::string>{"aaaaaaa Subject of aaa", "aaaaaaa Subject of aaa [Hash=64]"});
}

TEST_CASE("VersionPool: programs of a tournament that differ by their limits alone are two") {
    RunRecord run = night(1, "aaaaaaaaaa", "aaaaaaaaaa");
    run.plan.tournament.emplace().time.resize(2);
    for (TimeControl& time : run.plan.tournament->time) time.kind = TimeControl::Kind::Nodes;
    run.plan.tournament->time[0].nodes = 1000;
    run.plan.tournament->time[1].nodes = 2000;
    VersionPool pool(VersionsBy::Commit);
    pool.add(run, 0, {played_pair(2, 1)});
    REQUIRE(pool.versions().size() == 2);
    CHECK(pool.versions()[0].label == "aaaaaaa Subject of aaa [nodes 1000]");
    CHECK(pool.versions()[1].label == "aaaaaaa Subject of aaa [nodes 2000]");
    CHECK(pool.own_pairs() == 0);
    // At equal limits they are one, as in a match at whatever limits.
    run.plan.tournament->time[1].nodes = 1000;
    VersionPool other(VersionsBy::Commit);
    other.add(run, 0, {played_pair(2, 1)});
    CHECK(other.versions().size() == 1);
}

TEST_CASE("VersionPool: by sha256 two commits of one executable are one version") {
    VersionPool pool(VersionsBy::Sha256);
    RunRecord run = night(1, "bbbbbbbbbb", "aaaaaaaaaa");
    run.versions[0].sha256 = run.versions[1].sha256 = "0123456789abcdef";
    pool.add(run, 0, {played_pair(1, 1)});
    CHECK(pool.own_pairs() == 1);
    // Scripts are one version where all files of their trees are the same as well.
    run.versions[0].surroundings = "tree of b";
    run.versions[1].surroundings = "tree of a";
    VersionPool scripts(VersionsBy::Sha256);
    scripts.add(run, 0, {played_pair(1, 1)});
    CHECK(scripts.versions().size() == 2);
    // A program without a commit is known by its executable, by commit too.
    VersionPool by_commit(VersionsBy::Commit);
    run.versions[0].source.reset();
    by_commit.add(run, 0, {played_pair(1, 1)});
    REQUIRE(by_commit.versions().size() == 2);
    CHECK(by_commit.versions()[0].label == "0123456789ab head");
}

TEST_CASE("VersionPool: its ways have the names of the flag") {
    CHECK(versions_by("commit") == VersionsBy::Commit);
    CHECK(versions_by("name") == VersionsBy::Name);
    CHECK(versions_by("sha256") == VersionsBy::Sha256);
    CHECK_FALSE(versions_by("path"));
}
