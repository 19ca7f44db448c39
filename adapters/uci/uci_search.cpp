// Fields of `go` are in whole milliseconds and rounded down, so that a program never believes in
// time that it does not have. UCI knows two players and no byoyomi; how they are told to it is said
// where they are written.
#include "adapters/uci/uci_search.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace assay::adapters {

namespace {

constexpr Micros kLeastIncrement{
    1000};  // a shorter increment is not told: it would be read as more

template <class Number>
void add(std::string& out, std::string_view key, Number value) {
    std::array<char, 24> digits;  // NOLINT(cppcoreguidelines-pro-type-member-init): written next
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    static_cast<void>(error);  // 24 digits hold any 64-bit number
    out.append(key).append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

// Rounded down, so that a program never believes in time it does not have; 0 and less would be
// read as "no clock".
std::int64_t at_least_1_ms(Micros time) {
    return std::max<std::int64_t>(1, std::chrono::floor<std::chrono::milliseconds>(time).count());
}

// UCI has no byoyomi. Time that comes back with every move is what an increment is, and as part of
// the clock it bounds this move rightly.
void add_clocks(std::string& out, const SearchRequest& request) {
    // The protocol has two players. In a game of more, the second clock is that of the mover, or
    // of the player after the first one.
    const auto second = static_cast<std::size_t>(std::max(request.player, 1));
    ClockSide white = request.clocks.front();
    ClockSide black = request.clocks[std::min(second, request.clocks.size() - 1)];
    if (request.byoyomi) {
        ClockSide& mover = request.player == 0 ? white : black;
        mover.left += *request.byoyomi;
        mover.increment += *request.byoyomi;
    }
    add(out, " wtime ", at_least_1_ms(white.left));
    add(out, " btime ", at_least_1_ms(black.left));
    if (white.increment >= kLeastIncrement) add(out, " winc ", at_least_1_ms(white.increment));
    if (black.increment >= kLeastIncrement) add(out, " binc ", at_least_1_ms(black.increment));
    if (request.moves_to_go) add(out, " movestogo ", *request.moves_to_go);
}

}  // namespace

void compose_search(std::string& out, const SearchRequest& request) {
    out.assign("position ");
    if (request.start.empty()) {
        out += "startpos";
    } else {
        out.append("fen ").append(request.start);
    }
    if (!request.moves.empty()) out.append(" moves ").append(request.moves);
    out += "\ngo";
    const std::size_t bare = out.size();
    if (request.ponder) out += " ponder";
    const std::size_t unlimited = out.size();
    if (!request.clocks.empty()) add_clocks(out, request);
    if (request.move_time) add(out, " movetime ", at_least_1_ms(*request.move_time));
    if (request.byoyomi && request.clocks.empty()) {
        add(out, " movetime ", at_least_1_ms(*request.byoyomi));
    }
    if (request.nodes) add(out, " nodes ", *request.nodes);
    if (request.depth) add(out, " depth ", *request.depth);
    if (request.mate) add(out, " mate ", *request.mate);
    if (request.infinite || (out.size() == unlimited && unlimited == bare)) out += " infinite";
    if (!request.search_moves.empty()) {
        out += " searchmoves";
        for (const std::string& move : request.search_moves) out.append(" ").append(move);
    }
    out += '\n';
}

}  // namespace assay::adapters
