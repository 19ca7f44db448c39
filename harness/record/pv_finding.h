#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/check/pv_check.h"

namespace assay::harness {

using adapters::kPvFlaws;
using adapters::PvFlaw;

/// Stored: "illegal_move", "after_win" …
[[nodiscard]] std::string_view name_of(PvFlaw flaw);
[[nodiscard]] std::optional<PvFlaw> pv_flaw_of(std::string_view name);

/// One flaw of one line, with what is needed to see it again.
struct PvFinding {
    PvFlaw flaw = PvFlaw::IllegalMove;
    std::size_t match = 0;  // of the run's plan; not stored
    int program = 0;        // of `between`
    int player = 0;         // that it was
    std::int64_t game = 0;  // GameRecord::number
    int ply = 0;            // moves made in the game before it was said, the opening's included
    std::string move;   // of the line, or OtherMove: that was played; empty: the line as a whole
    std::string line;   // as it was said; what is not printable is escaped
    std::string start;  // the position's text where the game began; empty: the game's start
    std::string moves;  // that led from there to the position, as the program writes moves
    // Of MateSign: moves to mate by this program and by the other, and what the other had said.
    int mate = 0;
    int other_mate = 0;
    std::string other_line;

    friend bool operator==(const PvFinding&, const PvFinding&) = default;
};

/// An example as JSON, for the store and for reports.
[[nodiscard]] std::string to_json(const PvFinding& finding);
/// nullopt where the text is none.
[[nodiscard]] std::optional<PvFinding> pv_finding_of(std::string_view json);

/// Flaws of one kind in the lines of one program in one game.
struct PvCount {
    PvFlaw flaw = PvFlaw::IllegalMove;
    int program = 0;
    std::int64_t count = 0;
    std::optional<PvFinding> example;  // the first; unset where enough are known

    friend bool operator==(const PvCount&, const PvCount&) = default;
};

/// Counts `finding` among those of its game.
void count_pv_finding(std::vector<PvCount>& counts, const PvFinding& finding);

/// The flaws of a match, by program and kind.
class PvSummary {
public:
    static constexpr std::size_t kMostExamples = 3;  // of a program and a kind

    struct Row {
        std::int64_t count = 0;
        std::int64_t games = 0;
        std::vector<PvFinding> examples;  // the first ones
    };

    /// Of one game. Examples of which enough are known are taken out of `counts`.
    void add(std::vector<PvCount>& counts);
    void add(int program, PvFlaw flaw, const Row& row);

    /// REQUIRES: program is 0 or more. All zero where there is nothing.
    [[nodiscard]] const Row& row(int program, PvFlaw flaw) const;

    [[nodiscard]] std::int64_t count_of(int program) const;

    [[nodiscard]] bool is_empty() const { return rows_.empty(); }

private:
    [[nodiscard]] Row& row_of(int program, PvFlaw flaw);

    std::vector<std::array<Row, kPvFlaws>> rows_;  // by program
};

}  // namespace assay::harness
