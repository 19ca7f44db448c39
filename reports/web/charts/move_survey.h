#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/game.h"
#include "rules/game.h"

namespace assay::reports::web {

/// Seconds left after a program's n-th move, over many games.
struct ClockPoint {
    int move = 0;    // from 1, the opening's included
    double low = 0;  // 5 % of the games had less
    double median = 0;
    double high = 0;  // 5 % had more
};

/// One bar of a histogram with equal factors between its bars.
struct DelayBar {
    double from_us = 0;
    double to_us = 0;
    std::int64_t moves = 0;
};

/// How the scores of a game's programs are shown: in units of the game, cut at some value.
struct ScoreScale {
    double parts = 1;    // of a unit, in which programs report
    double most = 1000;  // a score beyond it, or a forced win, is shown as this much

    /// Of a score in a sentence: plain numbers are whole.
    [[nodiscard]] int decimals() const { return parts > 1 ? 1 : 0; }
};

/// Ten units; where the game has no unit, plain numbers up to 1000.
[[nodiscard]] ScoreScale scale_of(const rules::GameInfo& game);

/// A program's score in its own view, in units.
[[nodiscard]] std::optional<double> score_of(const harness::MoveRecord& move,
                                             const ScoreScale& scale);

/// The same as the program said it, not cut: "+35.2", "mate in 3", "mated in 2".
/// Plain numbers have no decimals.
[[nodiscard]] std::string said_score(const harness::MoveRecord& move, const ScoreScale& scale,
                                     int decimals);

/// Whether the scale cuts it.
[[nodiscard]] bool is_cut(const harness::MoveRecord& move, const ScoreScale& scale);

/// The marks by which a game stands out. Scores are in units and cut (ScoreScale), since a won game
/// is not won more by a larger score.
struct GameMarks {
    std::int64_t number = 0;
    double swing = 0;  // the largest change of one program's own score within the game
    double swing_from = 0;
    double swing_to = 0;
    std::string said_from;  // the same two scores as the program said them
    std::string said_to;
    int swing_ply = 0;  // where it had arrived, from 1
    /// The longest stretch in which the programs' scores lay a fifth of the scale apart or more.
    int disagreeing_plies = 0;
    double disagreement = 0;  // mean over the stretch
    double delay_us = 0;      // the harness's largest
    int delay_ply = 0;
};

/// Reads the moves of games one by one and keeps the figures that a page shows of all of them.
class MoveSurvey {
public:
    explicit MoveSurvey(const ScoreScale& scale = {}) : scale_(scale) {}

    [[nodiscard]] const ScoreScale& scale() const { return scale_; }

    void add(const harness::GameRecord& game);

    [[nodiscard]] std::int64_t games() const { return static_cast<std::int64_t>(marks_.size()); }

    /// By program of `between`; moves that fewer than a tenth of the games reached are left out.
    /// Empty where no clock ran.
    [[nodiscard]] std::vector<ClockPoint> clocks(std::size_t program) const;
    /// The lowest clock of the program at any move, seconds.
    [[nodiscard]] std::optional<double> least_left(std::size_t program) const;
    /// Median over the games of a program's nodes over the time booked to it.
    [[nodiscard]] std::optional<double> nodes_per_second(std::size_t program) const;
    /// Change from the first to the last third of the games of that, percent. Unset below 30 games
    /// or 30 s of measured search.
    [[nodiscard]] std::optional<double> speed_drift(std::size_t program) const;
    [[nodiscard]] std::vector<DelayBar> delays() const;

    [[nodiscard]] const std::vector<GameMarks>& marks() const { return marks_; }

private:
    /// A shorter move measures the pipe instead of the search.
    static constexpr Micros kMeasurable{1000};
    static constexpr double kLeastMeasured = 30;  // seconds
    static constexpr int kBarsPerDecade = 8;
    static constexpr std::size_t kBars = 8 * kBarsPerDecade;  // from 1 us to 100 s

    void add_move(const harness::GameRecord& game, std::size_t ply);

    ScoreScale scale_;
    std::array<std::vector<std::vector<float>>, 2> left_;  // [program][move]
    std::array<std::vector<double>, 2> speeds_;            // [program], a game each
    std::array<double, 2> measured_{};                     // seconds of such moves
    std::array<std::optional<double>, 2> least_;
    std::array<std::int64_t, kBars> bars_{};
    std::vector<GameMarks> marks_;
};

}  // namespace assay::reports::web
