#include "engines/uci/uci_loop.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/text.h"
#include "engines/search/game_state.h"
#include "engines/uci/uci_go.h"

namespace assay::engines {

using namespace std::chrono_literals;

namespace {

/// The names of moves from `root` on, each behind a blank.
std::string names_of(const rules::Position& root, const std::vector<Move>& moves) {
    const auto position = root.clone();
    std::string text;
    for (const Move move : moves) {
        text += " " + position->name_of(move, rules::Notation::Canonical);
        position->make(move);
    }
    return text;
}

/// The line that ends a search: the best move, and the reply that the opponent is expected to make.
std::string answer_text(const rules::Position& root, const std::vector<Move>& moves) {
    const auto position = root.clone();
    std::string text = "bestmove" + names_of(root, {moves.front()});
    position->make(moves.front());
    if (moves.size() > 1 && position->to_move() != root.to_move()) {
        text += " ponder" + names_of(*position, {moves[1]});
    }
    return text + "\n";
}

std::string bound_text(const Line& line) {
    if (!line.is_cut) return "";
    return line.value > 0 ? " lowerbound" : " upperbound";
}

std::string line_text(const Line& line, Micros elapsed, const rules::Position& root) {
    const auto us = std::max<long long>(elapsed.count(), 1);
    const std::uint64_t speed = line.nodes * 1'000'000 / static_cast<std::uint64_t>(us);
    std::string text = "info depth " + std::to_string(line.depth) + " seldepth " +
                       std::to_string(line.deepest) + " multipv " + std::to_string(line.number) +
                       " score " + score_text(line.value) + bound_text(line) + " nodes " +
                       std::to_string(line.nodes) + " nps " + std::to_string(speed) + " hashfull " +
                       std::to_string(line.permille_full) + " time " + std::to_string(us / 1000) +
                       " pv";
    return text + names_of(root, line.moves) + "\n";
}

}  // namespace

class UciLoop::Running final : public Control {
public:
    Running(UciLoop& loop, const GoCommand& go, TimePlan plan)
        : loop_(loop),
          plan_(plan),
          start_(loop.clock_.now()),
          last_look_(start_),
          next_input_(start_),
          next_writing_(start_),
          is_pondering_(go.ponders),
          waits_(go.ponders || go.infinite) {}

    bool must_stop() override {
        const TimePoint now = loop_.clock_.now();
        loop_.delays_.add_gap(micros_between(last_look_, now));
        last_look_ = now;
        if (now >= next_input_) {
            next_input_ = now + kInputEvery;
            read_input();
        }
        if (now >= next_writing_ && !loop_.waiting_.empty()) loop_.say("");
        if (is_stopped_ || loop_.quits_) return true;
        return !is_pondering_ && plan_.most && elapsed() >= *plan_.most;
    }

    bool may_deepen(const Line& best) override {
        if (must_stop()) return false;
        stability_.add(best.moves.front(), best.value);
        if (is_pondering_ || !plan_.wanted) return true;
        if (best.is_only_reply) return false;
        // Beyond the distance of a sure win nothing better can be found.
        const int distance = kWin - std::abs(best.value);
        if (is_sure(best.value) && best.depth > distance + 3) return false;
        const double wanted = static_cast<double>(plan_.wanted->count()) * stability_.factor();
        // An iteration takes about as long as all iterations before it together.
        return static_cast<double>(elapsed().count()) < 0.55 * wanted;
    }

    void report(const Line& line) override {
        if (loop_.waiting_.empty()) next_writing_ = loop_.clock_.now() + kWriteEvery;
        loop_.waiting_ += line_text(line, elapsed(), loop_.position_.position());
    }

    /// Waits for `stop` or `ponderhit`: after `go infinite` and `go ponder` UCI forbids an earlier
    /// answer.
    void wait_for_leave() {
        while (waits_ && !loop_.quits_ && !is_stopped_) {
            loop_.say("");
            const auto line = loop_.input_.wait();
            if (!line) {
                loop_.quits_ = true;
                return;
            }
            take(*line);
        }
    }

    /// Time since `go` or `ponderhit`.
    [[nodiscard]] Micros elapsed() const { return micros_between(start_, loop_.clock_.now()); }

private:
    static constexpr Micros kInputEvery = 1ms;
    static constexpr Micros kWriteEvery = 100ms;

    void read_input() {
        // Commands after `stop` are left for later.
        while (!is_stopped_ && !loop_.quits_) {
            const auto line = loop_.input_.look();
            if (!line) break;
            take(*line);
        }
        if (loop_.input_.is_over()) loop_.quits_ = true;
    }

    void take(const std::string& text) {
        std::string_view rest = trim(text);
        const std::string_view whole = rest;
        const std::string_view word = take_word(rest);
        if (word == "stop") {
            is_stopped_ = true;
        } else if (word == "quit") {
            loop_.quits_ = true;
        } else if (word == "isready") {
            loop_.say("readyok\n");
        } else if (word == "ponderhit") {
            waits_ = false;
            is_pondering_ = false;
            start_ = loop_.clock_.now();
        } else if (!whole.empty()) {
            loop_.postponed_.emplace_back(whole);
        }
    }

    UciLoop& loop_;
    TimePlan plan_;
    Stability stability_;
    TimePoint start_;
    TimePoint last_look_;     // when the clock was last read
    TimePoint next_input_;    // when to look for commands
    TimePoint next_writing_;  // when waiting lines are written
    bool is_pondering_;
    bool waits_;
    bool is_stopped_ = false;
};

UciLoop::UciLoop(Backend& backend, LineInput& input, int output, const Clock& clock)
    : backend_(backend), input_(input), output_(output), clock_(clock), position_(backend.game()) {}

void UciLoop::say(std::string_view text) {
    waiting_ += text;
    write_all(output_, waiting_);
    waiting_.clear();
}

void UciLoop::run() {
    while (!quits_) {
        if (!postponed_.empty()) {
            const std::string line = postponed_.front();
            postponed_.erase(postponed_.begin());
            if (!handle(line)) return;
            continue;
        }
        const auto line = input_.wait();
        if (!line || !handle(trim(*line))) return;
    }
}

bool UciLoop::handle(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word == "quit") return false;
    if (word == "uci") say(backend_.declaration() + "uciok\n");
    if (word == "setoption") read_option(rest);
    if (word == "position") {
        // A message may have several lines, but UCI has one line for each `info string`.
        if (auto wrong = position_.read(rest)) {
            std::replace(wrong->begin(), wrong->end(), '\n', ' ');
            say("info string position: " + *wrong + "\n");
        }
    }
    if (word == "go") go(rest);
    if (word == "ucinewgame") {
        delays_.forget_clock();
        settle();
        backend_.forget();
    }
    if (word == "isready") {
        settle();
        say("readyok\n");
    }
    return true;
}

void UciLoop::read_option(std::string_view rest) {
    take_word(rest);  // "name"
    const std::size_t at = rest.find(" value ");
    const std::string_view name = trim(rest.substr(0, at));
    std::string_view value;
    if (at != std::string_view::npos) value = trim(rest.substr(at + 7));
    if (const auto wrong = backend_.set_option(name, value)) say("info string " + *wrong + "\n");
}

void UciLoop::settle() {
    for (const std::string& sentence : backend_.apply_options()) {
        say("info string " + sentence + "\n");
    }
    if (&backend_.game() != &position_.game()) position_.set_game(backend_.game());
}

void UciLoop::go(std::string_view rest) {
    settle();
    if (!position_.is_known()) {
        say("info string go: the position could not be read, so nothing is searched\n"
            "bestmove 0000\n");
        return;
    }
    GoCommand command = read_go(rest, position_.position());
    for (const std::string& sentence : command.wrong) say("info string go: " + sentence + "\n");
    const Backend::Settings settings = backend_.settings();
    command.limits.lines = settings.lines;
    const rules::Position& root = position_.position();
    const int player = backend_.player_of(root);
    ClockTold told = player == 0 ? command.white : command.black;
    told.overhead = settings.overhead;
    delays_.start(told);
    told.delay = delays_.worst();
    told.usual_delay = delays_.usual();
    const TimePlan plan = command.infinite ? TimePlan{} : plan_time(told);
    Running running(*this, command, plan);
    const std::vector<Line> lines = backend_.search(root, command.limits, running);
    running.wait_for_leave();
    if (lines.empty()) {
        const auto outcome = root.result();
        const bool is_lost = outcome && value_of_outcome(*outcome, player, 0) < 0;
        say("info depth 0 score " + std::string(is_lost ? "mate 0" : "cp 0") +
            "\nbestmove (none)\n");
        return;
    }
    say(answer_text(root, lines.front().moves));
    delays_.finish(told, running.elapsed());
}

}  // namespace assay::engines
