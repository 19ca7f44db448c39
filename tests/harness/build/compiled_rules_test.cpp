#include "harness/build/compiled_rules.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "rules/make_game.h"
#include "rules/multigame/play/multigame_game.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace fs = std::filesystem;

namespace {

constexpr auto kRules = R"(dimensions (3,3)
pieces { mark 'X' 'O' }
main = try [ find empty field, replace by own mark, try [ test three, win ] ] else draw.
three = find own mark, alldir, repeat 2 times [ step, points at own mark ].
)";

/// A folder for objects, and what was said; not that a slow compiler is waited for, which another
/// thread says on a busy machine.
class Fixture {
public:
    Fixture() { write_file(path(), kRules); }

    ~Fixture() { rules::multigame::use_compiled_rules({}); }

    [[nodiscard]] std::string path() const { return dir_.path("t.mg"); }

    [[nodiscard]] std::string folder() const { return dir_.path("objects"); }

    [[nodiscard]] CompiledRulesOptions options() {
        CompiledRulesOptions made;
        made.folder = folder();
        made.say = [this](const std::string& sentence) {
            if (!sentence.starts_with("waiting for the C compiler ")) said.push_back(sentence);
        };
        return made;
    }

    /// Whether the game is played by compiled rules under these options.
    [[nodiscard]] bool is_compiled(const CompiledRulesOptions& with) const {
        compile_rules(with);
        const auto game = rules::make_game(rules::find_game(path()));
        return rules::multigame::compiled_program_of(*game) != nullptr;
    }

    [[nodiscard]] std::vector<std::string> objects() const {
        std::vector<std::string> found;
        if (!fs::exists(folder())) return found;
        for (const auto& each : fs::directory_iterator(folder())) found.push_back(each.path());
        return found;
    }

    std::vector<std::string> said;

private:
    test::TempDir dir_;
};

const std::string kInterpreted = "the rules of t are interpreted: ";

}  // namespace

TEST_CASE("Compiled rules: a game is compiled once, and found again without a compiler") {
    Fixture fixture;
    CHECK(fixture.is_compiled(fixture.options()));
    REQUIRE(fixture.objects().size() == 1);
    CompiledRulesOptions without = fixture.options();
    without.compilers = {"/no/such/cc"};
    CHECK(fixture.is_compiled(without));
    CHECK(fixture.said.empty());
    without.mode = RulesMode::Interpreted;
    CHECK(!fixture.is_compiled(without));
}

TEST_CASE("Compiled rules: an object that was cut or changed is built anew") {
    Fixture fixture;
    REQUIRE(fixture.is_compiled(fixture.options()));
    REQUIRE(fixture.objects().size() == 1);
    const std::string object = fixture.objects().front();
    const std::string bytes = read_file(object);
    std::string changed = bytes;
    changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
    for (const std::string& bad : {changed, bytes.substr(0, bytes.size() / 2), std::string()}) {
        std::ofstream(object, std::ios::binary) << bad;
        CompiledRulesOptions without = fixture.options();
        without.compilers = {"/no/such/cc"};
        CHECK(!fixture.is_compiled(without));
        CHECK(fixture.is_compiled(fixture.options()));
    }
    CHECK(fixture.said.size() == 3);
}

TEST_CASE("Compiled rules: without a compiler the rules are interpreted, which is said once") {
    Fixture fixture;
    CompiledRulesOptions options = fixture.options();
    options.compilers = {"/no/such/cc", "/no/such/gcc"};
    CHECK(!fixture.is_compiled(options));
    (void)rules::make_game(rules::find_game(fixture.path()));
    CHECK(fixture.said == std::vector<std::string>{
                              kInterpreted + "there is no C compiler (/no/such/cc, /no/such/gcc)"});
    options.mode = RulesMode::Compiled;
    CHECK_THROWS_WITH_AS(
        (void)fixture.is_compiled(options),
        "the rules of t cannot be compiled: there is no C compiler (/no/such/cc, /no/such/gcc)",
        Error);
    // The second game of them is refused, too.
    CHECK_THROWS_AS((void)rules::make_game(rules::find_game(fixture.path())), Error);
}

TEST_CASE("Compiled rules: an object that crashes, hangs or differs in its trial is not used") {
    Fixture fixture;
    const auto reason_of = [&](const std::string& commands, Micros limit) {
        fixture.said.clear();
        CompiledRulesOptions options = fixture.options();
        options.compilers = {"cc"};
        options.trial = {"/bin/sh", "-c", commands};
        options.trial_time = limit;
        CHECK(!fixture.is_compiled(options));
        CHECK(fixture.objects().empty());
        REQUIRE(fixture.said.size() == 1);
        REQUIRE(fixture.said.front().starts_with(kInterpreted));
        return fixture.said.front().substr(kInterpreted.size());
    };
    CHECK(reason_of("kill -SEGV $$", std::chrono::minutes(2))
              .starts_with("the trial of the compiled rules "));
    CHECK(reason_of("exec sleep 100", std::chrono::seconds(2))
              .starts_with("the trial of the compiled rules took longer than "));
    CHECK(reason_of("echo 'move a1 is called b1'; exit 1", std::chrono::minutes(2)) ==
          "the trial of the compiled rules exited with code 1: move a1 is called b1");
    // The trial has the object and the rules.
    CompiledRulesOptions options = fixture.options();
    options.trial = {"/bin/sh", "-c", "test -s \"$0\" && grep -q 'three =' \"$1\""};
    CHECK(fixture.is_compiled(options));
}

}  // namespace assay::harness
