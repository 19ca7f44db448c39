// A UCI program that does wrong on request: one flag per sin, done at the given move of every game.
// Without one it plays properly, a legal move drawn from the position's hash.
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "engines/uci/uci_position.h"
#include "rules/make_game.h"

namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): literals only

void say(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;
        text.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
    }
}

void tell(std::string_view text) {
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

[[noreturn]] void hang() {
    while (true) std::this_thread::sleep_for(1h);
}

void say_slowly(std::string_view text) {
    for (const char byte : text) {
        say({&byte, 1});
        std::this_thread::sleep_for(100ms);
    }
}

// A child of ours that keeps our pipes open and outlives us if it can.
void leave_grandchild(bool in_own_session) {
    const int pid = ::fork();
    if (pid != 0) {
        while (in_own_session && ::getsid(pid) != pid) std::this_thread::sleep_for(1ms);
        say("info string grandchild " + std::to_string(pid) + "\n");
        return;
    }
    if (in_own_session) ::setsid();
    static_cast<void>(std::signal(SIGTERM, SIG_IGN));
    hang();
}

// A process that nothing of ours leads to: its parent has ended, and its group, its session and its
// environment are its own. It holds none of our pipes.
void leave_escaped() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    const int between = ::fork();
    if (between == 0) {
        ::setsid();
        const int escaped = ::fork();
        if (escaped != 0) {
            static_cast<void>(!::write(ends[1], &escaped, sizeof escaped));
            std::_Exit(0);
        }
        std::array<char*, 3> argv{const_cast<char*>("sleep"), const_cast<char*>("1000003"),
                                  nullptr};
        std::array<char*, 1> no_environment{nullptr};
        const int nothing = ::open("/dev/null", O_RDWR);
        for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
        ::execve("/bin/sleep", argv.data(), no_environment.data());
        std::_Exit(127);
    }
    ::close(ends[1]);
    int escaped = 0;
    static_cast<void>(!::read(ends[0], &escaped, sizeof escaped));
    // The pipe ends when it has been executed.
    char ignored = 0;
    while (::read(ends[0], &ignored, 1) > 0) {}
    ::close(ends[0]);
    ::waitpid(between, nullptr, 0);
    say("info string grandchild " + std::to_string(escaped) + "\n");
}

[[noreturn]] void flood(std::string_view text) {
    std::string block;
    while (block.size() < 60000) block += text;
    while (true) say(block);
}

[[noreturn]] void eat_memory() {
    constexpr std::size_t kBlock = std::size_t{64} << 20U;
    constexpr int kBlocks = 32;
    for (int i = 0; i < kBlocks; ++i) {
        void* const block =
            ::mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc();  // the limit
        // Pages of 4 KiB would take seconds on some virtual machines.
        (void)::madvise(block, kBlock, MADV_HUGEPAGE);
        constexpr std::size_t kLeastPage = 4096;
        for (std::size_t at = 0; at < kBlock; at += kLeastPage) static_cast<char*>(block)[at] = 'x';
    }
    hang();
}

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

/// What a sin does in place of a proper answer. `best` is the proper "bestmove …\n".
struct Sin {
    const char* name;
    const char* what;
    std::function<void(const std::string& best, std::chrono::milliseconds delay)> act;
};

// Sins of the handshake and of the end have no act: handle() looks for their names.
const std::vector<Sin>& sins() {
    using Ms = std::chrono::milliseconds;
    static const std::vector<Sin> all{
        {"abort-between", "aborts at the second ucinewgame", {}},
        {"abort-at-stop", "aborts when it is told to stop while it ponders", {}},
        {"exit-at-once", "exits with 0 before it says anything", {}},
        {"joins-group", "joins the process group of what started it, and goes on after quit", {}},
        {"many-options", "declares options for ever", {}},
        {"no-uciok", "never says uciok", {}},
        {"late-uciok", "says uciok after the delay", {}},
        {"two-uciok", "says uciok twice", {}},
        {"early-uciok", "says uciok before its last options", {}},
        {"white-scores", "reports scores from White's point of view", {}},
        {"mate-scores", "tells of a mate in one with every move", {}},
        {"old-move", "plays its first move of the game again", {}},
        {"late-move", "plays a move behind the end of each game", {}},
        {"no-readyok", "never says readyok", {}},
        {"exit", "exits with 3 instead of an answer", [](auto&, Ms) { std::_Exit(3); }},
        {"abort", "aborts instead of an answer", [](auto&, Ms) { std::abort(); }},
        {"stop", "stops itself by SIGSTOP",
         [](auto& best, Ms) {
             static_cast<void>(std::raise(SIGSTOP));
             say(best);
         }},
        {"deaf", "neither reads nor answers any more", [](auto&, Ms) { hang(); }},
        {"chatter", "sends info for ever and no move",
         [](auto&, Ms) {
             while (true) {
                 say("info depth 1 score cp 1 nodes 1\n");
                 std::this_thread::sleep_for(1ms);
             }
         }},
        {"slow-bytes", "answers one byte every 100 ms", [](auto& best, Ms) { say_slowly(best); }},
        {"flood", "writes for ever without a newline", [](auto&, Ms) { flood("x"); }},
        {"flood-lines", "writes info lines for ever as fast as it can",
         [](auto&, Ms) { flood("info string flood\n"); }},
        {"illegal-move", "plays a1a1", [](auto&, Ms) { say("bestmove a1a1\n"); }},
        {"none-move", "plays (none)", [](auto&, Ms) { say("bestmove (none)\n"); }},
        {"blank-move", "says bestmove and blanks", [](auto&, Ms) { say("bestmove   \n"); }},
        {"win-claim", "plays 'win'", [](auto&, Ms) { say("bestmove win\n"); }},
        {"null-move", "plays 0000", [](auto&, Ms) { say("bestmove 0000\n"); }},
        {"upper-move", "writes its move in capitals",
         [](auto& best, Ms) { say("bestmove " + upper(best.substr(9))); }},
        {"two-bestmoves", "answers twice", [](auto& best, Ms) { say(best + best); }},
        {"late-bestmove", "answers after the delay",
         [](auto& best, Ms delay) {
             std::this_thread::sleep_for(delay);
             say(best);
         }},
        {"broken-info", "sends info without values",
         [](auto& best, Ms) {
             say("info depth 1 seldepth  score cp  nodes  nps 0 time x pv\n" + best);
         }},
        {"overflow-info", "sends info with numbers that overflow",
         [](auto& best, Ms) {
             say("info depth 99999999999 score cp -99999999999 nodes 99999999999999999999999 "
                 "nps 5000000000 time 99999999999999999999 hashfull 1000 pv e2e4\n" +
                 best);
         }},
        {"string-info", "sends an info string that looks like a score",
         [](auto& best, Ms) {
             say("info depth 7 score cp 13 pv e2e4\ninfo string score cp 900 pv a1a1\n" + best);
         }},
        {"binary", "sends NULs and bytes that are not UTF-8",
         [](auto& best, Ms) {
             say(std::string("info string \0\xff\xc3(\0\n", 18) + std::string("\0\xfe\n", 3) +
                 best);
         }},
        {"crlf", "ends its lines with CR LF",
         [](auto& best, Ms) {
             say("info depth 1 score cp 5\r\n" + best.substr(0, best.size() - 1) + "\r\n");
         }},
        {"stderr-inside", "writes to stderr in the middle of a line",
         [](auto& best, Ms) {
             say(best.substr(0, 10));
             tell("warning: \nbestmove a1a1\n");
             say(best.substr(10));
         }},
        {"closed-stdout", "closes its standard output and lives on",
         [](auto&, Ms) {
             ::close(STDOUT_FILENO);
             hang();
         }},
        {"closed-stdin", "answers, then closes its standard input and lives on",
         [](auto& best, Ms) {
             ::close(STDIN_FILENO);
             say(best);
             hang();
         }},
        {"ignores-quit", "goes on after quit, and tells it on stderr", {}},
        {"ignores-term", "goes on after quit and SIGTERM, and tells them on stderr", {}},
        {"grandchild", "forks a child that keeps its pipes open, then exits",
         [](auto&, Ms) {
             leave_grandchild(false);
             std::_Exit(0);
         }},
        {"daemon", "forks a child that leaves the process group, then plays on",
         [](auto& best, Ms) {
             leave_grandchild(true);
             say(best);
         }},
        {"escape", "leaves a process without its group, session, parent and environment, plays on",
         [](auto& best, Ms) {
             leave_escaped();
             say(best);
         }},
        {"eats-memory", "takes 2 GiB, or dies of its limit", [](auto&, Ms) { eat_memory(); }},
        {"long-line", "sends a line of 10 MB before it answers",
         [](auto& best, Ms) {
             std::string line = "info string ";
             line.resize(line.size() + 10'000'000, 'x');
             say(line + "\n" + best);
         }},
    };
    return all;
}

class Misbehave {
public:
    Misbehave(const std::string& game, std::string sin, int at, std::chrono::milliseconds delay)
        : game_(assay::rules::make_game(assay::rules::find_game(game))),
          sin_(std::move(sin)),
          at_(at),
          delay_(delay) {}

    /// Says "info LINE" before its answer at the given move (0: at each), and plays `move` where
    /// that is legal.
    void lie(std::string line, std::string move) {
        lie_ = std::move(line);
        lie_move_ = std::move(move);
    }

    [[nodiscard]] bool handle(std::string_view line);

    [[nodiscard]] bool is(std::string_view name) const { return sin_ == name; }

private:
    void introduce() const;
    void go();

    std::unique_ptr<assay::rules::Game> game_;
    std::unique_ptr<assay::rules::Game> chess960_ = assay::rules::make_game("chess960");
    assay::engines::UciPosition position_{*game_};
    std::string sin_;
    int at_;
    std::chrono::milliseconds delay_;
    std::string lie_;
    std::string lie_move_;
    std::string first_best_;  // of this game
    int searches_ = 0;        // of this game
    int games_ = 0;
};

bool Misbehave::handle(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = assay::take_word(rest);
    if (word == "uci") introduce();
    if (word == "isready" && !is("no-readyok")) say("readyok\n");
    if (word == "ucinewgame") {
        searches_ = 0;
        if (is("late-move")) say(first_best_);
        if (++games_ == 2 && is("abort-between")) std::abort();
    }
    if (word == "stop" && is("abort-at-stop")) std::abort();
    if (word == "position") position_.read(rest);
    if (word == "go") go();
    if (line == "setoption name UCI_Chess960 value true") position_.set_game(*chess960_);
    if (word == "quit" && (is("ignores-quit") || is("ignores-term"))) tell("quit\n");
    return word != "quit" || is("ignores-quit") || is("ignores-term") || is("joins-group");
}

void Misbehave::introduce() const {
    say("id name misbehave\nid author the assay authors\n");
    if (is("early-uciok")) say("uciok\n");
    say("option name UCI_Chess960 type check default false\n"
        "option name Hash type spin default 16 min 1 max 64\n"
        "option name Style of Play type combo default Very Solid var Very Solid var Risky\n"
        "option name Book Path type string default /books/My Books/book.bin\n"
        "option name Clear Hash type button\n");
    if (is("no-uciok")) return;
    if (is("many-options")) flood("option name " + std::string(200, 'x') + " type button\n");
    if (is("late-uciok")) std::this_thread::sleep_for(delay_);
    if (!is("early-uciok")) say("uciok\n");
    if (is("two-uciok")) say("uciok\n");
}

void Misbehave::go() {
    std::vector<assay::rules::Move> moves;
    assay::rules::Position& position = position_.position();
    position.moves(moves);
    std::string best = "bestmove (none)\n";
    if (!moves.empty()) {
        const auto move = moves[assay::mix64(position.hash()) % moves.size()];
        best = "bestmove " + position.name_of(move, assay::rules::Notation::Canonical) + "\n";
    }
    if (++searches_ == 1) first_best_ = best;
    if (is("old-move") && searches_ == at_) best = first_best_;
    if (!lie_.empty() && (at_ == 0 || searches_ == at_)) {
        if (position.move_of(lie_move_, assay::rules::Notation::Canonical))
            best = "bestmove " + lie_move_ + "\n";
        say("info " + lie_ + "\n" + best);
        return;
    }
    for (const Sin& sin : sins()) {
        if (sin.act && is(sin.name) && searches_ == at_) {
            sin.act(best, delay_);
            return;
        }
    }
    // As if White were always far ahead; the other sins report what says nothing.
    const bool is_turned = is("white-scores") && position.to_move() == 1;
    const std::string score = is("mate-scores")    ? "mate 1"
                              : is("white-scores") ? is_turned ? "cp -900" : "cp 900"
                                                   : "cp 0";
    say("info depth 1 score " + score + " nodes " + std::to_string(moves.size()) + "\n" + best);
}

int play(Misbehave& program) {
    std::string input;
    std::array<char, 65536> buffer{};
    while (true) {
        const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            if (program.is("ignores-term") || program.is("joins-group")) hang();
            return 0;
        }
        input.append(buffer.data(), static_cast<std::size_t>(got));
        while (true) {
            const std::size_t end = input.find('\n');
            if (end == std::string::npos) break;
            const std::string line(assay::trim(input.substr(0, end)));
            input.erase(0, end + 1);
            if (!program.handle(line)) return 0;
        }
    }
}

int usage() {
    std::fputs(
        "usage: misbehave [--game GAME] [--sin NAME [--delay MS]] [--line INFO [--play MOVE]] "
        "[--at MOVE] | --list\n",
        stderr);
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    std::string game = "chess";
    std::string sin;
    std::string line;
    std::string move;
    int at = 3;
    int delay = 3000;
    for (int i = 1; i < argc; ++i) {
        const std::string_view flag = argv[i];
        if (flag == "--list") {
            for (const Sin& known : sins()) std::printf("%-14s %s\n", known.name, known.what);
            return 0;
        }
        if (i + 1 == argc) return usage();
        const std::string_view value = argv[++i];
        if (flag == "--sin") {
            sin = value;
        } else if (flag == "--game") {
            game = value;
        } else if (flag == "--line") {
            line = value;
        } else if (flag == "--play") {
            move = value;
        } else if (flag == "--at") {
            at = assay::to_number<int>(value).value_or(1);
        } else if (flag == "--delay") {
            delay = assay::to_number<int>(value).value_or(0);
        } else {
            return usage();
        }
    }
    bool is_known = sin.empty();
    for (const Sin& known : sins()) is_known = is_known || sin == known.name;
    if (!is_known) return usage();
    if (sin == "exit-at-once") return 0;
    if (sin == "joins-group") static_cast<void>(::setpgid(0, ::getpgid(::getppid())));
    if (sin == "ignores-term") static_cast<void>(std::signal(SIGTERM, [](int) { tell("TERM\n"); }));
    if (sin == "joins-group") static_cast<void>(std::signal(SIGTERM, SIG_IGN));
    Misbehave program(game, sin, at, std::chrono::milliseconds(delay));
    program.lie(line, move);
    return play(program);
}
