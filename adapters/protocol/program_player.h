#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/process/line_reader.h"
#include "adapters/process/process.h"
#include "adapters/process/reactor.h"
#include "adapters/process/recent_lines.h"
#include "adapters/protocol/player.h"

namespace assay::adapters {

/// What all line protocols share: the process, its pipes, limits, last lines, and how it ends. A
/// protocol derives, says what to send and reads lines.
class ProgramPlayer : public Player, private FdListener {
public:
    ProgramPlayer(const ProgramPlayer&) = delete;
    ProgramPlayer& operator=(const ProgramPlayer&) = delete;
    ~ProgramPlayer() override;

    void terminate() final;
    void kill() final;

    [[nodiscard]] bool is_gone() const final { return is_gone_; }

    [[nodiscard]] const Identity& identity() const final { return identity_; }

    [[nodiscard]] std::vector<std::string> last_output() const final;
    [[nodiscard]] std::vector<std::string> last_errors() const final;

    [[nodiscard]] int pid() const final { return pid_; }

    [[nodiscard]] Launch launch_state() const final;

protected:
    ProgramPlayer(EventLoop& loop, ProgramSpec spec, PlayerListener& listener,
                  LineObserver* observer);

    /// Begins to start the program; where that fails, on_gone follows.
    void launch();
    /// Writes whole lines; what the pipe does not take is queued. Returns the moment after. A new
    /// output budget begins. While the program is being started nothing is written yet: the lines
    /// are kept and written first of all when it runs, the moment returned is now, and an observer
    /// sees them when they are written.
    TimePoint send(std::string_view lines);

    /// The same of the lines that begin a search.
    TimePoint send_search(std::string_view lines) { return search_written_ = send(lines); }

    /// The moment that the last send_search() returned.
    [[nodiscard]] TimePoint search_written() const { return search_written_; }

    /// Whether what arrived can be of the last search: bytes that were here before it was written
    /// are no answer to it.
    [[nodiscard]] bool is_of_search(Arrival arrival) const {
        return arrival.stamp >= search_written_;
    }

    /// on_gone, soon; and no line is read any more.
    void fail(GoneReason reason, std::string detail);

    /// The program was asked to end: from now on no way of ending is a failure. A program that
    /// still waits in the launch queue is not started; on_gone follows soon.
    void expect_end();

    /// on_warning, unless this kind was said since the last forget_warnings(). `kind` is a literal.
    void warn(std::string_view kind, std::string_view text);

    void forget_warnings() { said_.clear(); }

    /// on_deferred(), soon: for what must not be told from within a call of the listener.
    void defer();

    /// A line of the program's standard output. The object may be destroyed by what the listener
    /// does in it: nothing of it may be touched after a call of the listener.
    virtual void on_line(std::string_view line, Arrival arrival) = 0;

    virtual void on_deferred(Arrival) {}

    /// True until the program has once been ready: then its end is NoHandshake.
    [[nodiscard]] virtual bool is_shaking_hands() const = 0;

    [[nodiscard]] const ProgramSpec& spec() const { return spec_; }

    [[nodiscard]] PlayerListener& listener() { return listener_; }

    Identity identity_;  // NOLINT(misc-non-private-member-variables-in-classes): theirs to fill

private:
    void on_bytes(int tag, std::string_view bytes, Arrival arrival) final;
    void on_event(int tag, Arrival arrival) final;

    void read_output(std::string_view bytes, Arrival arrival);
    void read_errors(std::string_view bytes, Arrival arrival);
    void on_launched(SpawnCrew::Result result);
    void signal_group(int signal);
    void flush(Arrival arrival);
    /// A pipe broke: usually the program is ending, and how is known in a moment.
    void fade(GoneReason reason, std::string detail);
    void end_of_process(const ExitStatus& status, Arrival arrival);
    /// Reads what an ended program left in its pipes; false if this object is destroyed or gone.
    [[nodiscard]] bool drain(Arrival arrival);
    /// `gone` is no member of this object, which the listener may destroy.
    void finish(const Gone& gone, Arrival arrival);
    void close_pipes();
    void observe(LineObserver::Direction direction, TimePoint when, std::string_view line);

    EventLoop::Reactor& reactor_;
    ProgramSpec spec_;
    PlayerListener& listener_;
    LineObserver* observer_;
    Child child_;
    int pid_ = 0;
    EventLoop::Reactor::Ticket self_;
    EventLoop::Reactor::Ticket in_;
    EventLoop::Reactor::Ticket out_;
    EventLoop::Reactor::Ticket err_;
    EventLoop::Reactor::Ticket process_;
    LineReader output_;
    LineReader errors_;
    RecentLines last_output_;
    RecentLines last_errors_;
    std::string unsent_;
    std::string early_;          // sent while the program is being started
    bool is_launching_ = false;  // then a signal waits, too
    SpawnCrew::Order launch_ = 0;
    std::optional<TimePoint> killed_;
    int early_signal_ = 0;
    std::size_t output_bytes_ = 0;  // since the last send()
    std::vector<std::string_view> said_;
    std::optional<Gone> pending_gone_;  // delivered at the next wake
    bool is_fading_ = false;            // pending_gone_ waits for the process's end instead
    TimePoint fade_end_{};
    TimePoint search_written_{};
    bool is_deferred_ = false;
    bool is_gone_ = false;
    bool is_end_expected_ = false;
    bool* destroyed_ = nullptr;  // set to true by the destructor
};

}  // namespace assay::adapters
