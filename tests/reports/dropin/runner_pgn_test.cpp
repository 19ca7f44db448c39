#include "reports/dropin/runner_pgn.h"

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/file.h"
#include "base/packing.h"
#include "base/text.h"
#include "reports/dropin/runner_file.h"
#include "rules/make_game.h"
#include "tests/reports/sample_run.h"
#include "tests/support/temp_dir.h"

using namespace assay;
using namespace assay::harness;
using namespace assay::reports::dropin;

namespace {

adapters::Score cp(int value) {
    return {false, value, {}};
}

adapters::Score mate(int value) {
    return {true, value, {}};
}

/// The game of the examples: four moves, told as the other programs tell it.
GameRecord four_moves() {
    GameRecord game;
    game.pair = 0;
    game.moves = {test::move("e2e4", cp(100), 15, 1321), test::move("e7e5", cp(123), 15, 430),
                  test::move("g1f3", cp(145), 16, 310), test::move("g8f6", cp(1015), 18, 1821)};
    for (std::size_t i = 0; i < game.moves.size(); ++i)
        game.moves[i].player = static_cast<int>(i % 2);
    game.scores = test::scores(1, 0);
    game.termination = Termination::WinAdjudicated;
    game.started_us = 1'700'000'000'123'000;
    game.ended_us = 1'700'000'061'500'000;
    return game;
}

std::vector<RunnerPlayer> players() {
    RunnerPlayer first{"engine1", "Engine One 1.0", "Author One",
                       test::clock_of(test::ms(10'000), test::ms(100))};
    RunnerPlayer second = first;
    second.name = "engine2";
    second.id_name = "Engine Two 2.0";
    second.id_author = "";
    return {first, second};
}

std::string text_of_game(const GameRecord& game, const RunnerPgnOptions& options = {},
                         const std::string& variant = "chess",
                         const std::vector<RunnerPlayer>& who = players()) {
    // Dates are local.
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    return runner_pgn(options, *rules::make_game(variant), who, game, (game.number - 1) / 2 + 1);
}

std::string body(const std::string& text) {
    return text.substr(text.find("\n\n") + 2);
}

RunnerPgnOptions all_parts() {
    RunnerPgnOptions options;
    options.nodes = options.seldepth = options.nps = options.hashfull = options.tbhits = true;
    options.timeleft = options.latency = options.pv = true;
    return options;
}

/// What a worker reads of a file, by its own patterns.
struct ReadMove {
    std::string move;
    std::string comment;
};

std::vector<ReadMove> worker_moves(const std::string& block) {
    std::string text = block;
    for (char& c : text) {
        if (c == '\n') c = ' ';
    }
    const std::regex pattern(R"(\s*(?:\d+\.{1,3} )?([a-zA-Z0-9+=#*-]+) (?:\s*\{\s*([^}]*)\s*\})?)");
    std::vector<ReadMove> found;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
        found.push_back({(*it)[1], (*it)[2]});
    return found;
}

std::string first_group(const std::string& text, const char* pattern) {
    std::smatch match;
    return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

}  // namespace

TEST_CASE("RunnerPgn: a game as fastchess writes it") {
    RunnerPgnOptions options;
    options.site = "localhost";
    CHECK(text_of_game(four_moves(), options) == R"([Event "Fastchess Tournament"]
[Site "localhost"]
[Date "2023.11.14"]
[Round "1"]
[White "engine1"]
[Black "engine2"]
[Result "1-0"]
[EngineWhiteName "Engine One 1.0"]
[EngineWhiteAuthor "Author One"]
[EngineBlackName "Engine Two 2.0"]
[GameDuration "00:01:01"]
[GameStartTime "2023-11-14T22:13:20 +0000"]
[GameEndTime "2023-11-14T22:14:21 +0000"]
[PlyCount "4"]
[Termination "adjudication"]
[TimeControl "10+0.1"]
[ECO "C42"]
[Opening "Petrov Defense"]

1. e4 {+1.00/15 1.321s} e5 {+1.23/15 0.430s} 2. Nf3 {+1.45/16 0.310s}
Nf6 {+10.15/18 1.821s, White wins by adjudication} 1-0

)");
}

TEST_CASE("RunnerPgn: the parts of a comment stand in fastchess's order, each where it is asked") {
    GameRecord game = four_moves();
    MoveRecord& move = game.moves.front();
    move.nodes = 4711;
    move.seldepth = 21;
    move.nps = 3'556'000;
    move.hashfull = 12;
    move.tbhits = 3;
    move.said = test::ms(1300);
    move.pv = "e2e4 e7e5";
    move.lines = {"info string pgncomment hello", "info string other"};
    game.moves.resize(1);
    CHECK(body(text_of_game(game, all_parts())) ==
          "1. e4 {+1.00/15 1.321s, tl=7.650s, latency=0.021s, n=4711, sd=21, nps=3556000, "
          "hashfull=12, tbhits=3, pv=\"e2e4 e7e5\", line=\"info string pgncomment hello\", "
          "line=\"info string other\", White wins by adjudication}\n1-0\n\n");
    game.moves.front() = test::move("e2e4", 5);
    CHECK(body(text_of_game(game, all_parts())) ==
          "1. e4 {/0 0.005s, tl=7.650s, latency=0.005s, n=0, sd=0, nps=0, hashfull=0, tbhits=0, "
          "pv=\"\", White wins by adjudication}\n1-0\n\n");
    RunnerPgnOptions least;
    least.min = true;
    CHECK(text_of_game(game, least) ==
          "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Date \"2023.11.14\"]\n[Round "
          "\"1\"]\n[White \"engine1\"]\n[Black \"engine2\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
}

TEST_CASE("RunnerPgn: scores have a sign unless they are 0, and mates are in plies") {
    CHECK(score_text(cp(0)) == "0.00");
    CHECK(score_text(cp(31)) == "+0.31");
    CHECK(score_text(cp(-7)) == "-0.07");
    CHECK(score_text(cp(-2147483647 - 1)) == "-21474836.48");
    CHECK(score_text(mate(3)) == "+M5");
    CHECK(score_text(mate(1)) == "+M1");
    CHECK(score_text(mate(-2)) == "-M4");
}

TEST_CASE("RunnerPgn: moves as SAN, with both fields, and as they are said") {
    GameRecord game;
    game.start = "r3k2r/1P6/8/3p4/4P3/8/6n1/R4RK1 w kq - 0 1";
    game.moves = {test::move("b7a8q"), test::move("e8e7"), test::move("e4d5"), test::move("g2h4")};
    game.scores = test::scores(0.5F, 0.5F);
    game.termination = Termination::DrawAdjudicated;
    RunnerPgnOptions options;
    options.min = true;
    const auto moves = [&](RunnerPgnOptions::Notation notation) {
        options.notation = notation;
        return body(text_of_game(game, options));
    };
    using Notation = RunnerPgnOptions::Notation;
    CHECK(moves(Notation::San) == "1. bxa8=Q+ Ke7 2. exd5 Nh4 1/2-1/2\n\n");
    CHECK(moves(Notation::Lan) == "1. b7xa8=Q+ Ke8e7 2. e4xd5 Ng2h4 1/2-1/2\n\n");
    CHECK(moves(Notation::Uci) == "1. b7a8q e8e7 2. e4d5 g2h4 1/2-1/2\n\n");
}

TEST_CASE("RunnerPgn: a start by Black, with its number, and book moves") {
    GameRecord game;
    game.pair = 6;
    game.number = 13;
    game.start = "r2qk2r/1bpp2pp/n3pn2/p2P1p2/1bP5/2N1BNP1/1PQ1PPBP/R3K2R b KQkq - 0 4";
    game.opening = {"e8g8"};
    game.moves = {test::move("e1g1", cp(123), 15, 430), test::move("a6c5", mate(-2), 16, 310)};
    game.scores = test::scores(0.5F, 0.5F);
    game.termination = Termination::by_rules("repetition");
    const std::string text = text_of_game(game);
    CHECK(text.find("[Round \"7\"]\n") != std::string::npos);
    CHECK(text.find("[SetUp \"1\"]\n[FEN \"" + game.start + "\"]\n[GameDuration") !=
          std::string::npos);
    CHECK(body(text) ==
          "4... O-O {book} 5. O-O {+1.23/15 0.430s}\n"
          "Nc5 {-M4/16 0.310s, Draw by 3-fold repetition} 1/2-1/2\n\n");
    // fastchess tells no reason behind a book move.
    game.moves.clear();
    CHECK(body(text_of_game(game)) == "4... O-O {book} 1/2-1/2\n\n");
}

TEST_CASE("RunnerPgn: chess960 has its tags with the files of the rooks") {
    GameRecord game;
    game.start = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    game.moves = {test::move("e1g1", cp(0), 3)};
    game.scores = test::scores(0, 1);
    game.termination = Termination::Crash;
    game.guilty = 0;
    const std::string text = text_of_game(game, {}, "chess960");
    CHECK(text.find("[SetUp \"1\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 "
                    "1\"]\n[Variant \"Chess960\"]\n") != std::string::npos);
    CHECK(text.find("[Termination \"abandoned\"]") != std::string::npos);
    CHECK(shredder_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") ==
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    CHECK(shredder_text("rk3r2/8/8/8/8/8/8/RK1R1R2 w DAq - 3 9") ==
          "rk3r2/8/8/8/8/8/8/RK1R1R2 w DAa - 3 9");
    CHECK(shredder_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1") == "4k3/8/8/8/8/8/8/4K2R w H - 0 1");
    CHECK(shredder_text("no position") == "no position");
    const auto standard = rules::make_game("chess960")->start()->text();
    game.start.clear();
    CHECK(text_of_game(game, {}, "chess960").find("[FEN \"" + shredder_text(standard) + "\"]") !=
          std::string::npos);
}

TEST_CASE("RunnerPgn: an illegal move is named behind the reason, and counts") {
    GameRecord game = four_moves();
    game.moves.pop_back();
    game.termination = Termination::IllegalMove;
    game.guilty = 1;
    game.illegal_move = "a1a1";
    const std::string text = text_of_game(game);
    CHECK(text.find("[PlyCount \"4\"]\n[Termination \"illegal move\"]") != std::string::npos);
    CHECK(body(text) ==
          "1. e4 {+1.00/15 1.321s} e5 {+1.23/15 0.430s}\n"
          "2. Nf3 {+1.45/16 0.310s, Black makes an illegal move: a1a1} 1-0\n\n");
    game.moves.clear();
    game.guilty = 0;
    game.scores = test::scores(0, 1);
    CHECK(body(text_of_game(game)) == "{White makes an illegal move: a1a1} 0-1\n\n");
    game.illegal_move.clear();
    game.termination = Termination::Crash;
    CHECK(body(text_of_game(game)) == "0-1\n\n");
}

TEST_CASE("RunnerPgn: reasons and terminations of both runners") {
    const auto info = rules::make_game("chess")->info();
    GameRecord game;
    const auto said = [&](Termination termination, int winner, int guilty) {
        game.termination = std::move(termination);
        game.scores = rules::scores_with_winner(winner, 2);
        game.guilty = guilty;
        return reason_text(Runner::Fastchess, info, game) + " | " +
               std::string(termination_tag(Runner::Fastchess, game.termination)) + " | " +
               reason_text(Runner::Cutechess, info, game) + " | " +
               std::string(termination_tag(Runner::Cutechess, game.termination));
    };
    game.overrun = test::ms(12);
    game.illegal_move = "e2e5";
    CHECK(said(Termination::by_rules("mate"), 0, -1) == "White mates | normal | White mates | ");
    CHECK(said(Termination::by_rules("stalemate"), -1, -1) ==
          "Draw by stalemate | normal | Draw by stalemate | ");
    CHECK(
        said(Termination::by_rules("insufficient"), -1, -1) ==
        "Draw by insufficient mating material | normal | Draw by insufficient mating material | ");
    CHECK(said(Termination::by_rules("fifty"), -1, -1) ==
          "Draw by fifty moves rule | normal | Draw by fifty moves rule | ");
    CHECK(said(Termination::WinAdjudicated, 1, -1) ==
          "Black wins by adjudication | adjudication | Black wins by adjudication | adjudication");
    CHECK(said(Termination::Length, -1, -1) ==
          "Draw by adjudication | adjudication | Draw by adjudication | adjudication");
    CHECK(said(Termination::Tablebase, -1, -1).starts_with("Draw by adjudication: SyzygyTB | "));
    CHECK(said(Termination::Tablebase, 0, -1)
              .starts_with("White wins by adjudication: SyzygyTB | adjudication"));
    CHECK(said(Termination::Time, 0, 1) ==
          "Black loses on time (12ms overrun) | time forfeit | Black loses on time | time forfeit");
    CHECK(said(Termination::IllegalMove, 1, 0) ==
          "White makes an illegal move | illegal move | White makes an illegal move: e2e5 | "
          "illegal move");
    CHECK(said(Termination::Disconnect, 1, 0) ==
          "White disconnects | abandoned | White disconnects | abandoned");
    CHECK(said(Termination::Stall, 0, 1) ==
          "Black's connection stalls | abandoned | Black's connection stalls | stalled connection");
    CHECK(said(Termination::Time, -1, 1).find("Draw by timeout | time forfeit") !=
          std::string::npos);
    CHECK(said(Termination::ClaimResign, 0, -1).starts_with("Black resigns | normal"));
    CHECK(said(Termination::Interrupted, -1, -1) ==
          "Game interrupted | unterminated | No result | unterminated");
}

TEST_CASE("RunnerPgn: time controls of both runners") {
    const auto tags = [](std::string_view text) {
        std::string why;
        const auto control = parse_time_control(text, why);
        REQUIRE(control);
        return time_control_tag(Runner::Fastchess, *control) + " " +
               time_control_tag(Runner::Cutechess, *control);
    };
    CHECK(tags("40/60+0.6") == "40/60+0.6 40/60+0.6");
    CHECK(tags("0+0.005") == "0+0.005 0+0.005");
    CHECK(tags("3+0.03") == "3+0.03 3+0.03");
    CHECK(tags("move=150ms") == "0.15/move 0.15/move");
    CHECK(tags("nodes 100") == "- inf");
    CHECK(tags("inf") == "- inf");
    std::vector<RunnerPlayer> odds = players();
    odds[1].time = test::clock_of(test::ms(1), test::ms(5));
    CHECK(text_of_game(four_moves(), {}, "chess", odds)
              .find("[WhiteTimeControl \"10+0.1\"]\n[BlackTimeControl \"0.001+0.005\"]") !=
          std::string::npos);
}

TEST_CASE("RunnerPgn: a game as cutechess-cli writes it") {
    RunnerPgnOptions options;
    options.runner = Runner::Cutechess;
    options.event = "?";
    GameRecord game = four_moves();
    game.start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 17";
    game.moves[1].used = test::ms(12);
    game.moves[2].used = test::ms(12'345);
    game.moves[2].score = mate(2);
    game.termination = Termination::by_rules("mate");
    CHECK(text_of_game(game, options) ==
          R"([Event "?"]
[Site "?"]
[Date "2023.11.14"]
[Round "1"]
[White "engine1"]
[Black "engine2"]
[Result "1-0"]
[ECO "C42"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 17"]
[GameDuration "00:01:01"]
[GameEndTime "2023-11-14T22:14:21.500 UTC"]
[GameStartTime "2023-11-14T22:13:20.123 UTC"]
[Opening "Petrov Defense"]
[PlyCount "4"]
[SetUp "1"]
[TimeControl "10+0.1"]

1. e4 {+1.00/15 1.3s} e5 {+1.23/15 0.012s} 2. Nf3 {+M3/16 12s}
Nf6 {+10.15/18 1.8s, White mates} 1-0

)");
    options.min = true;
    CHECK(body(text_of_game(game, options)) == "1. e4 e5 2. Nf3 Nf6 1-0\n\n");
    options.min = false;
    game.moves.clear();
    game.opening = {"e2e4"};
    CHECK(body(text_of_game(game, options)) == "1. e4 {book, White mates} 1-0\n\n");
    game.opening.clear();
    CHECK(body(text_of_game(game, options)) == "{White mates} 1-0\n\n");
}

TEST_CASE("RunnerPgn: a worker's patterns read every game back, whatever programs say") {
    GameRecord game = four_moves();
    game.opening = {"d2d3", "d7d6"};
    for (MoveRecord& move : game.moves) {
        move.nodes = 1234;
        move.seldepth = 21;
        move.lines = {"info string pgncomment } 1-0 {* 1/2-1/2 \"0-1\" \xc3\xa9\n"};
    }
    std::vector<RunnerPlayer> who = players();
    who[0].name = "a \"quoted\" \xff name\n[Result \"0-1\"]";
    RunnerPgnOptions options;
    options.nodes = options.seldepth = true;
    const std::string text = text_of_game(game, options, "chess", who);
    for (const char c : text) CHECK((c == '\n' || (c >= ' ' && c <= '~')));

    const std::size_t gap = text.find("\n\n");
    const std::string tags = text.substr(0, gap);
    const std::string rest = text.substr(gap + 2);
    CHECK(rest.ends_with("1-0\n\n"));
    CHECK(rest.find("\n\n") == rest.size() - 2);
    std::string_view left = tags;
    while (!left.empty()) {
        const std::string line(left.substr(0, left.find('\n')));
        left.remove_prefix(std::min(line.size() + 1, left.size()));
        CHECK(std::regex_match(line, std::regex(R"re(\[[A-Za-z]+ "[^"]*"\])re")));
    }
    CHECK(first_group(rest, R"(\s*(1-0|0-1|1/2-1/2|\*))") == "1-0");
    const std::string before = rest.substr(0, rest.rfind("1-0"));
    CHECK(first_group(before, R"((1-0|0-1|1/2-1/2|\*))").empty());

    const std::vector<ReadMove> moves = worker_moves(before);
    REQUIRE(moves.size() == 6);
    CHECK(moves[0].comment == "book");
    CHECK(moves[2].move == "e4");
    CHECK(first_group(moves[2].comment, R"(([+-]?M?\d+(?:\.\d+)?)/\d+)") == "+1.00");
    CHECK(first_group(moves[2].comment, R"([+-]?M?\d+(?:\.\d+)?/(\d+))") == "15");
    CHECK(first_group(moves[2].comment, R"(([\d.]+s))") == "1.321s");
    CHECK(first_group(moves[2].comment, R"(n=(\d+))") == "1234");
    CHECK(first_group(moves[2].comment, R"(sd=(\d+))") == "21");
    CHECK(first_group(moves[2].comment, R"re(line="([^"]*)")re")
              .starts_with("info string pgncomment "));
}

TEST_CASE("RunnerPgn: the final position as EPD, and as FEN") {
    const auto chess = rules::make_game("chess");
    GameRecord game = four_moves();
    CHECK(final_position(Runner::Fastchess, *chess, game) ==
          "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3;\n");
    CHECK(final_position(Runner::Cutechess, *chess, game) ==
          "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n");
    game.moves[3].name = "e1e9";
    CHECK(final_position(Runner::Fastchess, *chess, game) ==
          "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 1; fmvn 2;\n");
    CHECK(final_position(Runner::Fastchess, *rules::make_game("chess960"), GameRecord())
              .find(" w HAha - hmvc 0; fmvn 1;") != std::string::npos);
}

TEST_CASE("RunnerFile: the sum is that of all bytes in the file, without leading zeros") {
    const test::TempDir temp;
    const std::string path = temp.path("games.pgn");
    using Kind = RunnerFile::Kind;
    write_file(path, "old");
    {
        RunnerFile file(path, Kind::Pgn, false, true);
        CHECK(file.crc_text() == "0x0");
        file.write("1234");
        CHECK(read_file(path) == "1234");
        file.write("56789");
        CHECK(file.crc_text() == "0xcbf43926");
    }
    RunnerFile more(path, Kind::Epd, true, true);
    CHECK(more.crc_text() == "0xcbf43926");
    more.write("a\n");
    CHECK(read_file(path) == "123456789\na\n");
    CHECK(more.crc_text() == fmt::format("{:#x}", crc32_of("123456789\na\n")));
    more.cut(9);
    CHECK(more.crc_text() == "0xcbf43926");
    // Several pieces.
    write_file(path, std::string(3'000'000, 'x'));
    CHECK(RunnerFile(path, Kind::Pgn, true, true).crc_text() ==
          fmt::format("{:#x}", crc32_of(read_file(path))));
    // One sum in sixteen has a zero in front.
    RunnerFile zero(temp.path("new.pgn"), Kind::Pgn, true, true);
    int written = 0;
    do {
        zero.write("7");
        REQUIRE(++written < 1000);
    } while (zero.crc_text().size() == 10);
    CHECK(zero.crc_text().size() < 10);
    CHECK_THROWS_AS(RunnerFile(temp.path("no/such/folder.pgn"), Kind::Pgn, true, false), Error);
}

TEST_CASE("RunnerFile: what is there is ended before the first text, and only then") {
    const test::TempDir temp;
    const std::string path = temp.path("games");
    const auto written = [&path](const std::string& before, RunnerFile::Kind kind) {
        write_file(path, before);
        RunnerFile file(path, kind, true, false);
        file.write("a");
        file.write("b");
        return read_file(path);
    };
    using enum RunnerFile::Kind;
    CHECK(written("", Pgn) == "ab");
    CHECK(written("torn", Pgn) == "torn\n\nab");
    CHECK(written("line\n", Pgn) == "line\n\nab");
    CHECK(written("game\n\n", Pgn) == "game\n\nab");
    CHECK(written("", Epd) == "ab");
    CHECK(written("torn", Epd) == "torn\nab");
    CHECK(written("line\n", Epd) == "line\nab");
}

TEST_CASE("FileParts: a text of several pieces comes in its parts, wherever the pieces end") {
    const std::string long_part = "[Event 1\n" + std::string((1U << 20U) - 20, 'x') + "\n";
    for (std::size_t shift = 0; shift < 24; ++shift) {
        const std::string head(shift, '-');
        const std::vector<std::string> parts{long_part, "[Event 2\n\n",
                                             "[Event 3\n [Event \n[Even"};
        std::string text = head;
        for (const std::string& part : parts)
            text += (text.empty() || text.back() == '\n' ? "" : "\n") + part;
        FileParts file(
            [&text](std::uint64_t at, std::size_t size) { return text.substr(at, size); }, 0,
            "[Event ");
        std::string all;
        std::vector<std::size_t> begins;
        while (const auto part = file.next()) {
            CHECK(file.at() == all.size());
            begins.push_back(all.size());
            all += *part;
            CHECK(file.is_last() == (all.size() == text.size()));
        }
        CHECK((all == text));
        CHECK(begins.size() == (shift == 0 ? 3 : 4));
    }
    std::string lines;
    FileParts file(
        [](std::uint64_t at, std::size_t size) { return std::string("a\n\nb\n").substr(at, size); },
        0, "");
    while (const auto line = file.next()) lines += std::string(*line) + "|";
    CHECK(lines == "a\n|\n|b\n|");
}
