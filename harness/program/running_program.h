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

/// What a program tells its slot.
class ProgramEvents {
public:
    virtual ~ProgramEvents() = default;
    /// prepare() is complete.
    virtual void on_program_ready(RunningProgram& running) = 0;
    virtual void on_program_move(RunningProgram& running, const adapters::BestMove& best,
                                 adapters::Arrival arrival) = 0;
    /// The go of a program that is pinged before was written only now; its clock runs from here.
    virtual void on_program_go_written(RunningProgram& running, TimePoint when) = 0;
    /// The program is gone or has been given up; the program is empty. `started`: it had completed
    /// its handshake.
    virtual void on_program_failed(RunningProgram& running, const adapters::Gone& gone,
                                   bool started, bool is_stall) = 0;
    /// The system did not make the program run, or not within its limit; the program is empty. No
    /// fault of the program. `why`: a sentence fragment.
    virtual void on_program_not_launched(RunningProgram& running, const std::string& why) = 0;
    /// The game is over and the program did not answer `stop`, or ended instead; the program is
    /// empty. False where the match has ended by that.
    [[nodiscard]] virtual bool on_program_hung(RunningProgram& running) = 0;
    virtual void on_program_warning(RunningProgram& running, std::string_view kind,
                                    std::string_view text) = 0;
};

using PlayerFactory = std::function<std::unique_ptr<adapters::Player>(const adapters::ProgramSpec&,
                                                                      adapters::PlayerListener&)>;

/// One program's chair in a slot: starts the program, keeps it over games, gets it out of a search
/// that nobody wants any more, and replaces it when it failed. One thread.
class RunningProgram final {
public:
    struct Limits {
        /// From the moment the program runs to readiness; and for the system to make it run,
        /// from the moment its turn has come.
        Micros start{std::chrono::seconds(10)};
        Micros ready{std::chrono::seconds(10)};  // from ucinewgame/isready to readyok
        Micros drain{std::chrono::seconds(1)};   // from stop to bestmove
    };

    RunningProgram(int program, const adapters::ProgramSpec& spec, const PlayerFactory& factory,
                   const Clock& clock, ShutdownQueue& shutdown_queue, const Limits& limits,
                   ProgramEvents& owner);
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    [[nodiscard]] int program() const { return program_; }

    /// Makes the program ready for a new game; on_program_ready follows.
    void prepare();

    /// Its program is to be started when others have been.
    [[nodiscard]] bool is_waiting_for_launch() const {
        return state_ == State::Starting && launch_ == adapters::Player::Launch::Waiting;
    }

    /// How often a start here was seen to get on.
    [[nodiscard]] std::uint64_t launch_steps() const { return launch_steps_; }

    [[nodiscard]] bool is_ready() const { return state_ == State::Ready; }

    [[nodiscard]] bool is_thinking() const { return state_ == State::Thinking; }

    [[nodiscard]] bool is_draining() const { return state_ == State::Draining; }

    [[nodiscard]] bool is_pondering() const { return state_ == State::Pondering; }

    /// REQUIRES: is_ready(). Returns when the write had returned; where the program is pinged
    /// first, that was the ping's, and on_program_go_written follows.
    TimePoint go(const adapters::SearchRequest& request);
    /// The move that is pondered on was played. REQUIRES: is_pondering().
    TimePoint ponder_hit();
    /// Another move was played: the pondering is stopped, its answer thrown away, and
    /// on_program_ready follows. REQUIRES: is_pondering().
    void ponder_miss();
    /// Its wall limit is over: asked to move now. REQUIRES: is_thinking().
    void stop();
    /// The game is over: an open search is stopped and its answer thrown away.
    void end_game();
    /// Gives the program up and kills it; the program is empty.
    void replace();
    /// The program ends in its own time.
    void dismiss(Micros grace);

    void tick(TimePoint now);

    /// Null where the program is empty.
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
        Empty,      // no program
        Starting,   // handshake and its first new game
        Preparing,  // new_game, readyok awaited
        Ready,
        Thinking,
        Pondering,
        Draining,  // stop sent, the answer will be thrown away
    };

    class Ear;

    void on_ready();
    void on_best_move(const adapters::BestMove& best, adapters::Arrival arrival);
    void on_gone(const adapters::Gone& gone);
    [[nodiscard]] ProgramLink take_link();

    [[nodiscard]] adapters::Player& here() { return *link_.player; }

    void fail(const adapters::Gone& gone, bool is_stall);
    void watch_launch(TimePoint now);
    void after_drain();

    int program_;
    adapters::ProgramSpec spec_;
    const PlayerFactory& factory_;
    const Clock& clock_;
    ShutdownQueue& shutdown_queue_;
    Limits limits_;
    ProgramEvents& owner_;
    ProgramLink link_;
    Ear* ear_ = nullptr;  // the link's listener
    State state_ = State::Empty;
    TimePoint deadline_{};
    adapters::Player::Launch launch_{};  // of a program that is Starting, as last seen
    std::uint64_t launch_steps_ = 0;
    bool wanted_ = false;              // prepare() waits for the drain
    bool resume_after_drain_ = false;  // a ponder miss: ready again without a new game
    bool started_ = false;             // this process has completed its handshake
    bool ever_started_ = false;        // one process here has
    bool has_played_ = false;
    std::string last_words_;
    std::string last_command_;
};

}  // namespace assay::harness
