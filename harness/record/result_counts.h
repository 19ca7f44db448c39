#pragma once
#include <cstdint>

namespace assay::harness {

/// Results of the first program of a match against the second, in games and in pairs, as other
/// runners count them: a pair of two draws apart from one of a win and a loss.
struct ResultCounts {
    std::int64_t wins = 0;
    std::int64_t losses = 0;
    std::int64_t draws = 0;
    std::int64_t pairs_ww = 0;
    std::int64_t pairs_wd = 0;
    std::int64_t pairs_wl = 0;
    std::int64_t pairs_dd = 0;
    std::int64_t pairs_ld = 0;
    std::int64_t pairs_ll = 0;

    [[nodiscard]] std::int64_t games() const { return wins + losses + draws; }

    [[nodiscard]] std::int64_t pairs() const {
        return pairs_ww + pairs_wd + pairs_wl + pairs_dd + pairs_ld + pairs_ll;
    }

    /// One game, in half points of the first program: 0, 1 or 2.
    void add_game(int half_points) {
        ++(half_points == 2 ? wins : half_points == 1 ? draws : losses);
    }

    /// Both games of a pair, and the pair.
    void add_pair(int first, int second) {
        add_game(first);
        add_game(second);
        const bool has_draw = first == 1 || second == 1;
        switch (first + second) {
            case 0:
                ++pairs_ll;
                break;
            case 1:
                ++pairs_ld;
                break;
            case 2:
                ++(has_draw ? pairs_dd : pairs_wl);
                break;
            case 3:
                ++pairs_wd;
                break;
            default:
                ++pairs_ww;
                break;
        }
    }

    friend bool operator==(const ResultCounts&, const ResultCounts&) = default;
};

}  // namespace assay::harness
