// Tournaments as users play them: the built program, real processes, and what is in the store.
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/random.h"
#include "base/text.h"
#include "tests/e2e/bench_run.h"
#include "tests/support/contains.h"
#include "tests/support/how_many.h"

using assay::test::Child;
using assay::test::contains;
using assay::test::Finished;
using assay::test::parsed;
using assay::test::RunFolder;

namespace {

/// "p0" and so on: players that differ by their seeds, and come to the same results each time.
std::string programs_text(RunFolder& folder, int programs) {
    const std::string instant = folder.program("instant");
    std::string text = "programs:\n";
    for (int i = 0; i < programs; ++i)
        text += "  p" + std::to_string(i) + ": {command: [" + instant +
                "], options: {Seed: " + std::to_string(i + 1) + "}}\n";
    return text;
}

std::string config_of(RunFolder& folder, int programs, const std::string& tournament,
                      const std::string& more = "") {
    return programs_text(folder, programs) + "tournament: {" + tournament +
           "}\nmatch: {time: {nodes: 10}, concurrency: 2, seed: 7, adjudicate: {length: 40}}\n" +
           more;
}

/// One tournament of each kind, of five programs, and two of single games.
const std::vector<std::string>& kinds() {
    static const std::vector<std::string> all{
        "kind: round_robin, rounds: 2",
        "kind: gauntlet, seeds: 2, rounds: 2",
        "kind: pyramid, openings: 2",
        "kind: least_played, rounds: 2",
        "kind: knockout, replays: 2",
        "kind: swiss, rounds: 3, openings: 2",
        "kind: round_robin, games: 1, openings: 3",
        "kind: knockout, games: 1, replays: 1, armageddon: true"};
    return all;
}

/// From the table's head to its end.
std::string table_in(const std::string& out) {
    const std::size_t at = out.find("rank  program");
    if (at == std::string::npos) return "no table in: " + out;
    return out.substr(at, out.find("\n\n", at) - at);
}

class StoredGames {
public:
    explicit StoredGames(const RunFolder& folder)
        : store_(folder.root() + "/assay.db", SQLite::OPEN_READONLY, 5000) {}

    [[nodiscard]] int number(const std::string& sql) {
        return store_.execAndGet("SELECT " + sql).getInt();
    }

    [[nodiscard]] int pairs() { return number("count(*) FROM pairs"); }

    /// Of those that were played twice.
    [[nodiscard]] int doubles() {
        return number("count(*) - count(DISTINCT run || ':' || match || ':' || pair) FROM pairs");
    }

private:
    SQLite::Database store_;
};

/// Games by "White Black" in a PGN file.
std::map<std::string, int> games_by_names(const std::string& pgn) {
    std::map<std::string, int> games;
    std::string white;
    std::size_t at = 0;
    while ((at = pgn.find("[White \"", at)) != std::string::npos) {
        at += 8;
        white = pgn.substr(at, pgn.find('"', at) - at);
        const std::size_t black = pgn.find("[Black \"", at) + 8;
        ++games[white + " " + pgn.substr(black, pgn.find('"', black) - black)];
    }
    return games;
}

}  // namespace

TEST_CASE(
    "Tournament: in a round robin all meet equally often, with both colours, in the PGN too") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 5, "kind: round_robin, rounds: 3, openings: 2"));
    const Finished played = folder.assay({"run", "t.yaml"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    CHECK(contains(played.out, "t · round robin of 5 programs · "));
    CHECK(contains(played.out, "30 meetings of 2 pairs each: 120 games\n"));
    CHECK(contains(played.out, "30 of 30 meetings, 120 games\n"));
    const Finished pgn = folder.assay({"report", "--format", "pgn"});
    REQUIRE_MESSAGE(pgn.code == 0, pgn.err);
    const auto games = games_by_names(pgn.out);
    CHECK(games.size() == 20);
    for (const auto& one : games) {
        CAPTURE(one.first);
        CHECK(one.second == 6);
    }
    CHECK(folder.is_quiet());
}

TEST_CASE("Tournament: each kind is cut by kills, taken up, and ends as it would have") {
    std::size_t was_killed = 0;
    for (const std::string& kind : kinds()) {
        CAPTURE(kind);
        RunFolder whole;
        whole.write("t.yaml", config_of(whole, 5, kind));
        const Finished uncut = whole.assay({"run", "t.yaml"});
        REQUIRE_MESSAGE(uncut.code == 0, uncut.err);

        RunFolder cut;
        cut.write("t.yaml", config_of(cut, 5, kind));
        assay::Random random(assay::mix64(20261129, kind.size()));
        std::string out;
        for (int i = 0; i < 30 && out.empty(); ++i) {
            Child child(cut.assay_argv({"run", "t.yaml", "--resume"}), cut.root());
            const int stored = cut.games_stored();
            // In a long run at shorter distances, so more often.
            const int more = static_cast<int>(assay::test::is_long() ? 1 + random.below(6)
                                                                     : 3 + random.below(9));
            (void)child.until([&] { return cut.games_stored() >= stored + more; });
            child.signal(SIGKILL);
            const Finished ended = child.wait();
            CHECK(cut.is_quiet());
            if (ended.code == 128 + SIGKILL) {
                ++was_killed;
                // The kill came behind the end: another --resume would begin a run.
                if (StoredGames(cut).number("count(*) FROM runs WHERE state = 'finished'") == 1)
                    out = cut.assay({"report"}).out;
            } else {
                REQUIRE_MESSAGE(ended.code == 0, ended.err);
                out = ended.out;
            }
        }
        if (out.empty()) {
            const Finished rest = cut.assay({"run", "t.yaml", "--resume"});
            REQUIRE_MESSAGE(rest.code == 0, rest.err);
            out = rest.out;
        }
        CHECK(table_in(out) == table_in(uncut.out));
        CHECK(StoredGames(cut).doubles() == 0);
        CHECK(StoredGames(cut).pairs() == StoredGames(whole).pairs());
        CHECK(StoredGames(cut).number("count(*) FROM runs") == 1);
        CHECK(StoredGames(cut).number("count(*) FROM games") ==
              StoredGames(cut).number("sum(2 - single) FROM pairs"));
    }
    // A run may end between the event and its kill; those of all kinds together do not.
    CHECK(was_killed >= kinds().size());
}

TEST_CASE("Tournament: single games are told by games, rated, and no pairs anywhere") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 3, "kind: round_robin, rounds: 4"));
    const Finished played = folder.assay({"run", "t.yaml", "--games", "1"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    CHECK(contains(played.out, "12 of 12 meetings, 12 games\n"));
    CHECK(StoredGames(folder).number("count(*) FROM games") == 12);
    CHECK(StoredGames(folder).number("sum(single) FROM pairs") == 12);
    const auto run = parsed(folder.assay({"report", "--format", "json"}).out);
    CHECK(run.at("tournament").at("games").as_int64() == 12);
    CHECK(run.at("tournament").at("pairs").as_int64() == 0);
    CHECK(run.at("tournament").at("single_games").as_int64() == 12);
    for (const auto& one : games_by_names(folder.assay({"report", "--format", "pgn"}).out))
        CHECK(one.second == 2);
    CHECK(contains(folder.assay({"runs"}).out, " 12/12 games "));
    const Finished rated = folder.assay({"stats", "rate", "assay.db"});
    CHECK_MESSAGE(rated.code == 0, rated.err);
    const Finished pooled = folder.assay({"stats", "pool", "assay.db", "--between", "p0,p1"});
    CHECK(pooled.code == 2);
    CHECK(contains(pooled.err, "single games cannot be pooled"));
    CHECK(folder.is_quiet());
}

TEST_CASE("Tournament: --add plays what lacks, and a program that is left out keeps its games") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 3, "kind: round_robin, rounds: 2"));
    CHECK(folder.assay({"run", "t.yaml", "--add"}).code == 2);  // there is no tournament yet
    REQUIRE(folder.assay({"run", "t.yaml"}).code == 0);
    CHECK(StoredGames(folder).pairs() == 6);

    folder.write("t.yaml", config_of(folder, 4, "kind: round_robin, rounds: 2"));
    const Finished resumed = folder.assay({"run", "t.yaml", "--resume", "--explain"});
    CHECK(resumed.code == 0);
    const Finished added = folder.assay({"run", "t.yaml", "--add"});
    REQUIRE_MESSAGE(added.code == 0, added.err);
    CHECK(contains(added.out, "; 6 meetings played before\n"));
    CHECK(StoredGames(folder).pairs() == 12);
    CHECK(StoredGames(folder).doubles() == 0);
    CHECK(StoredGames(folder).number("count(*) FROM versions") == 4);

    // Another kind under the same name, and another name.
    folder.write("g.yaml", config_of(folder, 4, "kind: gauntlet, rounds: 2"));
    const auto refused = [&](const std::string& name) {
        return folder.assay({"run", "g.yaml", "--add", "--name", name});
    };
    const std::string name =
        parsed(folder.assay({"report", "--format", "json"}).out).at("name").as_string().c_str();
    CHECK(refused(name).code == 2);
    CHECK(contains(refused(name).err,
                   "', is a round_robin tournament, and this is a gauntlet, in which others meet: "
                   "write 'kind: round_robin' to go on with that run, or give this one another "
                   "'name' and play it without --add\n"));
    CHECK(contains(refused("cup").err,
                   "there is no tournament 'cup' in assay.db: play it without --add first, or give "
                   "it the 'name' of one that is there ('" +
                       name + "')\n"));

    // Without p1, and with another one in its place in the config.
    std::string text = config_of(folder, 4, "kind: round_robin, rounds: 2");
    text.replace(text.find("p1:"), 3, "q9:");
    folder.write("t.yaml", text);
    const Finished other = folder.assay({"run", "t.yaml", "--add"});
    REQUIRE_MESSAGE(other.code == 0, other.err);
    CHECK(StoredGames(folder).pairs() == 12 + 3 * 2);
    CHECK(contains(table_in(other.out), "p1"));
    CHECK(contains(table_in(other.out), "q9"));
    CHECK(StoredGames(folder).number("count(*) FROM runs") == 1);

    // Nothing lacks now.
    CHECK(folder.assay({"run", "t.yaml", "--add"}).code == 0);
    CHECK(StoredGames(folder).pairs() == 18);
}

TEST_CASE("Tournament: --add mends a program's command under another name, and says so") {
    RunFolder folder;
    const std::string rest =
        "tournament: {kind: round_robin, rounds: 2}\nmatch: {time: {nodes: "
        "10}, seed: 7, adjudicate: {length: 20}}\n";
    const auto write = [&](const std::string& name, const std::string& argument) {
        folder.write("t.yaml", programs_text(folder, 2) + "  " + name + ": {command: [" +
                                   folder.program("misbehave") + argument + "]}\n" + rest);
    };
    write("wrong", ", --sin, exit-at-once");
    CHECK(folder.assay({"run", "t.yaml"}).code == 4);
    write("wrong", "");
    const Finished refused = folder.assay({"run", "t.yaml", "--add"});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err,
                           "start a new run without --add; a program that is to be another one (a "
                           "wrong command) needs another name: --add then leaves the old one out, "
                           "and its games stay\n"),
                  refused.err);
    write("right", "");
    const Finished mended = folder.assay({"run", "t.yaml", "--add"});
    CHECK_MESSAGE(mended.code == 0, mended.err);
    CHECK(contains(table_in(mended.out), "right"));
}

TEST_CASE("Tournament: what was added is resumed after a kill, by the config that added it") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 3, "kind: round_robin, rounds: 2"));
    REQUIRE(folder.assay({"run", "t.yaml"}).code == 0);
    folder.write("t.yaml", config_of(folder, 8, "kind: round_robin, rounds: 8"));
    const Finished refused = folder.assay({"run", "t.yaml", "--add"});
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "\n  tournament.rounds was 2, is 8\n  it was started with: "));
    CHECK_FALSE(contains(refused.err, "needs another name"));

    folder.write("t.yaml", config_of(folder, 16, "kind: round_robin, rounds: 2"));
    Child child(folder.assay_argv({"run", "t.yaml", "--add"}), folder.root());
    REQUIRE(child.until([&] { return folder.games_stored() >= 24; }));
    child.signal(SIGKILL);
    REQUIRE(child.wait().code == 128 + SIGKILL);
    CHECK(folder.is_quiet());
    // A config of fewer programs is told to add or leave out.
    folder.write("less.yaml", "name: t\n" + config_of(folder, 3, "kind: round_robin, rounds: 2"));
    const Finished other = folder.assay({"run", "less.yaml", "--resume"});
    CHECK(other.code == 2);
    CHECK(contains(other.err, "--add continues it with the programs that are named now"));
    const Finished resumed = folder.assay({"run", "t.yaml", "--resume"});
    REQUIRE_MESSAGE(resumed.code == 0, resumed.err);
    CHECK(StoredGames(folder).pairs() == 240);
    CHECK(StoredGames(folder).doubles() == 0);
    CHECK(StoredGames(folder).number("count(*) FROM runs") == 1);
}

TEST_CASE("Tournament: what cannot be added is refused, and nothing is changed") {
    for (const std::string kind : {"kind: swiss, rounds: 2", "kind: knockout"}) {
        CAPTURE(kind);
        RunFolder folder;
        folder.write("t.yaml", config_of(folder, 4, kind));
        REQUIRE(folder.assay({"run", "t.yaml"}).code == 0);
        const int pairs = StoredGames(folder).pairs();
        folder.write("t.yaml", config_of(folder, 5, kind));
        const Finished refused = folder.assay({"run", "t.yaml", "--add"});
        CHECK(refused.code == 2);
        CHECK(contains(refused.err, "--add: the programs of a "));
        CHECK(StoredGames(folder).pairs() == pairs);
        CHECK(StoredGames(folder).number("count(*) FROM versions") == 4);
    }
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 3, "kind: round_robin"));
    const Finished extended = folder.assay({"run", "t.yaml", "--extend", "5"});
    CHECK(extended.code == 2);
    CHECK(contains(extended.err, "this one is a tournament"));
    const Finished gate = folder.assay({"gate", "t.yaml"});
    CHECK(gate.code == 2);
    CHECK(contains(
        gate.err,
        "a gate needs a condition, and this tournament has none: add 'require: [{program: new,"));
    folder.write("m.yaml", folder.repeatable_config(2));
    const Finished match = folder.assay({"run", "m.yaml", "--add"});
    CHECK(match.code == 2);
    CHECK(contains(match.err, "more pairs of a match are played with --extend"));
}

TEST_CASE("Tournament: a program that dies in every game loses them, and the others play on") {
    RunFolder folder;
    const std::string bad = folder.program("misbehave");
    folder.write("t.yaml", programs_text(folder, 3) + "  bad: {command: [" + bad +
                               ", --sin, exit, --at, 3]}\ntournament: {kind: round_robin, rounds: "
                               "2}\nmatch: {time: {nodes: 10}, concurrency: 2, seed: 7, "
                               "adjudicate: {length: 20}}\nfailures_in_a_row: 1000\n");
    const Finished played = folder.assay({"run", "t.yaml"});
    REQUIRE_MESSAGE(played.code == 0, played.err);
    StoredGames store(folder);
    CHECK(store.pairs() == 12);
    CHECK(store.number("count(*) FROM games WHERE termination = 'crash'") == 12);
    const std::string table = table_in(played.out);
    CHECK(contains(table.substr(table.rfind('\n', table.find(" bad "))), "4  bad"));

    // With the usual limit the run ends, and can be resumed.
    RunFolder strict;
    std::string text = folder.read("t.yaml");
    text.erase(text.find("failures_in_a_row"));
    strict.write("t.yaml", text);
    const Finished failed = strict.assay({"run", "t.yaml"});
    CHECK(failed.code == 4);
    CHECK(contains(failed.out, "bad failed in 5 games in a row"));
    // One game at a time: the fifth is the first of its pair, and stands in the table all the same.
    const std::size_t two = text.find("concurrency: 2");
    strict.write("one.yaml", "name: one\n" + text.replace(two, 14, "concurrency: 1"));
    CHECK(contains(strict.assay({"run", "one.yaml"}).out, "5 crashes"));
    CHECK(folder.is_quiet());
}

TEST_CASE("Tournament: that its ratings or its minutes ended it is said, and --explain --add") {
    RunFolder folder;
    folder.write("t.yaml",
                 config_of(folder, 3, "kind: round_robin, rounds: 3000, until: ±150 Elo"));
    const Finished first = folder.assay({"run", "t.yaml"});
    CAPTURE(first.err);
    CHECK(first.code == 0);
    CHECK(contains(first.out, "; ends when the ratings show every rating within 150 Elo"));
    CHECK(contains(first.out, "\nended: the ratings show every rating within 150 Elo\n"));
    CHECK(contains(folder.assay({"report"}).out, "\nended: the ratings show every rating"));
    const Finished explained = folder.assay({"run", "t.yaml", "--explain", "--add"});
    CAPTURE(explained.err);
    CHECK(contains(explained.out, " meetings played before"));
    CHECK(contains(explained.out, "  lacks       "));
    CHECK_FALSE(contains(folder.assay({"run", "t.yaml", "--explain"}).out, "  lacks       "));
    folder.write("m.yaml", config_of(folder, 3, "kind: least_played", "stop: {minutes: 0.01}\n"));
    const Finished timed = folder.assay({"run", "m.yaml"});
    CHECK(timed.code == 0);
    CHECK(contains(timed.out, "\nended: the minutes were over\n"));
}

TEST_CASE("Tournament: processors that a run refuses are refused by --explain too") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 2, "kind: round_robin"));
    const Finished explained =
        folder.assay({"run", "t.yaml", "--explain", "--set", "match.affinity=60000"});
    CHECK(explained.code == 2);
    CHECK(contains(explained.err, "affinity names processor 60000"));
}

TEST_CASE("Tournament: a knockout says who went on, and who met in a failed game") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 4, "kind: knockout"));
    const Finished run = folder.assay({"run", "t.yaml"});
    CHECK(contains(run.out, "\n  went on: p"));
    CHECK(contains(run.out, "\n  won: p"));
    std::string text = config_of(folder, 2, "kind: round_robin", "failures_in_a_row: 2\n");
    text.insert(text.find("tournament:"),
                "  sinner: {command: [" + folder.program("misbehave") + ", --sin, exit]}\n");
    folder.write("s.yaml", text);
    const Finished failed = folder.assay({"run", "s.yaml"});
    CAPTURE(failed.out);
    CHECK(failed.code == 4);
    CHECK(contains(failed.out, " against sinner, game 1 (pair 1, first game), ply "));
}

TEST_CASE("Tournament: a program that does not start ends the run with 4") {
    RunFolder folder;
    folder.write("t.yaml", programs_text(folder, 2) +
                               "  bad: {command: [/bin/false]}\ntournament: "
                               "{kind: swiss}\nmatch: {time: {nodes: 10}}\n");
    const Finished failed = folder.assay({"run", "t.yaml"});
    CHECK(failed.code == 4);
    CHECK(contains(failed.out, "bad could not be started"));
    CHECK(folder.is_quiet());
}

TEST_CASE("Tournament: of 64 programs a bounded number is there at once") {
    RunFolder folder;
    folder.write("t.yaml", config_of(folder, 64, "kind: swiss, rounds: 4"));
    Child child(folder.assay_argv({"run", "t.yaml"}), folder.root());
    const std::string player = folder.root() + "/instant";
    std::size_t most = 0;
    const auto count = [&] {
        most = std::max(most, assay::test::processes_with(player).size());
        return false;
    };
    (void)child.until(count);
    const Finished played = child.wait();
    REQUIRE_MESSAGE(played.code == 0, played.err);
    CHECK(StoredGames(folder).pairs() == 4 * 32);
    CHECK(most >= 4);
    // Two games at once: four that play, eight that wait, and those that are ending.
    CHECK(most <= 20);
    CHECK(folder.is_quiet());
}

TEST_CASE("Tournament: flags alone make one, of real engines") {
    for (const char* const engine : {"/usr/games/stockfish", "/usr/games/fairy-stockfish"}) {
        if (!std::filesystem::exists(engine)) {
            MESSAGE(engine << " is not installed: skipped");
            return;
        }
    }
    RunFolder folder;
    const std::string instant = folder.program("instant");
    const std::vector<std::string> flags{
        "--time",     "{nodes: 200}", "--rounds", "1",
        "--openings", "default",      "--set",    "match.adjudicate.length=30"};
    std::vector<std::string> words{"run",
                                   "--program",
                                   instant,
                                   "--program",
                                   "/usr/games/stockfish",
                                   "--program",
                                   "/usr/games/fairy-stockfish",
                                   "--tournament",
                                   "round_robin"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Finished played = folder.assay(words);
    REQUIRE_MESSAGE(played.code == 0, played.err);
    CHECK(contains(played.out, "round_robin · round robin of 3 programs"));
    CHECK(contains(table_in(played.out), "fairy-stockfish"));
    CHECK(StoredGames(folder).pairs() == 3);
    const Finished text = folder.assay({"report"});
    CHECK_MESSAGE(text.code == 0, text.err);
    const Finished json = folder.assay({"report", "--format", "json"});
    CHECK_MESSAGE(json.code == 0, json.err);
    const Finished replay = folder.assay({"replay", "latest", "2", "4"});
    CHECK_MESSAGE(replay.code == 0, replay.err);
}
