#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/process/event_loop.h"
#include "adapters/protocols.h"
#include "base/clock.h"
#include "base/text.h"

namespace assay::test {

/// How long a test waits for what must come. Only one that hangs waits so long, however busy the
/// machine is.
inline constexpr std::chrono::seconds kPatience{400};

/// One program on an event loop of its own, driven step by step; keeps all it said as text:
/// "ready", "best e2e4", "gone Exited 3: exited with code 3", "warning KIND: TEXT".
class ProgramDriver final : private adapters::PlayerListener, private adapters::LineObserver {
public:
    explicit ProgramDriver(adapters::ProgramSpec spec) : loop_(clock_) {
        if (spec.name.empty()) spec.name = "program";
        player_ = adapters::make_player(loop_, spec, *this, this);
        loop_.every(Micros(1000), [this] {
            const bool is_late = clock_.now() > end_;
            timed_out_ = timed_out_ || is_late;
            if (is_late || !is_waiting_ || is_waiting_()) loop_.stop();
        });
    }

    static adapters::ProgramSpec spec(std::vector<std::string> argv) {
        adapters::ProgramSpec result;
        result.argv = std::move(argv);
        return result;
    }

    adapters::Player& player() { return *player_; }

    adapters::EventLoop& loop() { return loop_; }

    void destroy_player() { player_.reset(); }

    /// Runs the loop until the claim holds; false after `limit`.
    bool until(std::function<bool()> claim, std::chrono::seconds limit = kPatience) {
        is_waiting_ = std::move(claim);
        end_ = clock_.now() + limit;
        timed_out_ = false;
        loop_.run();
        return !timed_out_;
    }

    /// The next event that is no warning, or "nothing" after the limit.
    std::string next(std::chrono::seconds limit = kPatience) {
        const bool came = until([this] { return read_ < events_.size(); }, limit);
        return came ? events_[read_++] : "nothing";
    }

    /// Whether nothing has happened that next() has not told of, also of what was under way.
    [[nodiscard]] bool is_settled() {
        until([] { return true; });
        return read_ == events_.size();
    }

    /// start(), then the first event.
    std::string start() {
        player_->start({});
        return next();
    }

    std::string best(const adapters::SearchRequest& request,
                     std::chrono::seconds limit = kPatience) {
        player_->go(request);
        return next(limit);
    }

    /// A search of depth 1 from the start position after `moves`.
    std::string best_after(std::string_view moves, std::chrono::seconds limit = kPatience) {
        adapters::SearchRequest request;
        request.moves = moves;
        request.depth = 1;
        return best(request, limit);
    }

    [[nodiscard]] bool was_warned(std::string_view part) const {
        return std::any_of(warnings_.begin(), warnings_.end(), [part](const std::string& text) {
            return text.find(part) != std::string::npos;
        });
    }

    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

    /// Lines as ">sent", "<said", "!stderr".
    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

    [[nodiscard]] bool has_line(std::string_view line) const {
        return std::find(lines_.begin(), lines_.end(), line) != lines_.end();
    }

    /// How many lines begin so.
    [[nodiscard]] std::ptrdiff_t lines_with(std::string_view begin) const {
        return std::count_if(lines_.begin(), lines_.end(),
                             [begin](const std::string& line) { return line.starts_with(begin); });
    }

    [[nodiscard]] const adapters::SearchInfo& info() const { return info_; }

    [[nodiscard]] const adapters::Gone& gone() const { return gone_; }

    [[nodiscard]] TimePoint go_written() const { return go_written_; }

    [[nodiscard]] TimePoint stamp() const { return arrival_.stamp; }

    std::function<void()> on_best;  // called in on_best_move, after the event was kept
    std::function<void()> on_end;   // called in on_gone
    bool keeps_lines = true;

private:
    void on_ready(adapters::Arrival arrival) override {
        arrival_ = arrival;
        events_.emplace_back("ready");
    }

    void on_best_move(const adapters::BestMove& best, adapters::Arrival arrival) override {
        arrival_ = arrival;
        info_ = *best.info;
        events_.push_back("best " + printable_utf8(best.move) +
                          (best.ponder.empty() ? "" : " ponder " + std::string(best.ponder)));
        if (on_best) on_best();
    }

    void on_gone(const adapters::Gone& gone, adapters::Arrival arrival) override {
        static constexpr std::string_view kNames[] = {
            // NOLINT(modernize-avoid-c-arrays)
            "NotStarted", "NotLaunched", "Replaced",     "NoHandshake", "Silent", "Unready",
            "Exited",     "Killed",      "ClosedOutput", "ClosedInput", "Flood",  "Protocol"};
        arrival_ = arrival;
        gone_ = gone;
        events_.push_back("gone " + std::string(kNames[static_cast<int>(gone.reason)]) + ": " +
                          gone.detail);
        if (on_end) on_end();
    }

    void on_warning(std::string_view kind, std::string_view text) override {
        warnings_.push_back(std::string(kind) + ": " + std::string(text));
    }

    void on_go_written(TimePoint when) override { go_written_ = when; }

    void on_line(std::string_view, int, Direction direction, TimePoint,
                 std::string_view line) override {
        if (!keeps_lines) return;
        const char mark = direction == Direction::ToProgram     ? '>'
                          : direction == Direction::FromProgram ? '<'
                                                                : '!';
        lines_.push_back(mark + std::string(line));
    }

    SteadyClock clock_;
    adapters::EventLoop loop_;
    std::unique_ptr<adapters::Player> player_;
    std::function<bool()> is_waiting_;
    TimePoint end_{};
    bool timed_out_ = false;
    std::size_t read_ = 0;
    std::vector<std::string> events_;
    std::vector<std::string> warnings_;
    std::vector<std::string> lines_;
    adapters::SearchInfo info_;
    adapters::Gone gone_;
    adapters::Arrival arrival_;
    TimePoint go_written_{};
};

}  // namespace assay::test
