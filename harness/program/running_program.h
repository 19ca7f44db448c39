#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "adapters/protocol/player.h"
#include "base/clock.h"
#include "harness/program/shutdown_queue.h"

namespace assay::harness {

class RunningProgram;

/// What a running program tells its owner.
class ProgramEvents {
public:
    virtual ~ProgramEvents() = default;
    /// prepare() is complete.
    virtual void on_program_ready(RunningProgram& running) = 0;
    virtual void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                                 adapters::Arrival arrival) = 0;
    /// The search of a program that is asked for readiness first was written only now; its clock
    /// runs from here.
    virtual void on_program_go_written(RunningProgram& running, TimePoint when) = 0;
    /// The process is gone or has been given up; there is none now. `started`: it had completed its
    /// handshake. `is_stall`: it is there but does not answer. Where gone.reason is Replaced, its
    /// file is another one, and nothing can be played with it.
    virtual void on_program_failed(RunningProgram& running, const adapters::Gone& gone,
                                   bool started, bool is_stall) = 0;
    /// The system did not make the process run, or not within its limit, which is no fault of the
    /// program. It is started once more in a moment. `why`: a sentence fragment.
    virtual void on_program_relaunch(RunningProgram& running, const std::string& why) = 0;
    /// The same twice in a row; there is no process now and none is started.
    virtual void on_program_not_launched(RunningProgram& running, const std::string& why) = 0;
    /// The game is over and the program did not answer `stop` (gone.reason is Protocol; an empty
    /// detail: its protocol knows no stop), or ended instead; there is no process now. False where
    /// the match has ended by that.
    [[nodiscard]] virtual bool on_program_hung(RunningProgram& running,
                                               const adapters::Gone& gone) = 0;
    virtual void on_program_warning(RunningProgram& running, std::string_view kind,
                                    std::string_view text) = 0;

    /// The open search told of itself; see adapters::PlayerListener::on_info.
    virtual void on_program_info(RunningProgram& running, const adapters::SearchInfo& info,
                                 adapters::Arrival arrival) {
        (void)running;
        (void)info;
        (void)arrival;
    }
};

using PlayerFactory = std::function<std::unique_ptr<adapters::Player>(const adapters::ProgramSpec&,
                                                                      adapters::PlayerListener&)>;

/// Drives one program under deadlines, process after process: starts it, keeps it from game to
/// game, ends a search that nobody wants any more, and replaces a process that failed. The only
/// driver of programs in the harness; matches, suites and the book builder each own some.
///
/// A start that the system refuses (no descriptors, memory or processes left) is no fault of the
/// program: what is lacking may be there a moment later, so that it is repeated once. One thread.
class RunningProgram final {
public:
    /// From a start that the system refused to the next.
    static constexpr Micros kRelaunchAfter{1'000'000};
    /// The system has so long to make a program run, however short the program's own limit is.
    static constexpr Micros kLeastLaunch{1'000'000};

    struct Limits {
        /// From the moment the program runs to readiness; and for the system to make it run,
        /// from the moment its turn has come (kLeastLaunch at least).
        Micros start{std::chrono::seconds(10)};
        Micros ready{std::chrono::seconds(10)};  // for a new game
        Micros drain{std::chrono::seconds(1)};   // from stop to the answer
        /// Readiness for the first game has this long from the end of the handshake, whatever is
        /// left of `start`; unset: it is part of `start`.
        std::optional<Micros> first_ready;
    };

    RunningProgram(int program, const adapters::ProgramSpec& spec, const PlayerFactory& factory,
                   const Clock& clock, ShutdownQueue& shutdown_queue, const Limits& limits,
                   ProgramEvents& owner);
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    [[nodiscard]] int program() const { return program_; }

    [[nodiscard]] const adapters::ProgramSpec& spec() const { return spec_; }

    /// From now on `owner` is told of it, under this number.
    void assign(int program, ProgramEvents& owner) {
        program_ = program;
        owner_ = &owner;
    }

    /// Makes the program ready for a new game; on_program_ready follows.
    void prepare(const adapters::GameStart& game);
    /// The same for the game that was asked for last.
    void prepare();

    /// It waits in the launch queue.
    [[nodiscard]] bool is_waiting_for_launch() const {
        return state_ == State::Starting && launch_ == adapters::Player::Launch::Waiting;
    }

    /// How often a start made progress; for LaunchTimer.
    [[nodiscard]] std::uint64_t launch_steps() const { return launch_steps_; }

    [[nodiscard]] bool is_ready() const { return state_ == State::Ready; }

    /// The wall limit of its last search was over before its answer.
    [[nodiscard]] bool was_stopped() const { return was_stopped_; }

    [[nodiscard]] bool is_draining() const { return state_ == State::Draining; }

    [[nodiscard]] bool is_pondering() const { return state_ == State::Pondering; }

    /// REQUIRES: is_ready(). Returns when the write had returned; where the program is pinged
    /// first, that was the ping's, and on_program_go_written follows.
    TimePoint go(const adapters::SearchRequest& request);
    /// The same with a limit: when it is over the program is told to stop, and fails as a stall if
    /// no answer follows within limits.drain.
    TimePoint go(const adapters::SearchRequest& request, Micros wall);
    /// The move that is pondered on was played. REQUIRES: is_pondering().
    TimePoint ponder_hit();
    /// Another move was played: the pondering is stopped, its answer is dropped, and
    /// on_program_ready follows. REQUIRES: is_pondering().
    void ponder_miss();
    /// Tells it to move now. No effect unless it is thinking.
    void stop();
    /// The game is over: an open search is stopped and its answer is dropped. A program that cannot
    /// be stopped is replaced.
    void end_game();
    /// Abandons the process and kills it.
    void replace();
    /// Asks the process to end: see ShutdownQueue::take().
    void dismiss(Micros grace, std::optional<Micros> term_grace = std::nullopt);

    void tick(TimePoint now);

    /// Null where there is no process.
    [[nodiscard]] const adapters::Player* player() const { return link_.player.get(); }

    [[nodiscard]] bool ever_started() const { return ever_started_; }

    /// The process that is here, or was here last, has been asked for a move.
    [[nodiscard]] bool has_played() const { return has_played_; }

    /// The last lines and the last command of the program, also after it has gone.
    [[nodiscard]] const std::string& last_words() const { return last_words_; }

    [[nodiscard]] const std::string& last_command() const { return last_command_; }

    void remember_words();

private:
    enum class State {
        Empty,      // no process
        Starting,   // handshake and its first new game
        Preparing,  // new_game, readiness awaited
        Ready,
        Thinking,
        Pondering,
        Draining,  // stop sent, the answer will be thrown away
    };

    class Listener;

    void launch();
    /// Of the state of its launch.
    [[nodiscard]] Micros start_limit() const;
    void on_ready();
    void on_best_move(const adapters::BestMove& best, adapters::Arrival arrival);
    void on_gone(const adapters::Gone& gone);
    [[nodiscard]] ProgramLink take_link();

    [[nodiscard]] adapters::Player& here() { return *link_.player; }

    [[nodiscard]] const adapters::ProtocolWords& words() const {
        return link_.player->protocol().words;
    }

    void fail(const adapters::Gone& gone, bool is_stall);
    void fail_to_launch(const std::string& why);
    void watch_launch(TimePoint now);
    void watch_handshake(TimePoint now);
    void on_overdue(TimePoint now);
    void on_search_overdue(TimePoint now);
    void after_drain();
    void end_drain(const adapters::Gone& gone);

    int program_;
    adapters::ProgramSpec spec_;
    const PlayerFactory& factory_;
    const Clock& clock_;
    ShutdownQueue& shutdown_queue_;
    Limits limits_;
    ProgramEvents* owner_;
    adapters::GameStart game_;  // that it is prepared for
    ProgramLink link_;
    Listener* listener_ = nullptr;  // the link's
    State state_ = State::Empty;
    TimePoint deadline_{};
    adapters::Player::Launch launch_{};  // of a program that is Starting, as last seen
    std::uint64_t launch_steps_ = 0;
    bool has_shaken_hands_ = false;         // as last seen of a program that is Starting
    bool was_not_launched_ = false;         // the last start, by the system's fault
    std::optional<TimePoint> relaunch_at_;  // no process until then
    std::optional<Micros> wall_;            // of the open search
    bool was_stopped_ = false;              // at its wall limit
    bool wanted_ = false;                   // prepare() waits for the drain
    bool resume_after_drain_ = false;       // a ponder miss: ready again without a new game
    bool started_ = false;                  // this process has completed its handshake
    bool ever_started_ = false;             // one process here has
    bool has_played_ = false;
    std::string last_words_;
    std::string last_command_;
};

}  // namespace assay::harness
