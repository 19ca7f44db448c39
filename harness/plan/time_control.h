#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace assay::harness {

/// One period of a game's clock: `moves` moves in `time`, plus `increment` after each move.
struct Period {
    int moves = 0;  // 0: all that remain
    Micros time{0};
    Micros increment{0};

    friend bool operator==(const Period&, const Period&) = default;
};

/// How long one side may think. The kinds differ in what ends a move:
/// - Clock: periods one after the other, the last one again and again; its time is added when a
///   period begins, the increment before the first move and after each one.
/// - MoveTime: `move_time` a move.  - Nodes, Depth, Infinite: until the program answers; at
///   `wall_limit` it is told to stop and has one second more.
/// - Hourglass: what one side uses is given to the other.
/// - Byoyomi: `main`, then `byoyomi_periods` periods of `byoyomi`; a move within the period keeps
/// it.
/// - Canadian: `main`, then `stones` moves in every `byoyomi`.
struct TimeControl {
    enum class Kind : std::uint8_t {
        Clock,
        MoveTime,
        Nodes,
        Depth,
        Infinite,
        Hourglass,
        Byoyomi,
        Canadian
    };

    Kind kind = Kind::Clock;
    std::vector<Period> periods;
    Micros move_time{0};
    std::uint64_t nodes = 0;  // of Nodes; of Clock and Depth a limit beside it where it is not 0
    int depth = 0;            // of Depth; of Clock and Nodes likewise
    Micros main{0};
    Micros byoyomi{0};
    int byoyomi_periods = 1;
    int stones = 0;
    Micros margin{0};  // an overrun up to this is forgiven and the clock is set to 0
    Micros wall_limit{std::chrono::seconds(60)};

    /// Nodes, Depth: wall time decides nothing, so the game can be repeated exactly.
    [[nodiscard]] bool is_deterministic() const {
        return kind == Kind::Nodes || kind == Kind::Depth;
    }

    friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

/// The words of a time control that is no clock of periods; none may name a program.
inline constexpr std::array<std::string_view, 9> kClockWords{
    "move", "nodes", "depth", "infinite", "hourglass", "main", "byoyomi", "periods", "stones"};

/// Reads what users write: `8+0.08`, `40/60`, `40/1:30+0.5`, `1:30:00+30`, `5` (sudden death),
/// `inf`/`infinite`, times with units (`100ms`, `8s`, `2min`, `1h30m`); several periods separated
/// by commas; and pairs of a clock word and its value (`nodes 20000`, `move=100ms`,
/// `main 600 byoyomi 30 periods 3`). A bare number is seconds. nullopt, with a reason in `why`,
/// where it cannot be read; zero time without increment is refused, `0+5` is allowed.
[[nodiscard]] std::optional<TimeControl> parse_time_control(std::string_view text,
                                                            std::string& why);

/// "; assay says …" where the word, perhaps with digits behind it, is how another runner names a
/// time control (`st`, `movetime`, `hg360`); else empty.
[[nodiscard]] std::string foreign_clock_advice(std::string_view word);

/// A clock word with its value as text.
using ClockWord = std::pair<std::string, std::string>;

/// The same from clock words alone. Where they do not go together, nullopt with the reason in
/// `why` and in `wrong` the index of the pair at fault.
[[nodiscard]] std::optional<TimeControl> time_control_of(std::span<const ClockWord> words,
                                                         std::size_t& wrong, std::string& why);

/// A duration with a unit (`100ms`, `8s`, `2min`, `1h`, `1h30m`, `1:30`) or, if `bare_seconds`, a
/// bare number of seconds. From 0 to 10^6 hours; finer than a microsecond is rounded to the
/// nearest.
[[nodiscard]] std::optional<Micros> parse_duration(std::string_view text, bool bare_seconds);

/// Seconds with as many decimals as they need, at most six: "0.08".
[[nodiscard]] std::string seconds_text(Micros time);

/// Its moves, if it has such, its seconds and its increment: "40/60", "10+0.1".
[[nodiscard]] std::string to_text(const Period& period);

/// The shortest text that parse_time_control reads back (margin and wall limit apart).
[[nodiscard]] std::string to_text(const TimeControl& control);

/// "8s", "100ms", "1:30" and so on; reads back by parse_duration.
[[nodiscard]] std::string duration_text(Micros duration);

}  // namespace assay::harness
