#include "harness/machine/session_load.h"

#include <unistd.h>

#include <doctest/doctest.h>

namespace assay::harness {

TEST_CASE("SessionLoad: a process's line is read, whatever its name holds") {
    const auto plain = read_process_time(
        "4711 (cc1plus) R 4700 4690 4600 0 -1 4194304 101 0 0 0 70 5 0 0 20 0 1 0 1 2 3\n");
    REQUIRE(plain.has_value());
    CHECK(plain->name == "cc1plus");
    CHECK(plain->session == 4600);
    CHECK(plain->ticks == 75);
    const auto odd =
        read_process_time("7 (a) b (c) S 1 2 3 0 -1 4194304 101 0 0 0 1 2 0 0 20 0 1 0 1 2 3");
    REQUIRE(odd.has_value());
    CHECK(odd->name == "a) b (c");
    CHECK(odd->session == 3);
    for (const char* const text :
         {"", "7", "7 (x) S 1 2 3", ") 7 (", "7 (x) S 1 2 s 0 -1 4 1 0 0 0 1 2"}) {
        CAPTURE(text);
        CHECK_FALSE(read_process_time(text).has_value());
    }
}

TEST_CASE("SessionLoad: who took a fifth of a core in our session counts, the busiest first") {
    const ProcessTimes before{{1, {"idle", 9, 100}}, {2, {"half", 9, 100}},
                              {3, {"full", 9, 100}}, {4, {"other", 8, 100}},
                              {5, {"own", 9, 100}},  {6, {"reborn", 9, 500}}};
    const ProcessTimes after{{1, {"idle", 9, 119}},  {2, {"half", 9, 150}}, {3, {"full", 9, 200}},
                             {4, {"other", 8, 200}}, {5, {"own", 9, 200}},  {6, {"reborn", 9, 60}},
                             {7, {"new", 9, 100}}};
    const auto busy = busy_between(before, after, 9, 5, Micros{1'000'000}, 100);
    REQUIRE(busy.size() == 2);
    CHECK(busy[0].pid == 3);
    CHECK(busy[0].name == "full");
    CHECK(busy[0].share == doctest::Approx(1.0));
    CHECK(busy[1].pid == 2);
    CHECK(busy[1].share == doctest::Approx(0.5));
    CHECK(busy_between(before, after, 9, 5, Micros{0}, 100).empty());
}

TEST_CASE("SessionLoad: this process is found, in its own session") {
    const ProcessTimes times = process_times();
    const auto own = times.find(::getpid());
    REQUIRE(own != times.end());
    CHECK(own->second.session == ::getsid(0));
}

}  // namespace assay::harness
