// A player of any game that answers at once with a legal move chosen by the hash of the position.
// Games are long, equal on every machine, and take almost no processor time, so that the cost of a
// match is that of the harness. Events of chance, as the roll of a die, are among the moves that it
// is told; it draws none. With SleepMs it sleeps before each answer and reports the measured time
// (milliseconds as time, microseconds as nodes), so that the clock of the harness can be compared
// with it. With Ponder it names the reply that it would choose itself: against another instant
// player with the same Seed every ponder move is a hit.
#include "engines/uci/instant.h"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"
#include "engines/uci/game_argument.h"
#include "engines/uci/uci_position.h"
#include "rules/make_game.h"

namespace assay::engines {

namespace {

constexpr const char* kInstantHelp =
    "usage: instant [--game NAME|FILE] [--rules auto|interpreted]\n"
    "Answers at once with a legal move, and speaks UCI on standard input.\n"
    "  --game       chess (default), chess960, or a file of rules (.mg), with chance or without\n"
    "  --rules      auto: by compiled rules where there are some (default); interpreted\n"
    "Options by 'setoption': Seed (other moves), SleepMs (before each answer), Ponder.\n"
    "example: printf 'go\\n' | instant --game rules/multigame/programs/darkchess.mg\n";

class Instant {
public:
    explicit Instant(std::unique_ptr<rules::Game> game)
        : game_(std::move(game)), position_(*game_) {
        if (game_->name() == "chess") chess960_ = rules::make_game("chess960");
    }

    /// False after `quit`.
    bool handle(std::string_view line);

    void flush() {
        std::string_view rest = out_;
        while (!rest.empty()) {
            const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
            if (written < 0 && errno != EINTR) return;
            rest.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
        }
        out_.clear();
    }

private:
    void introduce();
    void set_option(std::string_view rest);
    void go();
    rules::Move drawn(const rules::Position& position);
    long long sleep(TimePoint since);

    std::unique_ptr<rules::Game> game_;
    std::unique_ptr<rules::Game> chess960_;  // null unless game_ is chess
    UciPosition position_;
    std::vector<rules::Move> moves_;
    std::string out_;
    std::uint64_t seed_ = 0;
    int sleep_ms_ = 0;
    bool names_reply_ = false;
    bool waits_ = false;  // a search without a limit is open
};

bool Instant::handle(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word == "position") position_.read(rest);
    if (word == "go") {
        // These searches end at `stop` or `ponderhit`.
        waits_ = rest.find("infinite") != std::string_view::npos ||
                 rest.find("ponder") != std::string_view::npos;
        if (!waits_) go();
    }
    if (waits_ && (word == "stop" || word == "ponderhit")) {
        waits_ = false;
        go();
    }
    if (word == "isready") out_ += "readyok\n";
    if (word == "setoption") set_option(rest);
    if (word == "uci") introduce();
    return word != "quit";
}

void Instant::introduce() {
    out_ +=
        "id name assay instant\nid author the assay authors\n"
        "option name Seed type spin default 0 min 0 max 2147483647\n"
        "option name SleepMs type spin default 0 min 0 max 60000\n"
        "option name Ponder type check default false\n";
    if (chess960_ != nullptr) out_ += "option name UCI_Chess960 type check default false\n";
    out_ += "uciok\n";
}

void Instant::set_option(std::string_view rest) {
    take_word(rest);  // "name"
    const std::string name = lower(take_word(rest));
    take_word(rest);  // "value"
    const std::string_view value = trim(rest);
    if (name == "seed") seed_ = to_number<std::uint64_t>(value).value_or(0);
    if (name == "sleepms") sleep_ms_ = to_number<int>(value).value_or(0);
    if (name == "ponder") names_reply_ = value == "true";
    if (name == "uci_chess960" && chess960_ != nullptr) {
        position_.set_game(value == "true" ? *chess960_ : *game_);
    }
}

/// Sleeps until SleepMs after `since`. Returns the time that it took, in microseconds.
long long Instant::sleep(TimePoint since) {
    const SteadyClock clock;
    const auto end = (since + std::chrono::milliseconds(sleep_ms_)).time_since_epoch();
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(end).count();
    const timespec until{ns / 1'000'000'000, ns % 1'000'000'000};
    while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {}
    const auto us = micros_between(since, clock.now()).count();
    out_ += "info string slept_us " + std::to_string(us) + "\n";
    out_ += "info time " + std::to_string(us / 1000) + "\n";
    return us;
}

void Instant::go() {
    const long long slept = sleep_ms_ > 0 ? sleep(SteadyClock().now()) : 0;
    rules::Position& position = position_.position();
    position.moves(moves_);
    if (moves_.empty()) {
        out_ += "bestmove (none)\n";
        return;
    }
    const rules::Move move = drawn(position);
    const auto nodes = sleep_ms_ > 0 ? slept : static_cast<long long>(moves_.size());
    out_ += "info depth 1 score cp 0 nodes " + std::to_string(nodes) + "\nbestmove ";
    out_ += position.name_of(move, rules::Notation::Canonical);
    if (names_reply_) {
        position.make(move);
        position.moves(moves_);
        if (!moves_.empty()) {
            out_ += " ponder " + position.name_of(drawn(position), rules::Notation::Canonical);
        }
        position.undo();
    }
    out_ += '\n';
}

/// One of moves_, the legal moves of the position.
rules::Move Instant::drawn(const rules::Position& position) {
    return moves_[mix64(position.hash(), seed_) % moves_.size()];
}

/// Answers the lines of the standard input until `quit` or its end.
void serve(Instant& player) {
    std::string input;
    std::size_t used = 0;
    while (true) {
        if (input.size() < used + 4096) input.resize(used + 16384);
        const ssize_t got = ::read(STDIN_FILENO, input.data() + used, input.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        used += static_cast<std::size_t>(got);
        std::string_view rest(input.data(), used);
        while (true) {
            const std::size_t end = rest.find('\n');
            if (end == std::string_view::npos) break;
            if (!player.handle(trim(rest.substr(0, end)))) {
                player.flush();
                return;
            }
            rest.remove_prefix(end + 1);
        }
        std::memmove(input.data(), rest.data(), rest.size());
        used = rest.size();
        player.flush();
    }
}

}  // namespace

int run_instant(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    try {
        if (prints_help(words, kInstantHelp)) return 0;
        const RulesKind kind = take_rules_flag(words);
        if (!words.empty() && (words.size() != 2 || words[0] != "--game")) {
            throw Error("usage: instant [--game NAME|FILE] [--rules auto|interpreted]");
        }
        Instant player(game_of(words.empty() ? "chess" : words[1], kind));
        serve(player);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "instant: error: %s\n", error.what());
        return 2;
    }
}

}  // namespace assay::engines
