#include "harness/plan/time_control.h"

#include <array>

#include <doctest/doctest.h>

using assay::Micros;
using namespace assay::harness;  // NOLINT(google-build-using-namespace)

namespace {

struct Row {
    const char* text;
    const char* expected;  // to_text, or "why: …"
};

std::string read(const char* text) {
    std::string why;
    const auto control = parse_time_control(text, why);
    return control ? to_text(*control) : "why: " + why;
}

}  // namespace

TEST_CASE("Time control: every notation that users write is read") {
    constexpr std::array<Row, 36> kRows{{
        {"5", "5"},
        {"0.5+0.01", "0.5+0.01"},
        {"8+0.08", "8+0.08"},
        {"8+0.08s", "8+0.08"},
        {"8s+80ms", "8+0.08"},
        {" 8 + 0.08 ", "8+0.08"},
        {"10.0+0.10", "10+0.1"},
        {".5+.01", "0.5+0.01"},
        {"40/60", "40/60"},
        {"40/1:30+0.5", "40/90+0.5"},
        {"1:30+1", "90+1"},
        {"1:30.5", "90.5"},
        {"90:00+30", "5400+30"},
        {"1:30:00+30", "5400+30"},
        {"40/1:30:00+30", "40/5400+30"},
        {"100ms", "0.1"},
        {"2min", "120"},
        {"2m+1s", "120+1"},
        {"1h30m", "5400"},
        {"1 h 30 min + 30 s", "5400+30"},
        {"1H", "3600"},
        {"0+5", "0+5"},
        {"40/90min, 20/30min, 15min+30s", "40/5400, 20/1800, 900+30"},
        {"40/60,20/30,10+0.1", "40/60, 20/30, 10+0.1"},
        {"inf", "infinite"},
        {"Infinite", "infinite"},
        {"nodes 20000", "nodes 20000"},
        {"nodes=20k", "nodes 20000"},
        {"nodes 50M", "nodes 50000000"},
        {"depth=8", "depth 8"},
        {"move 100ms", "move 100ms"},
        {"move=0.1", "move 100ms"},
        {"hourglass 60", "hourglass 1min"},
        {"main 600 byoyomi 30", "main 10min byoyomi 30s periods 1"},
        {"byoyomi 10 periods 5", "main 0s byoyomi 10s periods 5"},
        {"main=10min, byoyomi=5min, stones=25", "main 10min byoyomi 5min stones 25"},
    }};
    for (const Row& row : kRows) {
        CHECK_MESSAGE(read(row.text) == row.expected, row.text);
        std::string why;
        const auto control = parse_time_control(row.text, why);
        REQUIRE(control);
        const auto again = parse_time_control(to_text(*control), why);
        REQUIRE(again);
        CHECK_MESSAGE(*again == *control, row.text);
    }
}

TEST_CASE("Time control: what cannot be read is refused with the reason") {
    const std::string not_a_time =
        "why: expected a time such as 8, 0.5, 1:30, 1:30:00, 100ms or 2min, at most 1000000 "
        "hours, found ";
    const std::array<std::pair<const char*, std::string>, 43> kRows{{
        {"", not_a_time + "''"},
        {"8x", not_a_time + "'8x'"},
        {"-5", not_a_time + "'-5'"},
        {"8+", not_a_time + "''"},
        {"8+-1", not_a_time + "'-1'"},
        {"8+0.1+1", not_a_time + "'0.1+1'"},
        {"1:75", not_a_time + "'1:75'"},
        {"1:2:3:4", not_a_time + "'1:2:3:4'"},
        {"1.5:00", not_a_time + "'1.5:00'"},
        {":30", not_a_time + "':30'"},
        {"1:", not_a_time + "'1:'"},
        {"1e3", not_a_time + "'1e3'"},
        {"5 10", not_a_time + "'5 10'"},
        {"30s1min", not_a_time + "'30s1min'"},
        {"1h30", not_a_time + "'1h30'"},
        {"2.5.1", not_a_time + "'2.5.1'"},
        {".", not_a_time + "'.'"},
        {"1000001h", not_a_time + "'1000001h'"},
        {"99999999999999999999", not_a_time + "'99999999999999999999'"},
        {"1,5+0.1", "why: only the last period may be without a number of moves"},
        {"0", "why: a clock without time and increment allows no move"},
        {"40/0+0", "why: a clock without time and increment allows no move"},
        {"0/60", "why: expected a number of moves from 1 to 1000000 before '/', found '0'"},
        {"x/60", "why: expected a number of moves from 1 to 1000000 before '/', found 'x'"},
        {"nodes 0",
         "why: expected a number of nodes such as 20000, 20k or 50M, at most 10^15, found '0'"},
        {"nodes 5G",
         "why: expected a number of nodes such as 20000, 20k or 50M, at most 10^15, found '5G'"},
        {"nodes",
         "why: expected a number of nodes such as 20000, 20k or 50M, at most 10^15, found ''"},
        {"depth 0", "why: expected a whole number from 1 to 1000, found '0'"},
        {"move 0", "why: expected a time above 0"},
        {"main 600", "why: 'main' needs 'byoyomi' too"},
        {"periods 3", "why: expected one of move, nodes, depth, infinite, hourglass, byoyomi"},
        {"nodes 5 periods 3", "why: 'periods' is allowed with 'byoyomi' only"},
        {"nodes 5 nodes 6", "why: 'nodes' stands twice"},
        {"nodes 5 depth 6", "why: 'nodes' and 'depth' exclude each other"},
        {"byoyomi 5 periods 2 stones 3", "why: 'periods' and 'stones' exclude each other"},
        {"byoyomi 5 period 2", "why: unknown word 'period'; did you mean 'periods'?"},
        {"move soon", not_a_time + "'soon'"},
        {"st=0.1", not_a_time + "'st=0.1'; assay says {move: 100ms}"},
        {"movetime 100", not_a_time + "'movetime 100'; assay says {move: 100ms}"},
        {"tc=10+0.1", not_a_time + "'tc=10'; assay says the clock alone, as in 10+0.1"},
        {"hg360", not_a_time + "'hg360'; assay says {hourglass: 60}"},
        {"N=5000", not_a_time + "'N=5000'; assay says {nodes: 20000}"},
        {"40/7200:20/3600",
         not_a_time + "'7200:20/3600'; periods are separated by commas, as in 40/60, 20/30"},
    }};
    for (const auto& row : kRows) CHECK_MESSAGE(read(row.first) == row.second, row.first);
    std::string many;
    for (int i = 0; i < 101; ++i) many += "1/1,";
    CHECK(read((many + "1").c_str()) == "why: more than 100 periods");
}

TEST_CASE("Duration: units, colons and, where allowed, bare seconds are read to the microsecond") {
    CHECK(assay::harness::parse_duration("100ms", false) == Micros(100'000));
    CHECK(parse_duration("0ms", false) == Micros(0));
    CHECK(parse_duration("250us", false) == Micros(250));
    CHECK(parse_duration("1.5 min", false) == Micros(90'000'000));
    CHECK(parse_duration("0.1", true) == Micros(100'000));
    CHECK(parse_duration("0.0000015", true) == Micros(2));
    CHECK(parse_duration("0.0000014", true) == Micros(1));
    CHECK(parse_duration("1000000h", false) == Micros(3'600'000'000'000'000));
    CHECK_FALSE(parse_duration("1000000h1us", false));
    CHECK_FALSE(parse_duration("5", false));
    CHECK_FALSE(parse_duration("ms", false));
    CHECK_FALSE(parse_duration("5 parsecs", false));
    CHECK_FALSE(parse_duration("5s ", false));
}

TEST_CASE("Duration: its text is short and reads back") {
    constexpr std::array<std::pair<std::int64_t, const char*>, 14> kRows{{
        {0, "0s"},
        {250, "250us"},
        {100'000, "100ms"},
        {100'500, "100500us"},
        {8'000'000, "8s"},
        {8'500'000, "8.5s"},
        {60'000'000, "1min"},
        {90'000'000, "1:30"},
        {65'000'000, "1:05"},
        {90'250'001, "1:30.250001"},
        {3'600'000'000, "1h"},
        {5'400'000'000, "90min"},
        {3'661'000'000, "1:01:01"},
        {9'000'000'000, "2:30:00"},
    }};
    for (const auto& [micros, text] : kRows) {
        CHECK(duration_text(Micros(micros)) == text);
        CHECK(parse_duration(text, false) == Micros(micros));
    }
}

TEST_CASE("Time control: infinite takes its wall limit, and a word at fault is pointed at") {
    std::string why;
    std::size_t wrong = 9;
    const std::array<ClockWord, 1> kInfinite{{{"infinite", "5s"}}};
    const auto control = time_control_of(kInfinite, wrong, why);
    REQUIRE(control);
    CHECK(control->kind == TimeControl::Kind::Infinite);
    CHECK(control->wall_limit == std::chrono::seconds(5));
    const std::array<ClockWord, 2> kWrong{{{"main", "600"}, {"byoyomi", "x"}}};
    CHECK_FALSE(time_control_of(kWrong, wrong, why));
    CHECK(wrong == 1);
}
