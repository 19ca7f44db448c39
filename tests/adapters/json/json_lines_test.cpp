#include "adapters/json/json_lines.h"

#include <string>

#include <doctest/doctest.h>

using assay::Micros;
using assay::adapters::BestMove;
using assay::adapters::GameStart;
using assay::adapters::json_go_line;
using assay::adapters::json_new_line;
using assay::adapters::json_options_line;
using assay::adapters::JsonMessage;
using assay::adapters::merge;
using assay::adapters::read_json_line;
using assay::adapters::Score;
using assay::adapters::SearchInfo;
using assay::adapters::SearchRequest;

namespace {

JsonMessage read(const std::string& line) {
    const auto message = read_json_line(line);
    REQUIRE_MESSAGE(message.has_value(), line);
    return *message;
}

}  // namespace

TEST_CASE("JSON lines: an info's fields are read, from whose view a score is among them") {
    const JsonMessage said =
        read(R"({"type":"info","depth":7,"seldepth":9,"nodes":123456789012,"nps":5,"tbhits":0,)"
             R"("hashfull":12,"time_us":1500,"score":{"cp":-31,"bound":"upper","view":"first"},)"
             R"("pv":["e2e4","e7e5"]})");
    CHECK(said.complaint.empty());
    CHECK(said.info.depth == 7);
    CHECK(said.info.seldepth == 9);
    CHECK(said.info.nodes == 123456789012U);
    CHECK(said.info.time == Micros(1500));
    CHECK(said.info.pv == "e2e4 e7e5");
    const Score score = said.info.score.value();
    CHECK(score == Score{false, -31, Score::Bound::Upper, Score::View::FirstPlayer});
    CHECK(seen_by_mover(score, 0) == Score{false, -31, Score::Bound::Upper});
    CHECK(seen_by_mover(score, 1) == Score{false, 31, Score::Bound::Lower});
    CHECK(read(R"({"type":"info","score":{"mate":-3}})").info.score == Score{true, -3});

    SearchInfo info = said.info;
    merge(info, read(R"({"type":"info","depth":8})").info);
    CHECK(info.depth == 8);
    CHECK(info.nodes == 123456789012U);
    CHECK(info.pv == "e2e4 e7e5");
}

TEST_CASE("JSON lines: a field of another kind is unset and complained of, numbers are saturated") {
    const auto check = [](const std::string& fields, const std::string& complaint) {
        CHECK(read(R"({"type":"info",)" + fields + "}").complaint == complaint);
    };
    check(R"("depth":"seven")", "'depth' is not a whole number");
    check(R"("depth":1.5)", "'depth' is not a whole number");
    check(R"("depth":null)", "");
    check(R"("score":20)", "'score' is not an object");
    check(R"("score":{})", "'score' is not an object with 'cp' or 'mate'");
    check(R"("score":{"cp":true})", "'cp' is not a whole number");
    check(R"("pv":"e2e4")", "'pv' is not a list of texts");
    check(R"("pv":["e2e4",4])", "'pv' is not a list of texts");
    const auto large = read(
        R"({"type":"info","depth":1e300,"nodes":18446744073709551616,"nps":-4,"seldepth":2.0})");
    CHECK(large.info.depth == 2147483647);
    CHECK(large.info.nodes == 18446744073709551615U);
    CHECK(large.info.nps == 0);
    CHECK(large.info.seldepth == 2);
}

TEST_CASE("JSON lines: a move, a resignation, claims and a pass") {
    using Kind = BestMove::Kind;
    const auto check = [](const std::string& fields, Kind kind, const std::string& move) {
        const JsonMessage said = read(R"({"type":"move")" + fields + "}");
        CHECK(said.kind == kind);
        CHECK(said.move == move);
    };
    check(R"(,"move":"e2e4")", Kind::Move, "e2e4");
    check("", Kind::Move, "");
    check(R"(,"move":7)", Kind::Move, "");
    check(R"(,"resign":true)", Kind::Resign, "");
    check(R"(,"resign":false,"move":"a1")", Kind::Move, "a1");
    check(R"(,"move":"e2e4","draw":true)", Kind::ClaimDraw, "e2e4");
    check(R"(,"draw":true)", Kind::ClaimDraw, "");
    check(R"(,"win":true)", Kind::ClaimWin, "");
    check(R"(,"pass":true)", Kind::Pass, "");
}

TEST_CASE("JSON lines: what is no object with a type is none, however it is cut") {
    for (const char* const line :
         {"", "hello", "[]", "{}", "7", R"({"type":7})", R"({"type":null})", R"({"type":"info")",
          R"({"type":"info"} x)", R"("type")", "{\"type\":\"info\",\"depth\":1e999999}"}) {
        const auto message = read_json_line(line);
        if (message) CHECK_MESSAGE(std::string(line).find("1e999999") != std::string::npos, line);
    }
    const std::string whole =
        R"({"type":"info","depth":7,"score":{"cp":-31,"view":"first"},"pv":["e2e4","\u00e9"]})";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK_FALSE(read_json_line(whole.substr(0, size)).has_value());
    }
    CHECK_FALSE(read_json_line(std::string(60'000, '[')).has_value());
    CHECK(read(R"({"type":"something new","x":1})").type == JsonMessage::Type::Other);
}

TEST_CASE("JSON lines: the lines that a program is told") {
    CHECK(json_options_line("chess", {{"Hash", "16"}, {"Book", "a \"b\""}}) ==
          "{\"type\":\"options\",\"game\":\"chess\",\"values\":{\"Hash\":\"16\",\"Book\":\"a "
          "\\\"b\\\"\"}}\n");
    GameStart game;
    CHECK(json_new_line(game) == "{\"type\":\"new\"}\n");
    game.start = "a position";
    game.moves = "e2e4 e7e5";
    game.player = 1;
    game.time.base = Micros(8'000'000);
    game.time.increment = Micros(80'000);
    game.time.moves = 40;
    CHECK(json_new_line(game) ==
          "{\"type\":\"new\",\"start\":\"a position\",\"moves\":[\"e2e4\",\"e7e5\"],\"player\":1,"
          "\"time\":{\"base_us\":8000000,\"increment_us\":80000,\"moves\":40}}\n");
    SearchRequest request;
    request.moves = "e2e4";
    request.player = 1;
    request.clocks = {{Micros(5), Micros(1)}, {Micros(7), Micros(2)}};
    request.moves_to_go = 3;
    CHECK(json_go_line(request) ==
          "{\"type\":\"go\",\"moves\":[\"e2e4\"],\"player\":1,\"left_us\":[5,7],\"increment_us\":"
          "[1,2],\"moves_to_go\":3}\n");
    SearchRequest limits;
    limits.nodes = 10;
    limits.depth = 2;
    limits.infinite = true;
    CHECK(
        json_go_line(limits) ==
        "{\"type\":\"go\",\"moves\":[],\"player\":0,\"nodes\":10,\"depth\":2,\"infinite\":true}\n");
}

TEST_CASE("JSON lines: a bound and a mate in 0 do not replace an exact score") {
    SearchInfo info;
    for (const char* const line :
         {R"({"type":"info","depth":5,"score":{"cp":400},"pv":["b2b3"]})",
          R"({"type":"info","depth":6,"score":{"cp":0,"bound":"upper"},"pv":["a2a3"]})",
          R"({"type":"info","depth":7,"nodes":9,"score":{"mate":0}})"}) {
        merge(info, read(line).info);
    }
    CHECK(info.depth == 5);
    CHECK(info.pv == "b2b3");
    CHECK(info.nodes == 9U);
    CHECK(info.score == Score{false, 400});
    SearchInfo bound;
    merge(bound, read(R"({"type":"info","score":{"cp":3,"bound":"lower"}})").info);
    CHECK(bound.score == Score{false, 3, Score::Bound::Lower});
}
