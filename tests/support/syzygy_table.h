#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::test {

/// King and queen against king, solved by looking at every position.
class QueenEnding {
public:
    QueenEnding();

    /// A legal position: the kings and the queen on these squares (a1 is 0), White or Black to
    /// move.
    [[nodiscard]] static bool is_legal(int king, int queen, int bare_king, bool is_white);

    /// White wins; otherwise it is drawn. REQUIRES: is_legal().
    [[nodiscard]] bool is_won(int king, int queen, int bare_king, bool is_white) const;

private:
    [[nodiscard]] bool is_lost_by_move(int king, int queen, int bare_king) const;
    [[nodiscard]] bool is_won_by_move(int king, int queen, int bare_king) const;

    std::vector<bool> won_;  // by side to move and squares
};

/// The bytes of KQvK.rtbw, a table of Syzygy: the test-side maker of the smallest real table.
[[nodiscard]] std::string queen_table(const QueenEnding& ending);

}  // namespace assay::test
