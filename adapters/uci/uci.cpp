// The protocol as a state machine over lines. A program answers in its own time, so that answers to
// things that were given up still come: a search that new_game() ended is owed a bestmove (owed_),
// and info lines of a search before are told by the time at which ours was written (is_of_search).
// Taking a late answer for a new one would play a move of another position.
#include "adapters/uci/uci.h"

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/protocol/program_player.h"
#include "adapters/uci/uci_info.h"
#include "adapters/uci/uci_options.h"
#include "adapters/uci/uci_search.h"
#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

constexpr std::string_view kChess960 = "UCI_Chess960";
constexpr std::string_view kPonder = "Ponder";
constexpr std::string_view kVariant = "UCI_Variant";  // of programs that play several games

// std::regex recurses for each byte.
constexpr std::size_t kLongestSearchedLine = 4096;

class UciPlayer final : public ProgramPlayer {
public:
    UciPlayer(EventLoop& loop, const ProgramSpec& spec, PlayerListener& listener,
              LineObserver* observer)
        : ProgramPlayer(loop, spec, listener, observer) {
        for (const std::string& pattern : spec.kept_lines) kept_.emplace_back(pattern);
    }

    [[nodiscard]] const ProtocolInfo& protocol() const override { return uci_protocol().info; }

    void start(const GameStart& game) override;
    void new_game(const GameStart& game) override;
    TimePoint go(const SearchRequest& request) override;
    TimePoint ponder_hit() override;
    void stop() override;
    void quit() override;

    [[nodiscard]] bool has_shaken_hands() const override { return state_ > State::Introduced; }

    [[nodiscard]] std::string last_command() const override { return command_; }

private:
    enum class State : std::uint8_t {
        Fresh,
        Introduced,  // uci was sent
        Settling,    // isready was sent, on_ready follows
        Idle,
        Pinging,  // isready was sent, go follows
        Searching,
        Pondering,
        Answered,  // a ponder search that ended before its time; the answer is held
    };

    void on_line(std::string_view line, Arrival arrival) override;
    void on_deferred(Arrival arrival) override;

    [[nodiscard]] bool is_shaking_hands() const override { return !was_ready_; }

    void on_handshake_line(std::string_view word, std::string_view rest, std::string_view line);
    void on_late_option(std::string_view rest, std::string_view line);
    void read_option(std::string_view rest, std::string_view line);
    void send_options();
    void add_options(std::string& text);
    [[nodiscard]] std::string_view game_option() const;
    [[nodiscard]] bool is_given(std::string_view name) const;
    [[nodiscard]] bool is_game_an_argument() const;
    [[nodiscard]] bool is_fit();
    void complain_of_options();
    void on_ready_line(Arrival arrival);
    void on_info(std::string_view rest, std::string_view line, Arrival arrival);
    void on_best_move(std::string_view rest, std::string_view line, Arrival arrival);
    void on_registration(std::string_view rest, std::string_view line);
    void begin_search();
    void forget_info();
    void keep(std::string_view line, Arrival arrival);
    void swallow(std::string_view line);

    State state_ = State::Fresh;
    bool was_ready_ = false;
    bool is_ponder_ = false;       // of the last request
    bool is_hit_wanted_ = false;   // ponder_hit() came while pinging
    bool is_stop_wanted_ = false;  // stop() did
    int owed_ = 0;                 // answers to searches that new_game() gave up
    SearchInfo info_;
    std::vector<std::regex> kept_;  // ProgramSpec::kept_lines
    std::string command_;
    std::string held_;  // the rest of a premature bestmove line
    std::vector<UciOption> options_;
    std::size_t options_sent_ = 0;  // of them: what the config says of these has been sent
};

void UciPlayer::start(const GameStart& /*game*/) {
    ASSAY_CHECK(state_ == State::Fresh);
    state_ = State::Introduced;
    launch();
    send("uci\n");
}

void UciPlayer::new_game(const GameStart& /*game*/) {
    if (is_gone()) return;
    forget_warnings();
    command_.clear();
    std::string text;
    if (state_ == State::Searching || state_ == State::Pondering) {
        // Every go is answered some time; this answer is nobody's.
        ++owed_;
        text = "stop\n";
    }
    state_ = State::Settling;
    send(text + "ucinewgame\nisready\n");
}

TimePoint UciPlayer::go(const SearchRequest& request) {
    ASSAY_CHECK(is_gone() || state_ == State::Idle);
    compose_search(command_, request);
    forget_info();
    is_ponder_ = request.ponder;
    is_stop_wanted_ = false;
    is_hit_wanted_ = false;
    if (spec().ping_before_go) {
        state_ = State::Pinging;
        return send("isready\n");
    }
    begin_search();
    return search_written();
}

void UciPlayer::begin_search() {
    state_ = is_ponder_ ? State::Pondering : State::Searching;
    send_search(command_);
}

void UciPlayer::forget_info() {
    // Strings keep their capacity.
    std::string pv = std::move(info_.pv);
    std::string line = std::move(info_.line);
    std::vector<std::string> kept = std::move(info_.kept_lines);
    pv.clear();
    line.clear();
    for (std::string& one : kept) one.clear();
    info_ = {};
    info_.pv = std::move(pv);
    info_.line = std::move(line);
    info_.kept_lines = std::move(kept);
}

/// A line that a pattern of the spec asks for is kept until a later one matches.
void UciPlayer::keep(std::string_view line, Arrival arrival) {
    const bool is_searching = state_ == State::Searching || state_ == State::Pondering;
    if (!is_searching || owed_ > 0 || !is_of_search(arrival)) return;
    info_.kept_lines.resize(kept_.size());
    if (line.size() > kLongestSearchedLine) return;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
        if (std::regex_search(line.begin(), line.end(), kept_[i])) info_.kept_lines[i] = line;
    }
}

TimePoint UciPlayer::ponder_hit() {
    if (state_ == State::Pinging) is_hit_wanted_ = true;
    if (state_ == State::Answered) defer();
    if (state_ != State::Pondering) return send("");
    state_ = State::Searching;
    return send("ponderhit\n");
}

void UciPlayer::stop() {
    if (state_ == State::Pinging) is_stop_wanted_ = true;
    if (state_ == State::Searching || state_ == State::Pondering) {
        state_ = State::Searching;
        send("stop\n");
    }
    if (state_ == State::Answered) defer();
}

void UciPlayer::quit() {
    expect_end();
    const bool is_searching = state_ == State::Searching || state_ == State::Pondering;
    send(is_searching ? "stop\nquit\n" : "quit\n");
}

void UciPlayer::on_line(std::string_view line, Arrival arrival) {
    if (!kept_.empty()) keep(line, arrival);
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    if (word == "info") {
        on_info(rest, line, arrival);
    } else if (word == "bestmove") {
        on_best_move(rest, line, arrival);
    } else if (word == "readyok") {
        on_ready_line(arrival);
    } else if (word == "registration" || word == "copyprotection") {
        on_registration(rest, line);
    } else if (state_ == State::Introduced) {
        on_handshake_line(word, rest, line);
    } else if (word == "uciok") {
        warn("uciok", "'uciok' came more than once, or before all options");
    } else if (word == "option" && !was_ready_) {
        on_late_option(rest, line);
    }
}

void UciPlayer::on_handshake_line(std::string_view word, std::string_view rest,
                                  std::string_view line) {
    if (word == "uciok") {
        send_options();
    } else if (word == "id") {
        const std::string_view what = take_word(rest);
        if (what == "name") identity_.name = printable_utf8(trim(rest));
        if (what == "author") identity_.author = printable_utf8(trim(rest));
    } else if (word == "option") {
        read_option(rest, line);
    }
}

void UciPlayer::read_option(std::string_view rest, std::string_view line) {
    auto option = read_uci_option(rest);
    if (!option) {
        warn("option-line", "no name in '" + printable_utf8(line) + "'");
        return;
    }
    identity_.option_names.push_back(option->name);
    identity_.option_values.push_back(printable_utf8(option->default_value));
    options_.push_back(std::move(*option));
}

/// An option behind uciok counts as if it had come before: when the program is ready, all options
/// are sent once more.
void UciPlayer::on_late_option(std::string_view rest, std::string_view line) {
    warn("uciok", "options come after 'uciok', first '" + printable_utf8(line) + "'");
    read_option(rest, line);
}

bool UciPlayer::is_given(std::string_view name) const {
    const auto& given = spec().options;
    return std::any_of(given.begin(), given.end(),
                       [name](const auto& one) { return equal_ignoring_case(one.first, name); });
}

/// The option that selects the game; empty: none does, or the config has set it.
std::string_view UciPlayer::game_option() const {
    if (spec().game == "chess") return {};
    const std::string_view name = spec().game == "chess960" ? kChess960 : kVariant;
    return is_given(name) ? std::string_view() : name;
}

/// True where the program was started with the file of the game's rules: "--game dir/checkers.mg".
bool UciPlayer::is_game_an_argument() const {
    const auto& argv = spec().argv;
    return std::any_of(
        argv.begin() + (argv.empty() ? 0 : 1), argv.end(), [&](std::string_view word) {
            const std::string_view file = word.substr(word.find_last_of("/=") + 1);
            return file.size() > spec().game.size() && file.starts_with(spec().game) &&
                   file.find('.') == spec().game.size();
        });
}

/// What the harness itself sets, and what the config sets only where a program has it.
void UciPlayer::add_options(std::string& text) {
    const auto set = [&](std::string_view name, std::string_view value) {
        const UciOption* const option = find_option(options_, name);
        if (option != nullptr) text += setoption_line(option, name, value);
    };
    for (const auto& [name, value] : spec().options_if_any) set(name, value);
    if (spec().ponder && !is_given(kPonder)) set(kPonder, "true");
    const std::string_view game = game_option();
    if (!game.empty()) set(game, game == kChess960 ? "true" : spec().game);
}

void UciPlayer::send_options() {
    std::string text;
    for (const auto& [name, value] : spec().options) {
        text += setoption_line(find_option(options_, name), name, value);
    }
    add_options(text);
    options_sent_ = options_.size();
    state_ = State::Settling;
    send(text + "ucinewgame\nisready\n");
}

/// Said when the program is ready, so that options that came behind uciok are known.
void UciPlayer::complain_of_options() {
    const std::vector<std::string_view> names(identity_.option_names.begin(),
                                              identity_.option_names.end());
    for (const auto& [name, value] : spec().options) {
        const UciOption* const option = find_option(options_, name);
        // One kind a problem, so that each is said.
        if (option == nullptr) {
            identity_.option_faults.push_back({OptionFault::Kind::Unknown, name, value});
            listener().on_warning("unknown-option", "the program has no option '" +
                                                        printable_utf8(name) + "'" +
                                                        did_you_mean(name, names));
        } else if (const std::string complaint = option_complaint(*option, value);
                   !complaint.empty()) {
            identity_.option_faults.push_back({OptionFault::Kind::BadValue, option->name, value});
            listener().on_warning("option-value", "option " + complaint);
        }
    }
    if (spec().ponder && find_option(options_, kPonder) == nullptr) {
        listener().on_warning("ponder",
                              "the program has no option Ponder: it is asked to ponder, but may "
                              "not be able to");
    }
}

/// False where the program cannot play the game: it has been given up then.
bool UciPlayer::is_fit() {
    const std::string_view name = game_option();
    if (name.empty() || find_option(options_, name) != nullptr) return true;
    if (name == kChess960) {
        fail(GoneReason::Protocol, "has no option UCI_Chess960, so it cannot play chess960");
        return false;
    }
    if (is_game_an_argument()) return true;
    listener().on_warning("game",
                          "the program has no option UCI_Variant, so that nothing tells it "
                          "to play " +
                              spec().game);
    return true;
}

void UciPlayer::on_ready_line(Arrival arrival) {
    if (state_ == State::Pinging) {
        begin_search();
        if (is_hit_wanted_) ponder_hit();
        if (is_stop_wanted_) stop();
        listener().on_go_written(search_written());
    } else if (state_ == State::Settling) {
        if (!was_ready_) {
            if (options_sent_ < options_.size()) {
                send_options();
                return;
            }
            if (!is_fit()) return;
            complain_of_options();
        }
        state_ = State::Idle;
        was_ready_ = true;
        listener().on_ready(arrival);
    }
}

void UciPlayer::on_info(std::string_view rest, std::string_view line, Arrival arrival) {
    const bool is_searching = state_ == State::Searching || state_ == State::Pondering;
    if (!is_searching || owed_ > 0 || !is_of_search(arrival)) return;
    const InfoWarning warning = read_uci_info(rest, info_);
    listener().on_info(info_, arrival);
    if (warning.field.empty()) return;
    std::string text = warning.value.empty()
                           ? "no value after '" + std::string(warning.field) + "'"
                           : "'" + printable_utf8(warning.value) + "' is no value of '" +
                                 std::string(warning.field) + "'";
    warn("info-value", text + " in '" + printable_utf8(line) + "'");
}

void UciPlayer::swallow(std::string_view line) {
    warn("stray-bestmove", "no search is open for '" + printable_utf8(line) + "'");
}

void UciPlayer::on_best_move(std::string_view rest, std::string_view line, Arrival arrival) {
    if (owed_ > 0) {
        --owed_;
        swallow(line);
        return;
    }
    if (state_ == State::Pondering && is_of_search(arrival)) {
        warn("ponder-bestmove",
             "an answer before ponderhit or stop: '" + printable_utf8(line) + "'");
        held_ = rest;
        state_ = State::Answered;
        return;
    }
    if (state_ != State::Searching || !is_of_search(arrival)) {
        swallow(line);
        return;
    }
    state_ = State::Idle;
    BestMove best;
    best.move = take_word(rest);
    if (best.move == "(none)" || best.move == "0000" || best.move == "NULL") {
        best.kind = BestMove::Kind::Pass;
    }
    if (take_word(rest) == "ponder") best.ponder = take_word(rest);
    best.info = &info_;
    listener().on_best_move(best, arrival);
}

void UciPlayer::on_deferred(Arrival arrival) {
    if (state_ != State::Answered) return;
    state_ = State::Searching;
    const std::string rest = std::move(held_);
    on_best_move(rest, rest, arrival);
}

void UciPlayer::on_registration(std::string_view rest, std::string_view line) {
    if (take_word(rest) != "error") return;
    warn("registration", "the program says '" + printable_utf8(line) + "'");
    if (line.find("registration") != std::string_view::npos) send("register later\n");
}

std::unique_ptr<Player> make_uci_player(EventLoop& loop, const ProgramSpec& spec,
                                        PlayerListener& listener, LineObserver* observer) {
    return std::make_unique<UciPlayer>(loop, spec, listener, observer);
}

std::string search_lines(const SearchRequest& request) {
    std::string lines;
    compose_search(lines, request);
    return lines;
}

std::vector<std::string> uci_script(const ProgramSpec& spec, const GameStart& /*game*/,
                                    const SearchRequest& request) {
    std::vector<std::string> lines{"uci"};
    for (const auto& [name, value] : spec.options) {
        lines.push_back("setoption name " + name + (value.empty() ? "" : " value " + value));
    }
    if (spec.game == "chess960") lines.emplace_back("setoption name UCI_Chess960 value true");
    lines.insert(lines.end(), {"ucinewgame", "isready"});
    const std::string search = search_lines(request);
    std::string_view rest = search;
    while (!rest.empty()) lines.emplace_back(take_line(rest));
    return lines;
}

}  // namespace

const Protocol& uci_protocol() {
    static const Protocol protocol{
        {"uci", "UCI", {}, {"readyok", "bestmove", "go", "stop"}, "Threads", "TreeLog"},
        make_uci_player,
        search_lines,
        uci_script,
        "^[[:blank:]]*bestmove",
        {"stop", "quit"}};
    return protocol;
}

}  // namespace assay::adapters
