#include "harness/store/live_file.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "harness/store/store_lock.h"
#include "tests/support/temp_dir.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

LiveState sample(std::int64_t number) {
    LiveGame game;
    game.number = number;
    game.pair = (number - 1) / 2;
    game.slot = 1;
    game.moves = "e2e4 e7e5 g1f3";
    game.mover = 1;
    game.turn = Micros(1'500'000);
    game.is_open = true;
    game.players = {{0, Micros(9'000'000), adapters::Score{false, 31}, 12},
                    {1, Micros(8'000'000), std::nullopt, std::nullopt}};
    return {7, 0, 1, 1'700'000'000'000'000, {game}};
}

/// A store, and a file beside it as a living run would have left it at some moment.
struct Played {
    assay::test::TempDir dir;
    std::string store = dir.path("assay.db");
    std::string file = dir.path("assay.db.live");

    /// What is in the file once `state` is.
    [[nodiscard]] std::string content_of(const LiveState& state) const {
        LiveFile live(store);
        live.put(state);
        live.flush();
        return read_file(file);
    }

    /// The file has this content, and a lock as if its run lived.
    void hold(const std::string& content) {
        std::ofstream(file) << content;
        if (!lock) lock = File::open_locked(file, File::Lock::Try);
        REQUIRE(lock.has_value());
    }

    std::optional<File> lock;
};

}  // namespace

TEST_CASE("LiveFile: readers see the latest state, for as long as the object is there") {
    const Played played;
    {
        LiveFile live(played.store);
        CHECK_FALSE(read_live(played.store).has_value());
        live.put(sample(3));
        live.flush();
        const auto seen = read_live(played.store);
        REQUIRE(seen.has_value());
        CHECK(live_json(*seen) == live_json(sample(3)));
        // A shorter state behind a longer one leaves nothing of it.
        live.put({7, 0, 0, 0, {}});
        live.flush();
        CHECK(live_json(read_live(played.store).value()) == live_json({7, 0, 0, 0, {}}));
    }
    CHECK_FALSE(fs::exists(played.file));
    CHECK_FALSE(read_live(played.store).has_value());
}

TEST_CASE("LiveFile: what a killed run has left is not shown, and goes with the next run") {
    Played played;
    played.hold(played.content_of(sample(3)));
    CHECK(read_live(played.store).has_value());
    played.lock.reset();  // its process is gone
    CHECK_FALSE(read_live(played.store).has_value());
    {
        LiveFile next(played.store);
        CHECK_FALSE(read_live(played.store).has_value());
        next.put(sample(5));
        next.flush();
        CHECK(read_live(played.store).value().games[0].number == 5);
    }
    CHECK_FALSE(fs::exists(played.file));
}

TEST_CASE("LiveFile: a reader takes no lock that a run needs") {
    const Played played;
    LiveFile live(played.store);
    live.put(sample(1));
    live.flush();
    const StoreLock lock(played.store);
    CHECK(read_live(played.store).has_value());
}

TEST_CASE("LiveFile: nothing is written through a link of its name, nor into another's file") {
    const Played played;
    const std::string precious = played.dir.path("precious");
    write_file(precious, "kept");
    fs::create_symlink(precious, played.file);
    (void)played.content_of(sample(1));
    CHECK(read_file(precious) == "kept");
    fs::create_hard_link(precious, played.file);
    (void)played.content_of(sample(1));
    CHECK(read_file(precious) == "kept");
    // Where the name cannot be had, the run goes on without a word.
    fs::create_directory(played.file);
    write_file(played.file + "/inside", "kept");
    LiveFile live(played.store);
    live.put(sample(1));
    live.flush();
    CHECK(read_file(played.file + "/inside") == "kept");
}

TEST_CASE("LiveFile: whoever may read the store may read it, and nobody else") {
    const Played played;
    for (const mode_t mode : {0600U, 0640U, 0644U}) {
        write_file(played.store, "");
        REQUIRE(::chmod(played.store.c_str(), mode) == 0);
        LiveFile live(played.store);
        live.put(sample(1));
        live.flush();

        struct stat status {};

        REQUIRE(::stat(played.file.c_str(), &status) == 0);
        CHECK((status.st_mode & 0777) == mode);
    }
}

TEST_CASE("LiveFile: a file that is cut short or damaged shows nothing, and throws nothing") {
    Played played;
    const std::string whole = played.content_of(sample(3));
    REQUIRE(whole.size() > 100);
    played.hold(whole);
    REQUIRE(read_live(played.store).has_value());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        played.hold(whole.substr(0, size));
        CAPTURE(size);
        CHECK_FALSE(read_live(played.store).has_value());
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        played.hold(damaged);
        CAPTURE(at);
        CHECK_FALSE(read_live(played.store).has_value());
    }
}

TEST_CASE("Live state: what no run can have is refused") {
    const std::string good = live_json(sample(3));
    CHECK_NOTHROW((void)read_live_json(good));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    CHECK_THROWS_AS((void)read_live_json(with("\"mover\":1", "\"mover\":2")), Error);
    CHECK_THROWS_AS((void)read_live_json(with("\"mover\":1", "\"mover\":-1")), Error);
    CHECK_THROWS_AS((void)read_live_json(with("\"program\":1", "\"program\":77")), Error);
    CHECK_THROWS_AS((void)read_live_json(with("\"number\":3", "\"number\":0")), Error);
    CHECK_THROWS_AS((void)read_live_json(with("\"moves\":\"e2e4 e7e5 g1f3\"", "\"moves\":[]")),
                    Error);
    CHECK_THROWS_AS((void)read_live_json("[]"), Error);
    CHECK_THROWS_AS((void)read_live_json("{"), Error);
}

}  // namespace assay::harness
