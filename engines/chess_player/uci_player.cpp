#include "engines/chess_player/uci_player.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <unistd.h>

#include "base/text.h"
#include "engines/chess_player/chess_state.h"
#include "rules/chess/chess_game.h"
#include "rules/chess/notation.h"

namespace assay::engines {

using namespace std::chrono_literals;

namespace {

const char* environment(const char* name) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
    return std::getenv(name);
}

Micros from_ms(long long ms) {
    constexpr long long kLongest = 1'000'000'000;  // eleven days
    return std::chrono::milliseconds(std::clamp(ms, -kLongest, kLongest));
}

/// Applies one word of `go` and its number. False if the word is not a limit.
bool read_limit(GoCommand& go, std::string_view word, long long number) {
    const auto small = static_cast<int>(std::clamp<long long>(number, 0, 1'000'000));
    if (word == "wtime") {
        go.white.left = from_ms(number);
    } else if (word == "btime") {
        go.black.left = from_ms(number);
    } else if (word == "winc") {
        go.white.increment = from_ms(std::max(number, 0LL));
    } else if (word == "binc") {
        go.black.increment = from_ms(std::max(number, 0LL));
    } else if (word == "movestogo") {
        go.white.moves_to_go = go.black.moves_to_go = small;
    } else if (word == "movetime") {
        go.white.move_time = go.black.move_time = from_ms(number);
    } else if (word == "depth") {
        go.limits.depth = std::max(small, 1);
    } else if (word == "nodes") {
        go.limits.nodes = static_cast<std::uint64_t>(std::max(number, 1LL));
    } else if (word == "mate") {
        go.limits.mate = small;
    } else {
        return false;
    }
    return true;
}

std::string line_text(const Line& line, Micros elapsed, bool chess960) {
    const auto us = std::max<long long>(elapsed.count(), 1);
    const std::uint64_t speed = line.nodes * 1'000'000 / static_cast<std::uint64_t>(us);
    std::string text =
        "info depth " + std::to_string(line.depth) + " seldepth " + std::to_string(line.deepest) +
        " multipv " + std::to_string(line.number) + " score " + score_text(line.value) + " nodes " +
        std::to_string(line.nodes) + " nps " + std::to_string(speed) + " hashfull " +
        std::to_string(line.permille_full) + " time " + std::to_string(us / 1000) + " pv";
    const auto variant =
        chess960 ? rules::chess::Variant::Chess960 : rules::chess::Variant::Standard;
    for (const Move move : line.moves) text += " " + rules::chess::write_uci(move, variant);
    return text + "\n";
}

std::size_t memory_of_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return std::numeric_limits<std::size_t>::max();
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
}

void write_move_name(Move move, char* text, const void* context) {
    const bool chess960 = *static_cast<const bool*>(context);
    const auto variant =
        chess960 ? rules::chess::Variant::Chess960 : rules::chess::Variant::Standard;
    const std::string name = move == kNoMove ? "0000" : rules::chess::write_uci(move, variant);
    std::copy_n(name.c_str(), name.size() + 1, text);
}

}  // namespace

std::string score_text(int value) {
    if (value >= kSureWin) return "mate " + std::to_string((kWin - value + 1) / 2);
    if (value <= -kSureWin) return "mate -" + std::to_string((kWin + value) / 2);
    return "cp " + std::to_string(value);
}

GoCommand read_go(std::string_view text, const rules::Position& position) {
    GoCommand go;
    std::string_view word = take_word(text);
    while (!word.empty()) {
        if (word == "ponder") go.ponders = true;
        if (word == "infinite") go.infinite = true;
        if (word == "searchmoves") {
            word = take_word(text);
            while (const auto move = position.move_of(word, rules::Notation::Canonical)) {
                go.limits.only.push_back(*move);
                word = take_word(text);
            }
            continue;
        }
        std::string_view after = text;
        const auto number = to_number<long long>(take_word(after));
        const bool is_limit = read_limit(go, word, number.value_or(1));
        if (is_limit && number) text = after;
        if (is_limit && !number) {
            go.wrong.push_back(std::string(word) + " needs a whole number: 1 is used");
        }
        word = take_word(text);
    }
    // A mate in N moves is 2 N - 1 plies deep.
    if (go.limits.mate > 0) go.limits.depth = std::min(go.limits.depth, 2 * go.limits.mate);
    for (ClockTold* const clock : {&go.white, &go.black}) {
        const bool is_idle = !clock->left && !clock->move_time;
        if (is_idle && clock->increment > Micros(0)) clock->left = clock->increment;
    }
    return go;
}

SearchRoot root_of(const rules::Position& position) {
    const auto copy = position.clone();
    std::vector<std::uint64_t> earlier;
    while (copy->ply() > 0 && copy->quiet_plies() > 0) {
        copy->undo();
        earlier.push_back(copy->hash());
    }
    std::reverse(earlier.begin(), earlier.end());
    return {dynamic_cast<const rules::chess::ChessPosition&>(position).board(), earlier};
}

std::vector<Line> search(const rules::Position& position, const PlayerOptions& options,
                         Memory& memory, const Limits& limits, Control& control, NodeLog* log) {
    const SearchRoot root = root_of(position);
    if (log != nullptr) log->start_search(position.text(), "");
    if (options.generic) {
        const auto copy = position.clone();
        const auto& chess = dynamic_cast<const rules::chess::ChessPosition&>(*copy);
        const ChessKnowledge knowledge(chess.board(), options.evaluation);
        GameState state(*copy, knowledge, root.earlier);
        Searcher<GameState> searcher(state, options.search, memory);
        searcher.log_to(log);
        return searcher.think(limits, control);
    }
    ChessState state(root.board, options.evaluation, root.earlier);
    Searcher<ChessState> searcher(state, options.search, memory);
    searcher.log_to(log);
    return searcher.think(limits, control);
}

class UciPlayer::Running final : public Control {
public:
    Running(UciPlayer& player, const GoCommand& go, TimePlan plan)
        : player_(player),
          plan_(plan),
          start_(player.clock_.now()),
          last_look_(start_),
          next_input_(start_),
          next_writing_(start_),
          is_pondering_(go.ponders),
          waits_(go.ponders || go.infinite) {}

    bool must_stop() override {
        const TimePoint now = player_.clock_.now();
        player_.delays_.add_gap(micros_between(last_look_, now));
        last_look_ = now;
        if (now >= next_input_) {
            next_input_ = now + kInputEvery;
            read_input();
        }
        if (now >= next_writing_ && !player_.waiting_.empty()) player_.say("");
        if (is_stopped_ || player_.quits_) return true;
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
        if (player_.waiting_.empty()) next_writing_ = player_.clock_.now() + kWriteEvery;
        player_.waiting_ += line_text(line, elapsed(), player_.options_.chess960);
    }

    /// Waits for `stop` or `ponderhit`: after `go infinite` and `go ponder` UCI forbids an earlier
    /// answer.
    void wait_for_leave() {
        while (waits_ && !player_.quits_ && !is_stopped_) {
            player_.say("");
            const auto line = player_.input_.wait();
            if (!line) {
                player_.quits_ = true;
                return;
            }
            take(*line);
        }
    }

    /// Time since `go` or `ponderhit`.
    [[nodiscard]] Micros elapsed() const { return micros_between(start_, player_.clock_.now()); }

private:
    static constexpr Micros kInputEvery = 1ms;
    static constexpr Micros kWriteEvery = 100ms;

    void read_input() {
        // Commands after `stop` are left for later.
        while (!is_stopped_ && !player_.quits_) {
            const auto line = player_.input_.look();
            if (!line) break;
            take(*line);
        }
        if (player_.input_.is_over()) player_.quits_ = true;
    }

    void take(const std::string& text) {
        std::string_view rest = trim(text);
        const std::string_view whole = rest;
        const std::string_view word = take_word(rest);
        if (word == "stop") {
            is_stopped_ = true;
        } else if (word == "quit") {
            player_.quits_ = true;
        } else if (word == "isready") {
            player_.say("readyok\n");
        } else if (word == "ponderhit") {
            waits_ = false;
            is_pondering_ = false;
            start_ = player_.clock_.now();
        } else if (!whole.empty()) {
            player_.postponed_.emplace_back(whole);
        }
    }

    UciPlayer& player_;
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

UciPlayer::UciPlayer(LineInput& input, int output, const Clock& clock)
    : input_(input), output_(output), clock_(clock) {}

void UciPlayer::say(std::string_view text) {
    waiting_ += text;
    write_all(output_, waiting_);
    waiting_.clear();
}

void UciPlayer::run() {
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

bool UciPlayer::handle(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word == "quit") return false;
    if (word == "uci") introduce();
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
        memory_.clear();
    }
    if (word == "isready") {
        settle();
        say("readyok\n");
    }
    return true;
}

void UciPlayer::introduce() {
    say("id name assay player\nid author the assay authors\n" + declare_options() + "uciok\n");
}

void UciPlayer::read_option(std::string_view rest) {
    take_word(rest);  // "name"
    const std::size_t at = rest.find(" value ");
    const std::string_view name = trim(rest.substr(0, at));
    std::string_view value;
    if (at != std::string_view::npos) value = trim(rest.substr(at + 7));
    if (equal_ignoring_case(name, "Clear Hash")) {
        memory_.clear();
        return;
    }
    if (const auto wrong = set_option(wanted_, name, value)) {
        say("info string " + *wrong + "\n");
        return;
    }
    is_settled_ = false;
}

/// Sizes the table. False without enough memory: the table is then unchanged or empty.
bool UciPlayer::size_table(const PlayerOptions& options) {
    const std::size_t bytes = options.search.table ? options.hash_mb << 20U : 0;
    // The system would grant more than the machine has, and kill the program once it is used.
    if (bytes > memory_of_machine()) return false;
    try {
        memory_.size_table(bytes);
        return true;
    } catch (const std::bad_alloc&) {
        memory_.size_table(0);
        return false;
    }
}

/// Applies all options that were set, at once, if they are compatible.
void UciPlayer::settle() {
    if (is_settled_) return;
    is_settled_ = true;
    std::optional<std::string> refused = check_options(wanted_);
    if (!refused && !size_table(wanted_)) {
        (void)size_table(options_);
        refused = "there is no memory for a table of " + std::to_string(wanted_.hash_mb) + " MB";
    }
    if (refused) {
        say("info string refused: " + *refused + ". The previous options stay in force.\n");
    } else {
        options_ = wanted_;
    }
    if (options_.chess960 != position_.is_chess960()) position_.set_chess960(options_.chess960);
    open_log();
}

/// Opens the log that the option names, or else the environment.
void UciPlayer::open_log() {
    const char* const by_environment = environment("ASSAY_TREE_LOG");
    std::string path = options_.tree_log;
    if (path.empty() && by_environment != nullptr) path = by_environment;
    if (path == log_path_) return;
    log_path_ = path;
    log_.reset();
    if (path.empty()) return;
    std::uint64_t most_nodes = 0;
    if (const char* const limit = environment("ASSAY_TREE_LOG_LIMIT")) {
        most_nodes = to_number<std::uint64_t>(limit).value_or(0);
    }
    log_ =
        std::make_unique<NodeLog>(path, "chess", most_nodes, write_move_name, &options_.chess960);
    if (const std::string error = log_->error(); !error.empty()) {
        say("info string no tree log: " + printable_utf8(error) + "\n");
    }
}

void UciPlayer::go(std::string_view rest) {
    settle();
    if (!position_.is_known()) {
        say("info string go: the position could not be read, so nothing is searched\n"
            "bestmove 0000\n");
        return;
    }
    GoCommand command = read_go(rest, position_.position());
    for (const std::string& sentence : command.wrong) say("info string go: " + sentence + "\n");
    command.limits.lines = options_.lines;
    const bool is_white = root_of(position_.position()).board.side() == rules::chess::Color::White;
    ClockTold told = is_white ? command.white : command.black;
    told.overhead = std::chrono::milliseconds(options_.overhead_ms);
    delays_.start(told);
    told.delay = delays_.worst();
    told.usual_delay = delays_.usual();
    const TimePlan plan = command.infinite ? TimePlan{} : plan_time(told);
    Running running(*this, command, plan);
    const std::vector<Line> lines =
        search(position_.position(), options_, memory_, command.limits, running, log_.get());
    running.wait_for_leave();
    if (lines.empty()) {
        say("info depth 0 score " +
            std::string(root_of(position_.position()).board.in_check() ? "mate 0" : "cp 0") +
            "\nbestmove (none)\n");
        return;
    }
    const auto variant =
        options_.chess960 ? rules::chess::Variant::Chess960 : rules::chess::Variant::Standard;
    const auto& best = lines.front().moves;
    std::string text = "bestmove " + rules::chess::write_uci(best.front(), variant);
    if (best.size() > 1) text += " ponder " + rules::chess::write_uci(best[1], variant);
    say(text + "\n");
    delays_.finish(told, running.elapsed());
}

}  // namespace assay::engines
