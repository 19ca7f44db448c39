// The smallest player that plays: it says hello, sets options, begins a game, searches, and ends.
// Each step waits for an answer before the next, so that there is no late answer to tell apart
// except a move after a search was given up, which is_of_search() finds out. Pondering and pings
// are not in the protocol, and say so in its capabilities.
#include "adapters/json/json_player.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/json/json_lines.h"
#include "adapters/protocol/program_player.h"
#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::adapters {

namespace {

constexpr std::string_view kStop = R"({"type":"stop"})";
constexpr std::string_view kQuit = R"({"type":"quit"})";

std::string line_of(std::string_view text) {
    return std::string(text) + "\n";
}

class JsonPlayer final : public ProgramPlayer {
public:
    JsonPlayer(EventLoop& loop, const ProgramSpec& spec, PlayerListener& listener,
               LineObserver* observer)
        : ProgramPlayer(loop, spec, listener, observer) {}

    [[nodiscard]] const ProtocolInfo& protocol() const override { return json_protocol().info; }

    void start(const GameStart& game) override {
        ASSAY_CHECK(state_ == State::Fresh);
        state_ = State::Introduced;
        game_ = game;
        launch();
        send(json_hello_line());
    }

    void new_game(const GameStart& game) override {
        if (is_gone()) return;
        ASSAY_CHECK(state_ == State::Idle);
        forget_warnings();
        state_ = State::Settling;
        send(json_new_line(game));
    }

    TimePoint go(const SearchRequest& request) override {
        ASSAY_CHECK(is_gone() || state_ == State::Idle);
        command_ = json_go_line(request);
        info_ = {};
        state_ = State::Searching;
        return send_search(command_);
    }

    TimePoint ponder_hit() override { return send(""); }

    void stop() override {
        if (state_ == State::Searching) send(line_of(kStop));
    }

    void quit() override {
        expect_end();
        send((state_ == State::Searching ? line_of(kStop) : "") + line_of(kQuit));
    }

    [[nodiscard]] std::string last_command() const override { return command_; }

private:
    enum class State : std::uint8_t {
        Fresh,
        Introduced,  // hello was sent
        Settling,    // new was sent
        Idle,
        Searching,
    };

    void on_line(std::string_view line, Arrival arrival) override {
        const auto message = read_json_line(line);
        if (!message) {
            warn("json-line", "no JSON object with a type: '" + shortened(line) + "'");
            return;
        }
        if (!message->complaint.empty()) {
            warn("json-field", message->complaint + " in '" + shortened(line) + "'");
        }
        switch (message->type) {
            case JsonMessage::Type::Hello:
                if (state_ == State::Introduced) on_hello(*message);
                break;
            case JsonMessage::Type::Ready:
                on_ready_line(arrival);
                break;
            case JsonMessage::Type::Info:
                if (state_ == State::Searching && is_of_search(arrival)) {
                    merge(info_, message->info);
                    listener().on_info(info_, arrival);
                }
                break;
            case JsonMessage::Type::Move:
                on_move(*message, line, arrival);
                break;
            case JsonMessage::Type::Error:
                on_error(*message);
                break;
            case JsonMessage::Type::Other:
                break;
        }
    }

    [[nodiscard]] bool is_shaking_hands() const override { return !was_ready_; }

    [[nodiscard]] static std::string shortened(std::string_view line) {
        return printable_utf8(line.substr(0, 200));
    }

    void on_hello(const JsonMessage& message) {
        identity_.name = printable_utf8(message.name);
        identity_.author = printable_utf8(message.author);
        identity_.option_names = message.options;
        const std::vector<std::string_view> names(message.options.begin(), message.options.end());
        std::vector<std::pair<std::string, std::string>> values;
        for (const auto& [name, value] : spec().options) {
            values.emplace_back(declared(name).value_or(name), value);
            if (declared(name)) continue;
            listener().on_warning("unknown-option", "the program has no option '" +
                                                        printable_utf8(name) + "'" +
                                                        did_you_mean(name, names));
        }
        for (const auto& [name, value] : spec().options_if_any) {
            if (const auto known = declared(name)) values.emplace_back(*known, value);
        }
        state_ = State::Settling;
        send(json_options_line(spec().game, values) + json_new_line(game_));
    }

    /// The option's name as the program spells it; nullopt where it has none of that name.
    [[nodiscard]] std::optional<std::string> declared(std::string_view name) const {
        const auto& names = identity_.option_names;
        const auto found = std::find_if(names.begin(), names.end(), [name](const auto& one) {
            return equal_ignoring_case(one, name);
        });
        return found == names.end() ? std::nullopt : std::optional(*found);
    }

    void on_ready_line(Arrival arrival) {
        if (state_ != State::Settling) return;
        state_ = State::Idle;
        was_ready_ = true;
        listener().on_ready(arrival);
    }

    void on_move(const JsonMessage& message, std::string_view line, Arrival arrival) {
        if (state_ != State::Searching || !is_of_search(arrival)) {
            warn("stray-move", "no search is open for '" + shortened(line) + "'");
            return;
        }
        state_ = State::Idle;
        BestMove best;
        best.kind = message.kind;
        best.move = trim(message.move);
        best.info = &info_;
        listener().on_best_move(best, arrival);
    }

    /// Before it has once been ready the program cannot play; later it is a warning.
    void on_error(const JsonMessage& message) {
        const std::string text = "says: " + shortened(message.text);
        if (was_ready_) {
            warn("error", "the program " + text);
        } else {
            fail(GoneReason::Protocol, text);
        }
    }

    State state_ = State::Fresh;
    bool was_ready_ = false;
    GameStart game_;  // that it is started for
    SearchInfo info_;
    std::string command_;
};

std::unique_ptr<Player> make_json_player(EventLoop& loop, const ProgramSpec& spec,
                                         PlayerListener& listener, LineObserver* observer) {
    return std::make_unique<JsonPlayer>(loop, spec, listener, observer);
}

std::vector<std::string> json_script(const ProgramSpec& spec, const GameStart& game,
                                     const SearchRequest& request) {
    std::vector<std::string> lines{json_hello_line(), json_options_line(spec.game, spec.options),
                                   json_new_line(game), json_go_line(request)};
    for (std::string& line : lines) line.pop_back();
    return lines;
}

Capabilities capabilities() {
    Capabilities can;
    can.ponder = false;
    can.ping = false;
    can.multi_pv = false;
    return can;
}

}  // namespace

const Protocol& json_protocol() {
    static const Protocol protocol{{"json",
                                    "JSON lines",
                                    capabilities(),
                                    {"ready", "move", "go", "stop"},
                                    "Threads",
                                    "TreeLog"},
                                   make_json_player,
                                   json_go_line,
                                   json_script,
                                   R"("type"[[:blank:]]*:[[:blank:]]*"move")",
                                   {kStop, kQuit}};
    return protocol;
}

}  // namespace assay::adapters
