#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/process/program_spec.h"
#include "adapters/protocol/protocol.h"
#include "adapters/protocol/search.h"

namespace assay::adapters {

/// Why a program is no longer there.
enum class GoneReason : std::uint8_t {
    NotStarted,    // exec failed: no such file, no permission
    NotLaunched,   // the system is out of descriptors, memory or processes: not the program's fault
    Replaced,      // not started: a file of it is not the one that was hashed
    NoHandshake,   // started but ended before the handshake was complete
    Silent,        // started and there, but the handshake was not complete within its limit
    Unready,       // the handshake was complete, and readiness for the first game did not follow
    Exited,        // by itself, exit_code set
    Killed,        // by a signal, `signal` set
    ClosedOutput,  // end of file on its standard output, process alive
    ClosedInput,   // a write failed or would block for ever
    Flood,         // more output in one search than the limit
    Protocol,      // said something that makes further play impossible (no required option)
};

struct Gone {
    GoneReason reason = GoneReason::Exited;
    int exit_code = 0;
    int signal = 0;
    std::string
        detail;  // one sentence fragment: "killed by signal 11", "No such file or directory"
};

/// Receives one player's events. Callbacks come from the event loop's thread, never from within a
/// call of the listener into the player (they are queued), so a listener may call the player
/// freely, and may destroy it in any callback but on_warning and on_info.
class PlayerListener {
public:
    virtual ~PlayerListener() = default;
    /// start() or new_game() is complete; the program waits for a position.
    virtual void on_ready(Arrival arrival) = 0;
    /// The answer to the go() that is open. Answers to none are dropped with a warning.
    virtual void on_best_move(const BestMove& best, Arrival arrival) = 0;
    /// At most once, and nothing after it. Also for a program that was asked to end: Exited or
    /// Killed.
    virtual void on_gone(const Gone& gone, Arrival arrival) = 0;
    /// Something odd that does not stop play; at most once for each kind and game.
    virtual void on_warning(std::string_view kind, std::string_view text) = 0;

    /// Only with ping_before_go: the search was written now, later than go() returned; the clock
    /// runs from here.
    virtual void on_go_written(TimePoint) {}

    /// The open search told of itself: `info` is all that it has said of its best line so far.
    virtual void on_info(const SearchInfo& info, Arrival arrival) {
        (void)info;
        (void)arrival;
    }
};

/// Sees every protocol line, for logs. `line` has no line end and may hold any byte; `pid` tells
/// the processes of one program apart.
class LineObserver {
public:
    enum class Direction : std::uint8_t { ToProgram, FromProgram, FromStderr };

    virtual ~LineObserver() = default;
    virtual void on_line(std::string_view program, int pid, Direction direction, TimePoint when,
                         std::string_view line) = 0;
};

/// An option of ProgramSpec that the program does not have, or whose value is none of it.
struct OptionFault {
    enum class Kind : std::uint8_t { Unknown, BadValue };

    Kind kind = Kind::Unknown;
    std::string name;
    std::string value;
};

/// What a program said of itself in the handshake.
struct Identity {
    std::string name;
    std::string author;
    std::vector<std::string> option_names;
    std::vector<std::string> option_values;  // by name: as the program declares it at its start
    std::vector<OptionFault> option_faults;  // known when it is ready
};

/// A program at the other end of a protocol. Decides nothing about time: the harness calls stop(),
/// quit() and kill() when it has waited enough. All calls return at once (no call blocks on the
/// program; what its pipe does not take is queued up to a limit, then the program is Gone).
/// Destroying a player kills what is left of its process group, without waiting.
class Player {
public:
    virtual ~Player() = default;
    /// A few processes are started at a time. A program still waiting in the launch queue is not
    /// at fault for the time it waits.
    enum class Launch : std::uint8_t {
        Waiting,   // others are started before it
        Starting,  // the system is starting it
        Running,   // or gone, or start() was not called
    };

    /// The protocol that it speaks.
    [[nodiscard]] virtual const ProtocolInfo& protocol() const = 0;

    /// What this program can be asked for; known in full when it is ready.
    [[nodiscard]] virtual const Capabilities& capabilities() const { return protocol().can; }

    /// Spawns, shakes hands, sets options, begins a new game; then on_ready. Once.
    virtual void start(const GameStart& game) = 0;
    /// Another new game begins; then on_ready. REQUIRES: ready.
    virtual void new_game(const GameStart& game) = 0;
    /// Begins a search; on_best_move follows. How many writes that takes is the protocol's affair.
    /// Returns the moment at which the last had returned. REQUIRES: ready and no search open.
    virtual TimePoint go(const SearchRequest& request) = 0;
    /// The ponder move was played: the open search goes on with its clock running. Only where
    /// capabilities().ponder.
    virtual TimePoint ponder_hit() = 0;
    /// Asks for an answer now; on_best_move follows. No effect if no search is open, or where
    /// capabilities().stop is false.
    virtual void stop() = 0;
    /// Asks the program to end. The harness follows with terminate() and kill() in its own time.
    virtual void quit() = 0;
    virtual void terminate() = 0;  // SIGTERM to the process group
    virtual void kill() = 0;       // SIGKILL to the process group

    /// The handshake is complete, and start() waits only for the program to be ready.
    [[nodiscard]] virtual bool has_shaken_hands() const { return false; }

    /// True from on_gone on. What was left of the process group has been killed then.
    [[nodiscard]] virtual bool is_gone() const = 0;
    [[nodiscard]] virtual const Identity& identity() const = 0;
    /// The newest lines (at most 20 each) of standard output and of stderr, as printable text.
    [[nodiscard]] virtual std::vector<std::string> last_output() const = 0;
    [[nodiscard]] virtual std::vector<std::string> last_errors() const = 0;
    /// The last commands sent that a person needs to see the position again.
    [[nodiscard]] virtual std::string last_command() const = 0;
    [[nodiscard]] virtual int pid() const = 0;  // 0 until it runs

    [[nodiscard]] virtual Launch launch_state() const { return Launch::Running; }
};

}  // namespace assay::adapters
