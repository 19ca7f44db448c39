#include "engines/uci/uci_go.h"

#include <algorithm>
#include <chrono>

#include "base/text.h"

namespace assay::engines {

namespace {

Micros from_ms(long long ms) {
    constexpr long long kLongest = 1'000'000'000;  // eleven days
    return std::chrono::milliseconds(std::clamp(ms, -kLongest, kLongest));
}

/// Applies one word of `go` and its number. False if the word is not a limit.
bool read_limit(GoCommand& go, std::string_view word, long long number) {
    const auto small = static_cast<int>(std::clamp<long long>(number, 0, 1'000'000));
    if (word == "wtime") {
        go.white.left = from_ms(number);
    } else if (word == "btime") {
        go.black.left = from_ms(number);
    } else if (word == "winc") {
        go.white.increment = from_ms(std::max(number, 0LL));
    } else if (word == "binc") {
        go.black.increment = from_ms(std::max(number, 0LL));
    } else if (word == "movestogo") {
        go.white.moves_to_go = go.black.moves_to_go = small;
    } else if (word == "movetime") {
        go.white.move_time = go.black.move_time = from_ms(number);
    } else if (word == "depth") {
        go.limits.depth = std::max(small, 1);
    } else if (word == "nodes") {
        go.limits.nodes = static_cast<std::uint64_t>(std::max(number, 1LL));
    } else if (word == "mate") {
        go.limits.mate = small;
    } else {
        return false;
    }
    return true;
}

}  // namespace

/// In moves of the player: in some games who moves loses by it, or wins by the other's move.
std::string score_text(int value) {
    if (value >= kSureWin) return "mate " + std::to_string((kWin - value + 1) / 2);
    if (value <= -kSureWin) return "mate -" + std::to_string((kWin + value + 1) / 2);
    return "cp " + std::to_string(value);
}

GoCommand read_go(std::string_view text, const rules::Position& position) {
    GoCommand go;
    std::string_view word = take_word(text);
    while (!word.empty()) {
        if (word == "ponder") go.ponders = true;
        if (word == "infinite") go.infinite = true;
        if (word == "searchmoves") {
            word = take_word(text);
            while (const auto move = position.move_of(word, rules::Notation::Canonical)) {
                go.limits.only.push_back(*move);
                word = take_word(text);
            }
            continue;
        }
        std::string_view after = text;
        const auto number = to_number<long long>(take_word(after));
        const bool is_limit = read_limit(go, word, number.value_or(1));
        if (is_limit && number) text = after;
        if (is_limit && !number) {
            go.wrong.push_back(std::string(word) + " needs a whole number: 1 is used");
        }
        word = take_word(text);
    }
    // A mate in N moves is 2 N - 1 plies deep.
    if (go.limits.mate > 0) go.limits.depth = std::min(go.limits.depth, 2 * go.limits.mate);
    for (ClockTold* const clock : {&go.white, &go.black}) {
        const bool is_idle = !clock->left && !clock->move_time;
        if (is_idle && clock->increment > Micros(0)) clock->left = clock->increment;
    }
    return go;
}

}  // namespace assay::engines
