#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/dropin/command_words.h"
#include "configs/dropin/runner_help.h"
#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

struct FastchessFlag;

/// The command line asks for a text and nothing else.
struct PrintOnly {
    std::string text;
};

/// Reads the flags of fastchess into settings: a function a flag, which the table in
/// fastchess_flags.cpp names; those of keys and values are in fastchess_keys.cpp, and of engines in
/// fastchess_engine.cpp. They throw BadWord.
class FastchessReader {
public:
    using Words = std::vector<std::string>;
    using KeyValue = std::pair<std::string, std::string>;

    explicit FastchessReader(const Surroundings& surroundings) : surroundings_(surroundings) {
        settings.event = kFastchessEvent;
    }

    void read(const Words& words);

    RunnerSettings settings;
    std::vector<Message> messages;

    // Flags without a value, and those of one value or free words.
    void recover(const Words& /*words*/) { settings.recovers = true; }

    void no_swap(const Words& /*words*/) { settings.swaps = false; }

    void reverse(const Words& /*words*/) { settings.is_reversed = true; }

    void force_concurrency(const Words& /*words*/) { settings.forces_concurrency = true; }

    void check_mate_pvs(const Words& /*words*/) { settings.checks_mate_pvs = true; }

    /// It shows latencies in the log file alone.
    void show_latency(const Words& /*words*/) {}

    void test_env(const Words& /*words*/) { settings.is_test = true; }

    void strict(const Words& /*words*/) { settings.is_strict = true; }

    void tb_ignore_50(const Words& /*words*/) { settings.tablebase.ignores_fifty = true; }

    [[noreturn]] void version(const Words& /*words*/) { throw PrintOnly{surroundings_.version}; }

    [[noreturn]] void help(const Words& /*words*/) {
        throw PrintOnly{std::string(fastchess_help())};
    }

    [[noreturn]] void debug(const Words& /*words*/) {
        throw BadWord(
            "The 'debug' option does not exist in fastchess. Use the 'log' option instead to write "
            "all engine input and output into a text file.");
    }

    void concurrency(const Words& words) { settings.concurrency = int_of(words.front()); }

    void rounds(const Words& words) { settings.rounds = int_of(words.front()); }

    void games(const Words& words) { settings.games = int_of(words.front()); }

    void max_moves(const Words& words) { settings.most_moves = int_of(words.front()); }

    void seeds(const Words& words) { settings.seeds = int_of(words.front()); }

    void rating_interval(const Words& words) { settings.rating_interval = int_of(words.front()); }

    void score_interval(const Words& words) { settings.score_interval = int_of(words.front()); }

    void autosave_interval(const Words& words) {
        settings.autosave_interval = int_of(words.front());
    }

    void seed(const Words& words) { settings.seed = uint64_of(words.front()); }

    void startup_ms(const Words& words) { settings.startup_ms = uint64_of(words.front()); }

    void new_game_ms(const Words& words) { settings.new_game_ms = uint64_of(words.front()); }

    void ping_ms(const Words& words) { settings.ping_ms = uint64_of(words.front()); }

    /// A negative number waits for nothing there.
    void wait(const Words& words) { settings.wait = std::max(0, int_of(words.front())); }

    void tb_pieces(const Words& words) { settings.tablebase.pieces = int_of(words.front()); }

    void event(const Words& words) { settings.event = joined(words, ""); }

    void site(const Words& words) { settings.site = joined(words, ""); }

    void repeat(const Words& words);
    void variant(const Words& words);
    void tournament(const Words& words);
    void affinity(const Words& words);
    void tb(const Words& words);
    void tb_adjudicate(const Words& words);

    // Flags of keys and values.
    void engine(const Words& words);
    void each(const Words& words);
    void openings(const Words& words);
    void pgn_out(const Words& words);
    void epd_out(const Words& words);
    void sprt(const Words& words);
    void draw(const Words& words);
    void resign(const Words& words);
    void log(const Words& words);
    void config(const Words& words);
    void report(const Words& words);
    void output(const Words& words);
    void crc(const Words& words);
    void quick(const Words& words);

private:
    void lack(std::string_view flag, std::string_view instead) {
        settings.refused.push_back(fmt::format("{} is not available in assay: {}", flag, instead));
    }

    void apply(const FastchessFlag& flag, const Words& words);
    void load(const std::string& file);

    const Surroundings& surroundings_;
    RunnerSettings before_;  // -config
    Words each_;
    bool has_each_ = false;
};

/// The words of a flag of keys and values. Throws BadWord.
[[nodiscard]] std::vector<FastchessReader::KeyValue> pairs_of(std::string_view flag,
                                                              const FastchessReader::Words& words);

/// Throws BadWord: `what` has no such key, or not with this value.
[[noreturn]] void refuse_key(std::string_view what, const FastchessReader::KeyValue& pair);

}  // namespace assay::configs::dropin
