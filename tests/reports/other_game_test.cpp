// A game that is not chess, from its openings to its reports: tic-tac-toe out of a file of rules is
// played by two scripted programs through the match runner, stored, loaded, replayed and reported,
// when the file is no longer there, and no text that a user sees has a word of chess.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <doctest/doctest.h>

#include "harness/match/match_setting.h"
#include "harness/match/replay.h"
#include "harness/record/pair.h"
#include "harness/store/store.h"
#include "reports/files/csv.h"
#include "reports/files/events.h"
#include "reports/files/junit.h"
#include "reports/files/pgn.h"
#include "reports/files/run_json.h"
#include "reports/text/markdown.h"
#include "reports/text/match/match_summary.h"
#include "reports/text/summary.h"
#include "reports/view/number_text.h"
#include "reports/web/board_file.h"
#include "reports/web/charts/charts.h"
#include "reports/web/charts/game_pack.h"
#include "reports/web/charts/move_survey.h"
#include "reports/web/run_page.h"
#include "rules/game.h"
#include "rules/make_game.h"
#include "tests/harness/run/match_bench.h"
#include "tests/support/contains.h"
#include "tests/support/dice_race.h"
#include "tests/support/rows_file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tic_tac_toe.h"

using namespace assay;
using namespace assay::reports;

namespace {

harness::MatchPlan plan_of(const std::string& book, rules::GameSource game) {
    harness::MatchPlan plan;
    plan.game = std::move(game);
    plan.openings.book = book;
    plan.openings.order = harness::OpeningsPlan::Order::Sequential;
    plan.pairs = 3;
    plan.concurrency = 1;
    for (harness::TimeControl& control : plan.time) {
        control.periods = {{0, std::chrono::seconds(10), std::chrono::milliseconds(100)}};
    }
    return plan;
}

/// A match that has been played and stored.
class Played {
public:
    Played() : store(dir.path("assay.db"), harness::Store::Access::Write) {
        tests::register_rows_files();
        std::ofstream(dir.path("my.rows")) << "game tic-tac-toe\n";
        const rules::GameSource game = rules::find_game("my.rows", dir.root());
        std::filesystem::remove(dir.path("my.rows"));
        std::ofstream(dir.path("book.txt")) << "# openings\n"
                                               "x---o---- x ; the middle is taken\n"
                                               "--------- x\n"
                                               "x-------- o\n";
        plan = plan_of(dir.path("book.txt"), game);
        const harness::MatchSetting setting = harness::make_setting(plan, 1);
        bench.plan = plan;
        bench.plan.openings = {};
        bench.game = harness::game_of(plan);
        bench.world.game = game;
        bench.opening_of = setting.opening_of;
        // The first program takes the first free field, the second one loses on time at its
        // sixth move.
        bench.world.script = [](const std::string& program, int search) {
            test::FakeAct act;
            act.score = 10;
            if (program == "b" && search == 5) act.kind = test::FakeAct::Kind::Silence;
            return act;
        };
        bench.play();
        write();
    }

    [[nodiscard]] RunView view() const { return {run, {{tallies.data(), {}}}, {}, "assay.db"}; }

    test::TempDir dir;
    harness::MatchPlan plan;
    test::MatchBench bench;
    harness::Store store;
    harness::RunRecord run;
    std::vector<harness::MatchTally> tallies;

private:
    void write() {
        harness::RunRecord record;
        record.name = "evening";
        record.plan.name = "evening";
        record.plan.programs.resize(2);
        record.plan.programs[0].name = "ada";
        record.plan.programs[1].name = "bob";
        for (harness::ProgramPlan& program : record.plan.programs) program.protocol = "json";
        record.plan.matches = {plan};
        record.versions = {{"ada", "/opt/ada", "aa", "Ada", "", {}},
                           {"bob", "/opt/bob", "bb", "Bob", "", {}}};
        record.command_line = "assay run evening.yaml";
        const std::int64_t id = store.begin_run(record);
        for (const harness::GameRecord& game : bench.stored) store.write_game(id, 0, game);
        for (const harness::PairDigest& pair : bench.stored_pairs) store.write_pair(id, 0, pair);
        store.set_state(id, harness::RunState::Finished, "");
        run = *store.find_run(std::to_string(id));
        tallies.push_back(harness::tally_of(store, run, 0));
    }
};

/// The words of chess in what a user reads of a text, each once. Styles and scripts are the same on
/// each page and are left out; so is the one key of JSON that has such a word for all games.
std::vector<std::string> words_of_chess(std::string text) {
    for (const char* const element : {"style", "script"}) {
        const std::string end = std::string("</") + element + ">";
        for (std::size_t at = text.find(std::string("<") + element); at != std::string::npos;
             at = text.find(std::string("<") + element)) {
            text.erase(at, text.find(end, at) + end.size() - at);
        }
    }
    if (const std::size_t key = text.find("\"white_win\":"); key != std::string::npos) {
        text.erase(key, 12);
    }
    static const std::regex words(
        "[^a-z](white|black|chess|chess960|fen|mate|checkmate|pawns?|centipawns?|castling|"
        "uci|stockfish|bishop|knight|full.moves?)[^a-z]",
        std::regex::icase);
    std::vector<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), words);
         at != std::sregex_iterator(); ++at) {
        const auto begin = static_cast<std::size_t>(at->position());
        found.push_back(text.substr(begin > 30 ? begin - 30 : 0, 80));
    }
    return found;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace

TEST_CASE("Other games: openings, results and endings are those of tic-tac-toe") {
    const Played played;
    REQUIRE(played.bench.stored.size() == 6);
    const harness::GameRecord first = played.store.game(played.run.id, 0, 1).value();
    CHECK(first.start == "x---o---- x");
    CHECK(first.moves.front().name == "2");
    CHECK(first.moves.front().player == 0);
    CHECK(harness::name_of(first.termination) == "three in a row");
    CHECK(first.reason == "a wins by three in a row");
    CHECK(played.store.game(played.run.id, 0, 5).value().start == "x-------- o");

    const harness::MatchTally& tally = played.tallies[0];
    CHECK(tally.pairs() == 3);
    CHECK(tally.terminations().at(harness::Termination::by_rules("three in a row")) == 5);
    CHECK(tally.terminations().at(harness::Termination::Time) == 1);
    CHECK(side_names(played.plan) == std::array<std::string, 2>{"X", "O"});
}

TEST_CASE("Other games: a stored game of tic-tac-toe is replayed to its last position") {
    const Played played;
    const harness::GameRecord game = played.store.game(played.run.id, 0, 1).value();
    const auto steps = harness::replay(game, played.run.plan, 0);
    REQUIRE(steps.size() == game.moves.size());
    CHECK(steps.front().before == "x---o---- x");
    CHECK(steps.front().after == "xx--o---- o");
    const auto last = tests::make_tic_tac_toe()->parse(steps.back().after);
    REQUIRE(last->result().has_value());
    CHECK(last->result()->word == "three in a row");
}

TEST_CASE("Other games: the board is the game's picture, the first player's pieces are capitals") {
    const auto game = tests::make_tic_tac_toe();
    const auto board = web::board_of(*game, *game->parse("x---o--x- o"));
    REQUIRE(board.has_value());
    CHECK(board->columns == 3);
    CHECK(board->rows == 3);
    CHECK(board->squares == "X...o..X.");
    const auto race = tests::make_dice_race();
    CHECK_FALSE(web::board_of(*race, *race->start()));
    const Played played;
    const std::string page = web::run_page(played.view(), played.store);
    CHECK(page.find("aria-label=\"") != std::string::npos);
    // One kind of piece is drawn as discs, and no other piece is in the page.
    CHECK(page.find("<use href=\"#piece-disc\" class=\"wp\"") != std::string::npos);
    CHECK(page.find("<symbol id=\"piece-disc\"") != std::string::npos);
    CHECK(page.find("<symbol") == page.rfind("<symbol"));
    CHECK(web::piece_symbols({}) == "");
}

TEST_CASE("Other games: a board is an SVG file of its own") {
    const auto game = tests::make_tic_tac_toe();
    const std::string file = web::board_file(*game, *game->parse("x---o--x- o"));
    CHECK(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="));
    CHECK(file.ends_with("</svg>\n"));
    CHECK(file.find("<symbol id=\"piece-disc\"") != std::string::npos);
    CHECK(file.find("piece-pawn") == std::string::npos);
    std::size_t pieces = 0;
    for (std::size_t at = file.find("<use "); at != std::string::npos;
         at = file.find("<use ", at + 1)) {
        ++pieces;
    }
    CHECK(pieces == 3);
    CHECK(web::board_file(*tests::make_dice_race(), *tests::make_dice_race()->start()) == "");
}

TEST_CASE("Other games: kinds and owners are told apart where a symbol's case tells neither") {
    const auto game = rules::make_game(
        rules::GameSource{"t", "t.mg",
                          "dimensions (6,1)\n"
                          "pieces { man 'w' 'b' king 'W' 'B' duke '$' '%' }\n"
                          "main = try [ find empty field, replace by own man ] else draw.\n"});
    const auto position = game->parse("wWbB$% w");
    const auto board = web::board_of(*game, *position);
    REQUIRE(board.has_value());
    CHECK(board->squares == "MWbkDd");
    CHECK(board->pieces ==
          std::map<char, std::string>{{'M', "disc"}, {'W', "king"}, {'b', "disc"}, {'k', "king"}});
    const std::string file = web::board_file(*game, *position);
    CHECK(test::contains(file, "href=\"#piece-king\" class=\"wp\""));
    CHECK(test::contains(file, "href=\"#piece-king\" class=\"bp\""));
    CHECK(test::contains(file, "text class=\"bl\""));
}

TEST_CASE("Other games: pieces are drawn by their names, whatever the game and its letters") {
    const auto chess = rules::make_game("chess");
    const auto board = web::board_of(*chess, *chess->start());
    REQUIRE(board.has_value());
    CHECK(board->pieces.size() == 12);
    CHECK(board->pieces.at('N') == "knight");
    CHECK(board->pieces.at('n') == "knight");
    const harness::GameRecord record;
    const web::PackedGame packed = web::packed(*chess, record);
    CHECK(packed.pieces == board->pieces);
    const std::string picture = web::board_picture(packed, 0, "start");
    CHECK(picture.find("<use href=\"#piece-knight\" class=\"wp\"") != std::string::npos);
    // Letters of chess without names of its pieces are letters.
    web::PackedGame letters = packed;
    letters.pieces.clear();
    const std::string plain = web::board_picture(letters, 0, "start");
    CHECK(plain.find("<use") == std::string::npos);
    CHECK(plain.find(">N</text>") != std::string::npos);
}

TEST_CASE(
    "Other games: what stands beside a board grows with it, and letters are drawn as pieces") {
    CHECK(web::coordinate_size(8) == 12);
    CHECK(web::coordinate_size(3) == 12);
    CHECK(web::coordinate_size(19) == 28);
    CHECK(web::numbers_room(8, 8) == 14);
    CHECK(web::numbers_room(19, 19) == 42);  // for two digits
    web::PackedGame wide;
    wide.columns = 19;
    wide.rows = 19;
    wide.board = std::string(19 * 19, '.');
    wide.board[0] = 'Q';
    wide.board[1] = 'q';
    const std::string picture = web::board_picture(wide, 0, "start");
    CHECK(picture.find("viewBox=\"0 0 897 897\"") != std::string::npos);
    CHECK(picture.find("<g class=\"co\" style=\"--co:28px\">") != std::string::npos);
    CHECK(picture.find("<text class=\"wl\" x=\"64.5\"") != std::string::npos);
    CHECK(picture.find("<text class=\"bl\" x=\"109.5\"") != std::string::npos);
    // The script draws with the same figures.
    CHECK(wide.numbers_room() == 42);
}

TEST_CASE("Other games: scores are shown in the game's units, or as plain numbers") {
    harness::MoveRecord move;
    move.score = adapters::Score{false, 150, {}};
    const web::ScoreScale pawns = web::scale_of(rules::make_game("chess")->info());
    const web::ScoreScale plain = web::scale_of(tests::make_tic_tac_toe()->info());
    CHECK(web::score_of(move, pawns) == 1.5);
    CHECK(web::score_of(move, plain) == 150);
    move.score->value = -40'000;
    CHECK(web::score_of(move, pawns) == -10);
    CHECK(web::score_of(move, plain) == -1000);
    CHECK(web::said_score(move, pawns, 2) == "−400.00");
    CHECK(web::said_score(move, plain, 2) == "−40,000");
    move.score = adapters::Score{true, 3, {}};
    CHECK(web::score_of(move, pawns) == 10);
}

TEST_CASE("Other games: no report of tic-tac-toe has a word of chess") {
    const Played played;
    const RunView view = played.view();
    CHECK(joined(words_of_chess(web::run_page(view, played.store))) == "");
    CHECK(joined(words_of_chess(match_header(view, 0, 1))) == "");
    CHECK(joined(words_of_chess(run_summary(view, false))) == "");
    CHECK(joined(words_of_chess(run_json(view))) == "");
    CHECK(joined(words_of_chess(markdown_report(view))) == "");
    CHECK(joined(words_of_chess(junit_report(view))) == "");
    const PgnWriter writer(played.run, 0);
    played.store.for_each_game(played.run.id, 0, [&](const harness::GameRecord& game) {
        CHECK(joined(words_of_chess(writer.text(game))) == "");
        CHECK(joined(words_of_chess(csv_row(played.run, 0, game))) == "");
        CHECK(joined(words_of_chess(game.reason)) == "");
    });
    CHECK(run_summary(view, false).find("three in a row") != std::string::npos);
    CHECK(run_json(view).find("\"three in a row\":5") != std::string::npos);
    CHECK(web::run_page(view, played.store).find("three in a row") != std::string::npos);
}

TEST_CASE("Other games: a race with dice is played with the same rolls in both games of a pair") {
    rules::register_game("dice race",
                         [](const rules::GameSource&) { return tests::make_dice_race(); });
    test::MatchBench bench;
    bench.plan.adjudicate = {};
    bench.plan.game.name = "dice race";
    bench.game = tests::make_dice_race();
    bench.world.game.name = "dice race";
    bench.play();
    REQUIRE(bench.stored.size() == 4);
    const auto rolls = [&](std::size_t game) {
        std::vector<std::string> names;
        for (const harness::MoveRecord& move : bench.stored[game].moves)
            if (move.player == rules::kChance) names.push_back(move.name);
        return names;
    };
    CHECK(rolls(0).size() > 4);
    CHECK(rolls(0) == rolls(1));
    CHECK(rolls(0) != rolls(2));
    CHECK(bench.stored[0].reason.ends_with(" wins by reaching the goal"));

    const test::TempDir dir;
    harness::Store store(dir.path("assay.db"), harness::Store::Access::Write);
    harness::RunRecord run;
    run.plan.programs.resize(2);
    run.plan.programs[0].name = "a";
    run.plan.programs[1].name = "b";
    run.plan.matches = {bench.plan};
    const std::int64_t id = store.begin_run(run);
    for (const harness::GameRecord& game : bench.stored) {
        store.write_game(id, 0, game);
        const harness::GameRecord read = store.game(id, 0, game.number).value();
        REQUIRE(read.moves.size() == game.moves.size());
        for (std::size_t i = 0; i < read.moves.size(); ++i)
            CHECK(read.moves[i].player == game.moves[i].player);
        const auto steps = harness::replay(read, run.plan, 0);
        CHECK(steps.front().player == rules::kChance);
        CHECK_FALSE(steps.front().is_asked());
        CHECK(steps[1].is_asked());
        CHECK(PgnWriter(run, 0).text(read).find("walk") != std::string::npos);
    }
}
