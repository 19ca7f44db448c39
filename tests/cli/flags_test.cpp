// What every command says to a flag or a value that it cannot take, and its --help.
#include <array>
#include <cctype>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "tests/cli/frame/commands.h"
#include "tests/support/temp_dir.h"

using assay::test::all_commands;
using assay::test::contains;
using assay::test::Finished;
using assay::test::name_of;
using assay::test::shell;
using assay::test::TempDir;
using assay::test::text_at;

namespace {

// Each is a process, which takes a sanitizer a quarter of a second.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kEvery = 3;
#else
constexpr std::size_t kEvery = 1;
#endif

/// One letter of the flag's name twice: "--conncurrency".
std::string misspelt(const std::string& flag) {
    return flag.substr(0, 4) + flag.substr(3);
}

/// Standard error and the code of `assay COMMAND WORDS`.
Finished asked(const boost::json::value& command, const std::string& words) {
    const TempDir folder;
    return shell(folder.root(), "$ASSAY " + text_at(command, "command") + " " + words);
}

void check_refused(const Finished& done, const std::string& part) {
    CHECK(done.code == 2);
    CHECK_MESSAGE(contains(done.out, part), done.out);
    CHECK_FALSE(contains(done.out, "Run with --help"));
}

/// "from 1 to 9", "from 1 on", "up to 9": values just outside, as far as there are such bounds.
void check_bounds(const boost::json::value& command, const std::string& flag,
                  const std::string& asked_for) {
    std::istringstream words(asked_for.substr(asked_for.find("number") + 6));
    std::string word;
    while (words >> word) {
        if (word == "up") continue;
        std::string bound;
        words >> bound;
        if (word == "on" || bound.empty()) return;
        const bool is_least = word == "from";
        const bool is_whole = bound.find('.') == std::string::npos && bound.size() < 15;
        if (!is_whole) continue;
        const std::string beyond = std::to_string(std::stoll(bound) + (is_least ? -1 : 1));
        INFO(flag, " ", beyond);
        check_refused(asked(command, flag + "=" + beyond),
                      "expected " + asked_for + ", found '" + beyond + "'");
    }
}

}  // namespace

TEST_CASE("flags: every misspelt one is told, with the one that was meant") {
    std::size_t seen = 0;
    for (const auto& command : all_commands()) {
        if (command.at("hands_on").as_bool()) continue;  // unknown ones are its program's
        for (const auto& flag : command.at("flags").as_array()) {
            const std::string name = name_of(flag);
            if (name.size() < 6) continue;
            const std::string wrong = misspelt(name);
            const std::string expected = ": there is no flag '" + wrong + "'; did you mean '";
            INFO(text_at(command, "command"), " ", wrong);
            const std::string value = ++seen % 2 == 0 ? " 4" : "=4";
            if (seen % kEvery != 0) continue;
            check_refused(asked(command, wrong + value), expected + name + "'?");
        }
    }
    CHECK(seen > 150);
}

TEST_CASE("flags: numbers say what is asked and what was found, in every command") {
    const std::array<std::string, 5> wrongs{"x", "1.5.2", "7up", "1e99999", "''"};
    std::size_t seen = 0;
    for (const auto& command : all_commands()) {
        for (const auto& flag : command.at("flags").as_array()) {
            const std::string name = name_of(flag);
            if (command.at("hands_on").as_bool() || text_at(flag, "value").empty()) continue;
            const std::string asked_for = text_at(flag, "asked");
            if (!contains(asked_for, "number")) continue;
            INFO(text_at(command, "command"), " ", name, ": ", asked_for);
            const std::string& wrong = wrongs.at(seen++ % wrongs.size());
            if (seen % kEvery != 0) continue;
            const std::string bare = wrong == "''" ? "" : wrong;
            check_refused(asked(command, name + " " + wrong),
                          name + ": expected " + asked_for + ", found '" + bare + "'");
            check_bounds(command, name, asked_for);
        }
    }
    CHECK(seen > 50);
}

TEST_CASE("flags: what is no number is not refused in the words of the library") {
    std::size_t seen = 0;
    for (const auto& command : all_commands()) {
        for (const auto& flag : command.at("flags").as_array()) {
            if (command.at("hands_on").as_bool() || text_at(flag, "value").empty()) continue;
            if (contains(text_at(flag, "asked"), "number") || ++seen % kEvery != 0) continue;
            INFO(text_at(command, "command"), " ", name_of(flag));
            // A store that is not there is waited for, unless a flag is wrong.
            const bool waits = text_at(command, "command") == "serve";
            const std::string words = name_of(flag) + " 'x y'" + (waits ? " --port=65536" : "");
            CHECK_FALSE(contains(asked(command, words).out, "Could not convert"));
        }
    }
}

TEST_CASE("flags: words that stand for one of few are told which") {
    std::size_t seen = 0;
    for (const auto& command : all_commands()) {
        for (const auto& flag : command.at("flags").as_array()) {
            const std::string asked_for = text_at(flag, "asked");
            if (!asked_for.starts_with('{')) continue;
            ++seen;
            const std::string first = asked_for.substr(1, asked_for.find_first_of(",}") - 1);
            const std::string wrong = first + "q";
            const std::string name = name_of(flag);
            INFO(text_at(command, "command"), " ", name);
            const Finished done = asked(command, name + "=" + wrong);
            check_refused(done, name + ": expected " + first);
            CHECK(contains(done.out, "found '" + wrong + "'; did you mean '" + first + "'?"));
        }
    }
    CHECK(seen > 10);
    const TempDir folder;
    CHECK(contains(shell(folder.root(), "$ASSAY report --format htm").out, "did you mean 'html'?"));
}

TEST_CASE("flags: wherever a position is a flag it has the same three names") {
    std::size_t seen = 0;
    for (const auto& command : all_commands()) {
        for (const auto& flag : command.at("flags").as_array()) {
            std::string names;
            for (const auto& name : flag.at("names").as_array())
                names += std::string(name.as_string()) + " ";
            if (!contains(names, "--fen") && !contains(names, "--text") &&
                !contains(names, "--position"))
                continue;
            ++seen;
            INFO(text_at(command, "command"));
            CHECK(names == "--fen --text --position ");
        }
    }
    CHECK(seen >= 6);
    const TempDir folder;
    const std::string perft = "$ASSAY rules perft chess --depth 1 --json ";
    const std::string mate = " 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'";
    for (const char* name : {"--fen", "--text", "--position"})
        CHECK(contains(shell(folder.root(), perft + name + mate).out, "{\"nodes\":0,"));
}

TEST_CASE("flags: a number is read as it looks") {
    const TempDir folder;
    const std::string trinomial = "$ASSAY stats trinomial --score 8 --null 0.3918,0.3161 --pairs ";
    const Finished ten = shell(folder.root(), trinomial + "10");
    CHECK(ten.code == 0);
    CHECK(shell(folder.root(), trinomial + "010").out == ten.out);
    CHECK(shell(folder.root(), trinomial + "+10").out == ten.out);
    CHECK(
        contains(shell(folder.root(), "$ASSAY rules perft chess --depth 0x2").out, "found '0x2'"));
}

TEST_CASE("flags: what is missing, too much or in the wrong place is told") {
    const TempDir folder;
    const auto said = [&folder](const std::string& words) {
        const Finished done = shell(folder.root(), "$ASSAY " + words);
        CHECK(done.code == 2);
        return done.out;
    };
    CHECK(said("") == "assay: expected a command; 'assay --help' lists them\n");
    CHECK(said("rules") == "assay rules: expected a command; 'assay rules --help' lists them\n");
    CHECK(said("run --time") == "--time: expected VALUE after it; 'assay run --help' says more\n");
    CHECK(said("run --json=x") == "--json: takes no value; 'assay run --help' says more\n");
    CHECK(said("run -json") ==
          "assay run: there is no flag '-json'; did you mean '--json'? 'assay run --help' lists "
          "them\n");
    CHECK(said("run --conc 4").find("did you mean '--concurrency'?") != std::string::npos);
    CHECK(said("--concurrency 4 run x.yaml") ==
          "assay: the flag '--concurrency' belongs after its command, as in 'assay run "
          "--concurrency'\n");
    CHECK(said("rules --depth 3 perft chess") ==
          "assay rules: the flag '--depth' belongs after its command, as in 'assay rules perft "
          "--depth'\n");
    CHECK(said("serve extra") ==
          "assay serve: unexpected word 'extra'; 'assay serve --help' shows what "
          "it takes\n");
    CHECK(contains(said("runs --db x delete --yes 12 extra"),
                   "assay runs delete: unexpected word 'extra'"));
    CHECK(said("stats pentanomial --wdl 1,2") == "--wdl: expected 3 values, W,D,L, found 2\n");
    CHECK(said("report ''") == "run: expected RUN, found ''\n");
    CHECK(said("report -o ''") == "--output: expected FILE, found ''\n");
    CHECK(said("report --db=") ==
          "--db: expected FILE after it; 'assay report --help' says more\n");
    CHECK(said("report --db a --db b") == "--db: expected one FILE, found 2\n");
    CHECK(said("report -o a --output b") == "--output: expected one FILE, found 2\n");
    CHECK(said("stats trinomial --pairs 10 --score -21 --null 0.39,0.31") ==
          "--score: expected at most 20 either way in 10 pairs, found '-21'\n");
    CHECK(said("tree map --x") ==
          "assay tree map: there is no flag '--x'; 'assay tree map --help' lists them\n");
    CHECK(contains(said("check --jsn=1 x"), "did you mean '--json'?"));
}

TEST_CASE("help: every command has lines that fit, and an example where it does something") {
    for (const auto& command : all_commands()) {
        const Finished page = asked(command, "--help");
        INFO(text_at(command, "command"));
        CHECK(page.code == 0);
        std::istringstream lines(page.out);
        for (std::string line; std::getline(lines, line);) {
            std::size_t columns = 0;
            for (const char byte : line)
                columns += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1U : 0U;
            CHECK_MESSAGE(columns <= 100, line);
        }
        if (text_at(command, "command").empty()) continue;
        CHECK(contains(page.out, "\nexamples:\n  assay " + text_at(command, "command")));
        CHECK_FALSE(contains(page.out, " TEXT"));
        for (const auto& flag : command.at("flags").as_array()) {
            CHECK(contains(page.out, name_of(flag)));
            CHECK(text_at(flag, "value") != "N|");
        }
    }
}

TEST_CASE("Flags: another tool's flag is answered with assay's word, as a config's key is") {
    const TempDir folder;
    const auto answer = [&](const std::string& words) {
        const Finished done = shell(folder.root(), "$ASSAY " + words);
        CHECK(done.code == 2);
        return done.out;
    };
    CHECK(answer("run --program a --program b --tc 10x") ==
          "assay run: there is no flag '--tc'; assay says '--time'; 'assay run --help' lists "
          "them\n");
    CHECK(contains(answer("gate -tc=8+0.08"), "there is no flag '-tc'; assay says '--time';"));
    // A flag of tournaments, and in other tools of matches.
    CHECK(contains(answer("run --program /bin/true --program /bin/false --time 8 --rounds 100"),
                   "of a match assay says 'pairs' (match.pairs)"));
    CHECK(contains(answer("run --srand=3"), "assay says '--seed';"));
    CHECK(contains(answer("run --book x.epd"), "assay says '--openings';"));
    CHECK(contains(answer("run --sprt"),
                   "in a config or with --set, assay says 'sprt' under 'stop' (stop.sprt);"));
    CHECK(contains(answer("run --pgnout x.pgn"), "'assay report --format pgn' writes them;"));
    // The value of a flag that is short for a key is refused with the key's words.
    CHECK(contains(answer("run --program /bin/true --program /bin/true --time 10x"), "--time"));
    CHECK(contains(answer("bisect c.yaml --good a --on elo --tc 8+0.08"),
                   "in a config or with --set, assay says 'time' (match.time);"));
    // Commands that take no keys know no foreign words.
    CHECK_FALSE(contains(answer("runs --tc 10x"), "assay says"));
}
