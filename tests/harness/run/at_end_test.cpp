#include "harness/run/at_end.h"

#include <csignal>

#include <doctest/doctest.h>

using namespace assay::harness;

TEST_CASE("at_end: names in braces are replaced, all else is left alone") {
    const AtEndValues values{{"verdict", "accepted"}, {"run", "12"}, {"empty", ""}};
    CHECK(with_values({"./notify", "{verdict}", "run={run}:{verdict}!", "{empty}"}, values) ==
          std::vector<std::string>{"./notify", "accepted", "run=12:accepted!", ""});
    CHECK(with_values({"{none}", "{", "}", "{run", "{a{run}", "{}", ""}, values) ==
          std::vector<std::string>{"{none}", "{", "}", "{run", "{a12", "{}", ""});
    // A value is not looked through again.
    CHECK(with_values({"{a}"}, {{"a", "{run}"}, {"run", "12"}}) ==
          std::vector<std::string>{"{run}"});
}

TEST_CASE("at_end: the program's words are passed on, and its failure is told") {
    std::string said;
    const auto say = [&](std::string_view bytes) { said += bytes; };
    CHECK(run_at_end({"/bin/sh", "-c", "echo out; echo err >&2"}, "", say) == std::nullopt);
    CHECK(said.find("out\n") != std::string::npos);
    CHECK(said.find("err\n") != std::string::npos);
    CHECK(run_at_end({"/bin/sh", "-c", "exit 3"}, "", say) == "/bin/sh: exited with code 3");
    CHECK(run_at_end({"/nowhere/notify"}, "", say).value_or("").starts_with("/nowhere/notify: "));
}

TEST_CASE("at_end: the program reads the input, of any length, and need not") {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    std::string said;
    const auto say = [&](std::string_view bytes) { said += bytes; };
    const std::string input(3'000'000, 'x');  // more than a pipe holds
    CHECK(run_at_end({"/bin/sh", "-c", "wc -c"}, input, say) == std::nullopt);
    CHECK(said == "3000000\n");
    said.clear();
    CHECK(run_at_end({"/bin/cat"}, "short", say) == std::nullopt);
    CHECK(said == "short");
    said.clear();
    CHECK(run_at_end({"/bin/cat"}, "", say) == std::nullopt);
    CHECK(said.empty());
    CHECK(run_at_end({"/bin/sh", "-c", "exec <&-; echo done"}, input, say) == std::nullopt);
    CHECK(said == "done\n");
}
