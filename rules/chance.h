#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"

namespace assay::rules {

/// How a referee draws events of chance. By both, an event has the probabilities that the rules
/// give it, whatever was drawn before.
enum class Drawing : std::uint8_t {
    Ordinal,  // the n-th event of a game by seed and n: dice
    Deal,     // hidden pieces by a deal over their places; all other events as by Ordinal
};

/// Draws the events of one game. Games with the same seed share their luck.
///
/// A deal stands in for a bag. Where a player chose among several moves with the same event behind
/// each (a covered piece is turned), and the probabilities are whole numbers over the number of
/// these moves, the outcomes are dealt to the moves: a uniform assignment that depends on the seed
/// alone. As long as the rules give the probabilities of what is left of it, it is read off, so
/// that games of one seed meet the same piece in the same place, in whatever order they ask; games
/// that began the deal with other places or other pieces, in most. Where the rules give other
/// probabilities, the deal is void and another one begins.
class ChanceSource {
public:
    ChanceSource(Drawing drawing, std::uint64_t seed) : drawing_(drawing), seed_(seed) {}

    /// The event of a position to which `last` led; kNoMove: chance moves first.
    /// REQUIRES: to_move() is kChance. The position is looked at from before `last` too, and is at
    /// the end as it was.
    [[nodiscard]] Move draw(Position& position, Move last);

private:
    struct Event {
        Move move = kNoMove;
        double probability = 0;
        std::string name;
    };

    using Counts = std::map<std::string, int, std::less<>>;  // by event's name

    [[nodiscard]] static std::vector<Event> events_of(const Position& position);
    /// By name, in order.
    [[nodiscard]] static std::vector<Event> named(const Position& position,
                                                  const std::vector<ChanceMove>& chances);
    [[nodiscard]] static bool has_events(const Position& position,
                                         const std::vector<Event>& events);
    [[nodiscard]] static std::vector<std::string> places_of(Position& before,
                                                            const std::vector<Event>& events);
    [[nodiscard]] bool has_dealt(std::string_view place, const std::vector<Event>& events) const;
    [[nodiscard]] bool deal(std::string_view place, const std::vector<std::string>& places,
                            const std::vector<Event>& events);
    void assign(const std::vector<std::string>& places);

    Drawing drawing_;
    std::uint64_t seed_;
    std::uint64_t events_ = 0;  // drawn by their number
    std::uint64_t deals_ = 0;
    std::map<std::string, std::string, std::less<>> dealt_;  // by place, the event's name
    Counts left_;                                            // how many of dealt_
};

}  // namespace assay::rules
