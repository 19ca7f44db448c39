#include "reports/files/pgn.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "rules/make_game.h"
#include "tests/reports/sample_run.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::harness;

namespace {

GameRecord fools_mate() {
    GameRecord game;
    game.number = 14;
    game.pair = 6;
    game.game = 1;
    game.program = {1, 0};
    game.opening = {"f2f3", "e7e5"};
    game.moves = {test::move("g2g4", adapters::Score{false, -310, {}}, 18),
                  test::move("d8h4", adapters::Score{true, 1, {}}, 5, 12, 61'234)};
    game.scores = test::scores(0, 1);
    game.termination = Termination::by_rules("mate");
    game.reason = "move-chains mates";
    game.started_us = 1'700'000'000'000'000;
    game.ended_us = 1'700'000'001'000'000;
    return game;
}

GameRecord black_to_move() {
    GameRecord game;
    game.start = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 27";
    game.moves = {test::move("e7e5", adapters::Score{false, 31, {}}, 18),
                  test::move("e2e4", adapters::Score{true, -5, {}}, 7)};
    game.scores = test::scores(0.5F, 0.5F);
    game.termination = Termination::DrawAdjudicated;
    return game;
}

GameRecord illegal_move() {
    GameRecord game = fools_mate();
    game.moves = {test::move("g2g4")};
    game.scores = test::scores(1, 0);
    game.termination = Termination::IllegalMove;
    game.guilty = 1;
    game.reason = "move-chains played 'h7}h1\"\\{', which is illegal \xff\n%here 100 % of the time";
    return game;
}

GameRecord castling_960() {
    GameRecord game;
    game.start = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    game.opening = {"e1g1"};
    game.moves = {test::move("e8b8"), test::move("a2a3"), test::move("g8f8")};
    game.scores = test::scores(1, 0);
    game.termination = Termination::Time;
    game.guilty = 1;
    game.reason = "transposition-table loses on time (12 ms overrun)";
    return game;
}

RunRecord run_of(std::string variant) {
    RunRecord run = test::report_run();
    run.plan.matches[0].game.name = std::move(variant);
    return run;
}

std::string pgn(const GameRecord& game, const RunRecord& run = test::report_run()) {
    return reports::PgnWriter(run, 0).text(game);
}

std::string pgn_extract() {
    for (const char* path : {"/usr/games/pgn-extract", "/usr/bin/pgn-extract"}) {
        if (std::filesystem::exists(path)) return path;
    }
    MESSAGE("pgn-extract is not installed; Debian's package of that name has it");
    return "";
}

/// What a shell command prints on both streams.
std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((command + " 2>&1").c_str(), "r"),
                                                     ::pclose);
    REQUIRE(pipe);
    std::string text;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
        text.append(buffer.data(), n);
    return text;
}

/// The UCI moves that pgn-extract reads from a file of one game, blank-separated.
std::string moves_read(const std::string& tool, const std::string& path) {
    const std::string text = output_of(tool + " -s -C -w100000 -Wuci " + path);
    const std::size_t body = text.find("\n\n");
    REQUIRE(body != std::string::npos);
    std::string moves;
    for (const std::string_view word : split_words(trim(std::string_view(text).substr(body)))) {
        const bool is_number = word.back() == '.';
        const bool is_result =
            word.find_first_of("*/") != std::string_view::npos || word == "1-0" || word == "0-1";
        if (!is_number && !is_result) moves += lower(word) + " ";
    }
    return moves;
}

/// A random game from the given position, at most `plies` long.
GameRecord random_game(const rules::Game& rules, std::string start, std::uint64_t seed, int plies) {
    Random random(seed);
    GameRecord game;
    game.start = std::move(start);
    game.scores = test::scores(0.5F, 0.5F);
    game.termination = Termination::Length;
    const auto position = game.start.empty() ? rules.start() : rules.parse(game.start);
    std::vector<rules::Move> moves;
    for (int ply = 0; ply < plies && !position->result(); ++ply) {
        position->moves(moves);
        const rules::Move choice = moves[random.below(moves.size())];
        game.moves.push_back(test::move(position->name_of(choice, rules::Notation::Canonical),
                                        adapters::Score{ply % 7 == 0, 100 - ply, {}}, ply));
        position->make(choice);
    }
    return game;
}

}  // namespace

TEST_CASE("PGN: tags tell the versions apart that play under one name") {
    RunRecord run = test::report_run();
    run.versions.resize(2);
    run.versions[0].source = harness::SourceRecord{};
    run.versions[0].source->commit = "a1b2c3d4e5f6";
    run.versions[0].source->tree = "changed";
    run.versions[0].source->subject = "Say \"check\" twice";
    run.versions[1].source.reset();
    run.versions[1].id_name = "Engine 1.2";
    GameRecord game;
    game.program = {1, 0};
    const std::string text = pgn(game, run);
    CHECK(text.find("[BlackCommit \"a1b2c3d+\"]\n[BlackSubject \"Say \\\"check\\\" twice\"]\n") !=
          std::string::npos);
    CHECK(text.find("[WhiteIdName \"Engine 1.2\"]\n") != std::string::npos);
    CHECK(text.find("WhiteCommit") == std::string::npos);
}

TEST_CASE("PGN: games of every kind are written as in the golden file") {
    const RunRecord fischer = run_of("chess960");
    const std::string text = pgn(fools_mate()) + pgn(black_to_move()) + pgn(illegal_move()) +
                             pgn(castling_960(), fischer);
    CHECK(text == test::golden("games.pgn", text));
}

TEST_CASE("PGN: numbering starts where the position's does") {
    const std::string text = pgn(black_to_move());
    CHECK(text.find("\n27... e5 {+0.31/18 0.350s [%clk 0:00:07.650]} 28. e4 {-M5/7") !=
          std::string::npos);
}

TEST_CASE("PGN: an illegal move is told in words only, with no brace inside the comment") {
    const std::string text = pgn(illegal_move());
    CHECK(text.find("[Termination \"illegal move\"]") != std::string::npos);
    const std::string body = text.substr(text.find("\n\n"));
    CHECK(std::ranges::count(body, '{') == std::ranges::count(body, '}'));
    CHECK(body.find("h7)h1") != std::string::npos);
    CHECK(body.find("\n%") == std::string::npos);
}

TEST_CASE("PGN: no line begins with the mark of an escape line, wherever a reason is wrapped") {
    GameRecord game = illegal_move();
    game.reason.clear();
    for (int word = 0; word < 60; ++word) game.reason += "%a ";
    for (int shift = 0; shift < 8; ++shift) {
        game.reason.insert(0, "x");
        CHECK(pgn(game).find("\n%") == std::string::npos);
    }
}

TEST_CASE("PGN: a record with a move the rules refuse still gives legal movetext") {
    GameRecord game = fools_mate();
    game.moves.push_back(test::move("a1}a8"));
    const std::string text = pgn(game);
    CHECK(text.find("{illegal move: a1)a8} 0-1") != std::string::npos);
}

TEST_CASE("PGN: sides with different clocks get a tag each") {
    RunRecord run = test::report_run();
    run.plan.matches[0].time[0].kind = TimeControl::Kind::Nodes;
    run.plan.matches[0].time[0].nodes = 5000;
    const std::string text = pgn(fools_mate(), run);
    CHECK(text.find("[WhiteTimeControl \"10+0.1\"]") != std::string::npos);
    CHECK(text.find("[BlackTimeControl \"-\"]") != std::string::npos);
    CHECK(text.find("[TimeControl") == std::string::npos);
    CHECK(text.find("[BlackSearchLimit \"5000 nodes\"]") != std::string::npos);
    CHECK(text.find("[WhiteSearchLimit") == std::string::npos);
    for (TimeControl& control : run.plan.matches[0].time) {
        control.kind = TimeControl::Kind::Depth;
        control.depth = 8;
    }
    CHECK(pgn(fools_mate(), run).find("[TimeControl \"-\"]\n[SearchLimit \"depth 8\"]\n") !=
          std::string::npos);
    CHECK(text.find("d8h4") == std::string::npos);
    // A side without a clock has no reading of one.
    CHECK(text.find("Qh4#") != std::string::npos);
    CHECK(text.find("0.012s}") != std::string::npos);
}

TEST_CASE("PGN: every control has a form that readers know") {
    TimeControl control;
    control.periods = {{40, test::ms(60'000), Micros(0)}, {0, test::ms(300'000), test::ms(2500)}};
    CHECK(reports::pgn_time_control(control) == "40/60:300+2.5");
    control.kind = TimeControl::Kind::MoveTime;
    control.move_time = test::ms(100);
    CHECK(reports::pgn_time_control(control) == "1/0.1");
    control.kind = TimeControl::Kind::Hourglass;
    control.main = test::ms(60'000);
    CHECK(reports::pgn_time_control(control) == "*60");
    control.kind = TimeControl::Kind::Byoyomi;
    control.byoyomi = test::ms(30'000);
    CHECK(reports::pgn_time_control(control) == "60:1/30");
    control.kind = TimeControl::Kind::Canadian;
    control.stones = 25;
    CHECK(reports::pgn_time_control(control) == "60:25/30");
    control.kind = TimeControl::Kind::Infinite;
    CHECK(reports::pgn_time_control(control) == "-");
}

TEST_CASE("PGN: every termination has one of the words that readers know") {
    for (std::size_t i = 0; i < kCauses; ++i) {
        const std::string_view word = reports::pgn_termination(static_cast<Termination::Cause>(i));
        const std::array<std::string_view, 6> known{"normal",       "adjudication", "time forfeit",
                                                    "illegal move", "abandoned",    "unterminated"};
        CHECK(std::ranges::find(known, word) != known.end());
    }
    CHECK(reports::pgn_termination(Termination::Stall) == "abandoned");
    CHECK(reports::pgn_termination(Termination::Interrupted) == "unterminated");
}

TEST_CASE("PGN: a game in which nobody moved, or that was interrupted, is whole") {
    GameRecord game;
    game.scores = test::scores(0, 1);
    game.termination = Termination::NoStart;
    game.guilty = 0;
    game.reason = "move-chains did not start";
    CHECK(pgn(game).ends_with("\n\n{move-chains did not start} 0-1\n\n"));
    game.termination = Termination::Interrupted;
    CHECK(pgn(game).ends_with("\n\n*\n\n"));
}

TEST_CASE("PGN: no line of the movetext is longer than 79 bytes") {
    const auto rules = rules::make_game("chess");
    const std::string text = pgn(random_game(*rules, "", 7, 200));
    std::string_view body = std::string_view(text).substr(text.find("\n\n") + 2);
    while (!body.empty()) {
        const std::size_t end = body.find('\n');
        CHECK(end <= 79);
        body.remove_prefix(end + 1);
    }
}

TEST_CASE("PGN: pgn-extract accepts every game without a word") {
    const std::string tool = pgn_extract();
    if (tool.empty()) return;
    const test::TempDir dir;
    const RunRecord fischer = run_of("chess960");
    RunRecord odd = test::report_run();
    odd.plan.programs[0].name = "a \"quoted\" \\ name ] } { %";
    odd.name = std::string(400, 'x');
    GameRecord nobody;
    nobody.termination = Termination::NoStart;
    nobody.guilty = 0;
    nobody.scores = test::scores(0, 1);
    nobody.reason = "no handshake";
    GameRecord interrupted = fools_mate();
    interrupted.termination = Termination::Interrupted;
    interrupted.moves.pop_back();
    const std::string path = dir.path("games.pgn");
    write_file(path, pgn(fools_mate()) + pgn(black_to_move()) + pgn(illegal_move()) +
                         pgn(castling_960(), fischer) + pgn(fools_mate(), odd) + pgn(nobody) +
                         pgn(interrupted));
    CHECK(output_of(tool + " -s -r " + path) == "");
    CHECK(output_of(tool + " -r " + path).ends_with("\n7 games matched out of 7.\n"));
}

TEST_CASE("PGN: pgn-extract reads the moves that were played") {
    const std::string tool = pgn_extract();
    if (tool.empty()) return;
    const test::TempDir dir;
    const auto rules = rules::make_game("chess");
    const std::string start =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 9";
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        const GameRecord game = random_game(*rules, seed % 2 == 0 ? start : "", seed, 160);
        const std::string path = dir.path("game.pgn");
        write_file(path, pgn(game));
        std::string played;
        for (const MoveRecord& move : game.moves) played += move.name + " ";
        CHECK(moves_read(tool, path) == played);
    }
}

TEST_CASE("PGN: the rules read back what was written, in chess and in chess960") {
    const std::string mixed = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    for (const char* variant : {"chess", "chess960"}) {
        const auto rules = rules::make_game(variant);
        const RunRecord run = run_of(variant);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            CAPTURE(variant);
            CAPTURE(seed);
            const bool is_960 = !rules->info().variant.empty();
            const GameRecord game = random_game(*rules, is_960 ? mixed : "", seed, 120);
            const std::string text = pgn(game, run);
            std::string body;
            bool is_comment = false;
            for (const char c : text.substr(text.find("\n\n"))) {
                if (c == '{') is_comment = true;
                if (!is_comment) body += c == '\n' ? ' ' : c;
                if (c == '}') is_comment = false;
            }
            const auto position = is_960 ? rules->parse(mixed) : rules->start();
            std::vector<std::string> read;
            for (const std::string_view word : split_words(body)) {
                const auto move = position->move_of(word, rules::Notation::Text);
                if (!move) continue;  // a number or the result
                read.push_back(position->name_of(*move, rules::Notation::Canonical));
                position->make(*move);
            }
            std::vector<std::string> played;
            for (const MoveRecord& move : game.moves) played.push_back(move.name);
            CHECK(read == played);
        }
    }
}

TEST_CASE("PGN: a bound is left out, as readers take every score for an exact one") {
    GameRecord game = black_to_move();
    game.moves[0].score->bound = adapters::Score::Bound::Upper;
    game.moves[1].score->bound = adapters::Score::Bound::Lower;
    const std::string text = reports::PgnWriter(run_of("chess"), 0).text(game);
    CHECK(text.find("+0.31") == std::string::npos);
    CHECK(text.find("-M5") == std::string::npos);
    CHECK(reports::PgnWriter(run_of("chess"), 0).text(black_to_move()).find("+0.31") !=
          std::string::npos);
}
