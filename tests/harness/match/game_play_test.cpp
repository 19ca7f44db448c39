#include "harness/match/game_play.h"

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "rules/make_game.h"
#include "tests/support/moves_in_row.h"
#include "tests/support/takeaway.h"

using namespace assay;
using namespace assay::harness;
using namespace std::chrono_literals;

namespace {

/// Programs of these names, each with one second.
std::vector<GameEntrant> entrants_of(const std::vector<std::string>& names) {
    TimeControl control;
    control.periods = {{0, 1s, 0s}};
    std::vector<GameEntrant> entrants;
    for (const std::string& name : names) entrants.push_back({name, control});
    return entrants;
}

/// A game from a position, both sides with one second.
class GameTest {
public:
    explicit GameTest(const std::string& start) { opening.start = start; }

    const GameRecord& after(std::string_view move, Micros used) {
        emplace();
        const adapters::SearchInfo info;
        play->on_move({move, {}, &info}, {used, 0us});
        REQUIRE(play->is_over());
        return play->record();
    }

    /// Two moves from the start, said with these kinds; true where the game is over then.
    [[nodiscard]] bool is_over_after(adapters::BestMove first, adapters::BestMove second) {
        emplace();
        const adapters::SearchInfo info;
        first.info = second.info = &info;
        play->on_move(first, {1ms, 0us});
        if (!play->is_over()) play->on_move(second, {1ms, 0us});
        return play->is_over();
    }

    void emplace() {
        GamePlay::Setup setup;
        setup.tablebase = tables;
        play.emplace(*game, entrants, adjudicate, opening, setup);
    }

    const rules::Tablebase* tables = nullptr;

    std::unique_ptr<rules::Game> game = rules::make_game("chess");
    std::vector<GameEntrant> entrants = entrants_of({"a", "b"});
    AdjudicatePlan adjudicate;
    openings::Opening opening;
    std::optional<GamePlay> play;
};

/// Tables in which every position has the same value.
struct OneValue final : rules::Tablebase {
    [[nodiscard]] std::optional<rules::TableValue> value(const rules::Position&) const override {
        return all;
    }

    [[nodiscard]] int most_pieces() const override { return 5; }

    [[nodiscard]] int pieces(const rules::Position&) const override { return 3; }

    std::optional<rules::TableValue> all = rules::TableValue{1, false};
};

}  // namespace

TEST_CASE("GamePlay: tables are asked after rules and flag, before scores, when a count begins") {
    using Tables = AdjudicatePlan::Tables;
    GameTest t("6k1/5ppp/8/8/8/8/5r2/R3K3 w - - 0 1");
    OneValue tables;
    t.tables = &tables;
    t.adjudicate.length = 1;
    const adapters::BestMove takes{"e1f2", {}, nullptr, adapters::BestMove::Kind::Move};
    const adapters::BestMove reply{"g8f8", {}, nullptr, adapters::BestMove::Kind::Move};
    // Without the plan's wish they are not asked.
    CHECK(t.is_over_after(takes, reply));
    CHECK(t.play->record().termination == Termination::Length);
    t.adjudicate.tablebase = Tables{};
    CHECK(t.after("e1f2", 1ms).termination == Termination::Tablebase);
    CHECK(t.play->record().scores[0] == 0);
    CHECK(t.play->record().reason == "b wins by tablebase");
    CHECK(t.after("a1a8", 1ms).termination == Termination::by_rules("mate"));
    CHECK(t.after("e1f2", 1001ms).termination == Termination::Time);
    // After a quiet move the tables do not know how many there were.
    t.opening.start = "6k1/5ppp/8/8/8/8/5r2/R3K3 b - - 0 1";
    CHECK(t.is_over_after({"f2f3", {}, nullptr, adapters::BestMove::Kind::Move},
                          {"a1a2", {}, nullptr, adapters::BestMove::Kind::Move}));
    CHECK(t.play->record().termination == Termination::Length);
}

TEST_CASE("GamePlay: of the tables' values those are taken that are asked for") {
    using Result = AdjudicatePlan::Tables::Result;
    GameTest t("6k1/5ppp/8/8/8/8/5r2/R3K3 w - - 0 1");
    OneValue tables;
    t.tables = &tables;
    const auto ends = [&](Result result, int pieces, bool counts, rules::TableValue value) {
        t.adjudicate.tablebase = AdjudicatePlan::Tables{"", pieces, counts, result};
        tables.all = value;
        t.emplace();
        const adapters::SearchInfo info;
        t.play->on_move({"e1f2", {}, &info}, {1ms, 0us});
        if (!t.play->is_over()) return std::string("goes on");
        return t.play->record().reason;
    };
    CHECK(ends(Result::Both, 0, true, {-1, false}) == "draw by tablebase");
    CHECK(ends(Result::Win, 0, true, {-1, false}) == "goes on");
    CHECK(ends(Result::Win, 0, true, {0, false}) == "a wins by tablebase");
    CHECK(ends(Result::Draw, 0, true, {0, false}) == "goes on");
    CHECK(ends(Result::Both, 2, true, {0, false}) == "goes on");
    CHECK(ends(Result::Both, 3, true, {0, false}) == "a wins by tablebase");
    CHECK(ends(Result::Both, 0, true, {0, true}) == "draw by tablebase");
    CHECK(ends(Result::Both, 0, false, {0, true}) == "a wins by tablebase");
    CHECK(ends(Result::Win, 0, true, {0, true}) == "goes on");
}

TEST_CASE("GamePlay: a fallen flag against a side that cannot mate is a draw, or a loss if asked") {
    GameTest t("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1");
    CHECK(t.after("e1e2", 1001ms).termination == Termination::Time);
    CHECK(t.play->record().scores[0] == 0);

    t.opening.start = "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1";
    CHECK(t.after("a2a3", 1001ms).scores[0] == 0.5F);
    CHECK(t.play->record().guilty == 0);
    CHECK(t.play->record().reason ==
          "a overran its time by 1.000 ms at move 1, but cannot be mated: draw");

    t.adjudicate.flag_is_draw_if_none_can_win = false;
    CHECK(t.after("a2a3", 1001ms).scores[0] == 0);
}

TEST_CASE("GamePlay: an illegal move loses before the flag, a late mate loses by the flag") {
    GameTest t("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1");
    CHECK(t.after("a1a9", 2s).termination == Termination::IllegalMove);
    CHECK(t.after("", 2s).reason == "a answered without a move at move 1");
    CHECK(t.after("a1a8", 1001ms).termination == Termination::Time);
    CHECK(t.play->record().scores[0] == 0);
    CHECK(t.after("a1a8", 1s).termination == Termination::by_rules("mate"));
    CHECK(t.play->record().scores[0] == 1);
}

TEST_CASE("GamePlay: the record says who made each move, also where one player moves twice") {
    const auto game = test::make_moves_in_row();
    GamePlay play(*game, entrants_of({"a", "b"}), {}, {}, GamePlay::Setup{});
    const adapters::SearchInfo info;
    while (play.record().moves.size() < 6) play.on_move({"step", {}, &info}, {100ms, 0us});
    std::vector<int> players;
    for (const MoveRecord& move : play.record().moves) players.push_back(move.player);
    CHECK(players == std::vector{0, 1, 1, 0, 1, 1});
    CHECK(play.record().moves[3].left == 800ms);
    CHECK(play.record().moves[5].left == 600ms);
}

TEST_CASE(
    "GamePlay: a resignation loses without blame, claims that the rules do not give with it") {
    using Kind = adapters::BestMove::Kind;
    GameTest t("");
    const adapters::BestMove e4{"e2e4", {}, nullptr, Kind::Move};
    CHECK(t.is_over_after(e4, {"", {}, nullptr, Kind::Resign}));
    CHECK(t.play->record().termination == Termination::ClaimResign);
    CHECK(t.play->record().reason == "b resigned at move 1...");
    CHECK(t.play->record().guilty == -1);
    CHECK(t.play->record().scores[0] == 1);
    CHECK_FALSE(is_failure(t.play->record().termination));
    CHECK(t.play->record().moves.size() == 1);

    CHECK(t.is_over_after(e4, {"", {}, nullptr, Kind::ClaimWin}));
    CHECK(t.play->record().termination == Termination::IllegalMove);
    CHECK(t.play->record().reason == "b claimed a win at move 1..., which the rules do not give");
    CHECK(t.is_over_after(e4, {"", {}, nullptr, Kind::ClaimDraw}));
    CHECK(t.play->record().termination == Termination::IllegalMove);
    CHECK(t.play->record().guilty == 1);
    CHECK(t.is_over_after(e4, {"", {}, nullptr, Kind::Pass}));
    CHECK(t.play->record().reason == "b played 'pass' at move 1..., which is not legal");
}

TEST_CASE("GamePlay: a claim that the rules grant ends the game, by name or by its kind") {
    using Kind = adapters::BestMove::Kind;
    const auto game = rules::make_game(rules::GameSource{
        "t", "t.mg",
        "dimensions (2,2)\npieces { man 'W' 'B' }\n"
        "main = try [ either [ find empty field, replace by own man ] or claim ] else draw.\n"
        "claim = check count own man > 0, either win \"settled\" or draw \"agreed\".\n"});
    const auto ended_by = [&](Kind kind, std::string_view move, std::size_t plies) {
        GamePlay play(*game, entrants_of({"a", "b"}), {}, {}, GamePlay::Setup{});
        const adapters::SearchInfo info;
        for (std::size_t ply = 0; ply < plies; ++ply)
            play.on_move({ply == 0 ? "a1" : "b1", {}, &info}, {1ms, 0us});
        play.on_move({move, {}, &info, kind}, {1ms, 0us});
        REQUIRE(play.is_over());
        return play.record();
    };
    for (const auto& [kind, name] :
         {std::pair(Kind::ClaimDraw, ""), std::pair(Kind::Move, "draw")}) {
        const GameRecord drawn = ended_by(kind, name, 2);
        CHECK(drawn.termination.word == "agreed");
        CHECK(drawn.moves.back().name == "draw");
        CHECK(drawn.scores[0] == 0.5F);
        CHECK(drawn.guilty == -1);
    }
    for (const auto& [kind, name] : {std::pair(Kind::ClaimWin, ""), std::pair(Kind::Move, "win")}) {
        const GameRecord won = ended_by(kind, name, 2);
        CHECK(won.termination.word == "settled");
        CHECK(won.reason == "a wins by settled");
        CHECK(won.scores[0] == 1);
    }
    // The second player has no man yet, so that the rules grant nothing.
    for (const Kind kind : {Kind::ClaimDraw, Kind::ClaimWin}) {
        const GameRecord lost = ended_by(kind, "", 1);
        CHECK(lost.termination == Termination::IllegalMove);
        CHECK(lost.guilty == 1);
    }
}

TEST_CASE("GamePlay: by deal, both games of a pair turn up the same pieces in the same places") {
    const auto game = rules::make_game(
        rules::find_game(ASSAY_SOURCE_DIR "/rules/multigame/programs/darkchess.mg"));
    const auto turned = [&](rules::Drawing chance, int number,
                            const std::vector<std::string>& places) {
        GamePlay::Setup setup;
        setup.game = number;
        setup.luck = 11;
        setup.chance = chance;
        GamePlay play(*game, entrants_of({"a", "b"}), {}, {}, setup);
        const adapters::SearchInfo info;
        for (const std::string& place : places) play.on_move({place, {}, &info}, {1ms, 0us});
        REQUIRE_FALSE(play.is_over());
        std::map<std::string, std::string> found;
        const std::vector<MoveRecord>& moves = play.record().moves;
        REQUIRE(moves.size() == 2 * places.size());
        for (std::size_t n = 0; n < moves.size(); n += 2) {
            CHECK(moves[n + 1].player == rules::kChance);
            found[moves[n].name] = moves[n + 1].name;
        }
        return found;
    };
    const std::vector<std::string> one{"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"};
    const std::vector<std::string> two{"a1", "d2", "a2", "c1", "b2", "d1", "c2", "b1"};
    CHECK(turned(rules::Drawing::Deal, 0, one) == turned(rules::Drawing::Deal, 1, two));
    CHECK(turned(rules::Drawing::Ordinal, 0, one) != turned(rules::Drawing::Ordinal, 1, two));
}

TEST_CASE("GamePlay: a draw that both claim in turn is one; one program's claim goes with a move") {
    using Kind = adapters::BestMove::Kind;
    GameTest t("");
    const adapters::BestMove offer{"e2e4", {}, nullptr, Kind::ClaimDraw};
    CHECK_FALSE(t.is_over_after(offer, {"e7e5", {}, nullptr, Kind::Move}));
    CHECK_FALSE(
        t.is_over_after({"e2e4", {}, nullptr, Kind::Move}, {"e7e5", {}, nullptr, Kind::ClaimDraw}));
    CHECK(t.is_over_after(offer, {"", {}, nullptr, Kind::ClaimDraw}));
    CHECK(t.play->record().termination == Termination::ClaimDraw);
    CHECK(t.play->record().reason == "both programs claimed a draw");
    CHECK(t.play->record().scores[1] == 0.5F);
    CHECK(t.play->record().guilty == -1);
}

TEST_CASE("GamePlay: a draw that was offered before other moves is offered no more") {
    using Kind = adapters::BestMove::Kind;
    GameTest t("");
    t.emplace();
    const adapters::SearchInfo info;
    for (const auto& [move, kind] :
         {std::pair{"e2e4", Kind::ClaimDraw}, {"e7e5", Kind::Move}, {"g1f3", Kind::Move}})
        t.play->on_move({move, {}, &info, kind}, {1ms, 0us});
    t.play->on_move({"b8c6", {}, &info, Kind::ClaimDraw}, {1ms, 0us});
    CHECK_FALSE(t.play->is_over());
    t.play->on_move({"f1c4", {}, &info, Kind::ClaimDraw}, {1ms, 0us});
    CHECK(t.play->is_over());
}

TEST_CASE("GamePlay: scores are stored from the mover's view") {
    GameTest t("");
    const auto play = [&t](std::string_view move, adapters::Score score) {
        adapters::SearchInfo info;
        info.score = score;
        t.play->on_move({move, {}, &info, adapters::BestMove::Kind::Move}, {1ms, 0us});
        return *t.play->record().moves.back().score;
    };
    t.emplace();
    using adapters::Score;
    const Score first{false, 30, Score::Bound::Exact, Score::View::FirstPlayer};
    CHECK(play("e2e4", first) == Score{false, 30});
    CHECK(play("e7e5", first) == Score{false, -30});
    CHECK(play("g1f3", {true, -2, Score::Bound::Exact, Score::View::Mover}) == Score{true, -2});
}

TEST_CASE("GamePlay: with each game of an encounter every entrant moves on by one player") {
    CHECK(lineup_of(2, 0) == Lineup{0, 1});
    CHECK(lineup_of(2, 1) == Lineup{1, 0});
    CHECK(lineup_of(3, 1) == Lineup{1, 2, 0});
    CHECK(lineup_of(3, 2) == Lineup{2, 0, 1});
    CHECK(lineup_of(1, 5) == Lineup{0});
}

TEST_CASE("GamePlay: three players are asked in turn, each with the clocks of all") {
    const auto game = test::make_takeaway();
    auto entrants = entrants_of({"a", "b", "c"});
    entrants[1].time = TimeControl();
    entrants[1].time.kind = TimeControl::Kind::Nodes;
    entrants[1].time.nodes = 500;
    GamePlay::Setup setup;
    setup.turn = 2;  // c, a, b
    GamePlay play(*game, entrants, {}, {}, setup);
    const adapters::SearchInfo info;
    CHECK(play.program_of(play.mover()) == 2);
    play.on_move({"2", {}, &info}, {400ms, 0us});
    CHECK(play.program_of(play.mover()) == 0);
    const adapters::SearchRequest request = play.request();
    CHECK(request.moves == "2");
    CHECK(request.player == 1);
    REQUIRE(request.clocks.size() == 3);
    CHECK(request.clocks[0].left == 600ms);
    CHECK(request.clocks[1].left == 1s);
    CHECK(request.clocks[2].left == 1s);  // has none, and is shown with the mover's
    play.on_move({"1", {}, &info}, {1ms, 0us});
    CHECK(play.request().clocks.empty());
    CHECK(play.request().nodes == 500);
    play.on_move({"2", {}, &info}, {1ms, 0us});
    play.on_move({"2", {}, &info}, {1ms, 0us});
    REQUIRE(play.is_over());
    CHECK(play.record().reason == "c wins by taking the last token");
    CHECK(play.record().score_of(2) == 1);
    CHECK(play.record().scores.players == 3);
}

TEST_CASE("GamePlay: a draw among three is one when all of them have claimed it in turn") {
    using Kind = adapters::BestMove::Kind;
    const auto game = test::make_takeaway();
    const adapters::SearchInfo info;
    const auto claims = [&](const std::vector<Kind>& kinds) {
        GamePlay play(*game, entrants_of({"a", "b", "c"}), {}, {}, GamePlay::Setup{});
        for (const Kind kind : kinds)
            if (!play.is_over()) play.on_move({"1", {}, &info, kind}, {1ms, 0us});
        return play.is_over() ? play.record() : GameRecord{};
    };
    const GameRecord drawn =
        claims({Kind::Move, Kind::ClaimDraw, Kind::ClaimDraw, Kind::ClaimDraw});
    CHECK(drawn.termination == Termination::ClaimDraw);
    CHECK(drawn.reason == "all programs claimed a draw");
    CHECK(drawn.scores == rules::scores_with_winner(-1, 3));
    CHECK(claims({Kind::ClaimDraw, Kind::ClaimDraw}).moves.empty());
    CHECK(claims({Kind::ClaimDraw, Kind::Move, Kind::ClaimDraw, Kind::ClaimDraw}).moves.empty());
}

TEST_CASE("GamePlay: flaws of lines are told once, counted by kind, and switched off by the plan") {
    const auto game = rules::make_game("chess");
    GamePlay::Setup setup;
    setup.number = 7;
    setup.turn = 1;  // entrant 1 is the first player
    setup.keeps_pv = true;
    GamePlay play(*game, entrants_of({"a", "b"}), {}, {}, setup);
    adapters::SearchInfo info;
    info.line = "info depth 1 score cp 0 pv a1a1";
    info.pv = "a1a1";
    info.moves_at = 27;
    info.moves_size = 4;
    info.kept_lines = {"", "info string x"};
    play.on_move({"e2e4", {}, &info}, {1ms, 0us});
    const std::vector<PvFinding> found = play.take_findings();
    REQUIRE(found.size() == 2);
    CHECK(play.take_findings().empty());
    PvFinding expected;
    expected.flaw = PvFlaw::IllegalMove;
    expected.program = 1;
    expected.player = 0;
    expected.game = 7;
    expected.ply = 0;
    expected.move = "a1a1";
    expected.line = info.line;
    CHECK(found[0] == expected);
    CHECK(found[1].flaw == PvFlaw::OtherMove);
    CHECK(found[1].move == "e2e4");
    CHECK(play.record().moves[0].pv == "a1a1");
    CHECK(play.record().moves[0].lines == std::vector<std::string>{"info string x"});

    const adapters::SearchInfo nothing;
    play.on_move({"e7e5", {}, &nothing}, {1ms, 0us});
    play.on_move({"g1f9", {}, &info}, {1ms, 0us});
    CHECK(play.is_over());
    CHECK(play.record().illegal_move == "g1f9");
    REQUIRE(play.record().pv_counts.size() == 2);
    CHECK(play.record().pv_counts[0].count == 2);
    CHECK(play.record().pv_counts[0].example == expected);
    CHECK(play.take_findings().front().moves == "e2e4 e7e5");

    setup.checks_pv = false;
    GamePlay blind(*game, entrants_of({"a", "b"}), {}, {}, setup);
    blind.on_move({"e2e4", {}, &info}, {1ms, 0us});
    CHECK(blind.take_findings().empty());
    CHECK(blind.record().pv_counts.empty());
}

TEST_CASE("GamePlay: a loss on time says by how much, the margin included") {
    GameTest t("");
    CHECK(t.after("e2e4", 1012ms).overrun == 12ms);
    t.entrants[0].time.margin = 5ms;
    CHECK(t.after("e2e4", 1012ms).overrun == 12ms);
}

TEST_CASE("GamePlay: how a program went is told in words, and as an end of its own") {
    using adapters::GoneReason;

    struct Case {
        GoneReason reason;
        bool started;
        Termination termination;
        const char* said;
    };

    for (const Case& one :
         {Case{GoneReason::Exited, true, Termination::Crash, "a crashed at move 1: why"},
          Case{GoneReason::Killed, true, Termination::Crash, "a crashed at move 1: why"},
          Case{GoneReason::ClosedOutput, true, Termination::Disconnect,
               "a disconnected at move 1: why"},
          Case{GoneReason::ClosedInput, true, Termination::Disconnect,
               "a disconnected at move 1: why"},
          Case{GoneReason::Flood, true, Termination::Disconnect, "a was cut off at move 1: why"},
          Case{GoneReason::Exited, false, Termination::NoStart,
               "a did not start at move 1: why"}}) {
        CAPTURE(one.said);
        GameTest t("");
        t.emplace();
        t.play->on_gone(0, {one.reason, 0, 0, "why"}, one.started);
        CHECK(t.play->record().termination == one.termination);
        CHECK(t.play->record().reason == one.said);
        CHECK(t.play->record().guilty == 0);
        CHECK(t.play->record().scores.winner() == 1);
    }
}
