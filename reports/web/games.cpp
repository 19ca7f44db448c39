#include "reports/web/games.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "reports/plot/scale.h"
#include "reports/view/number_text.h"
#include "reports/view/run_view.h"
#include "rules/game.h"

namespace assay::reports::web {

namespace {

using harness::GameDigest;
using harness::GameRecord;
using harness::MatchTally;
using harness::PairDigest;
using harness::RunRecord;
using harness::Termination;

constexpr std::size_t kMostFailures = 40;
constexpr double kLeastSwing = 0.3;    // of the scale of scores
constexpr double kEqual = 0.03;        // of the same
constexpr int kLeastDisagreement = 8;  // plies
constexpr double kLeastDelay = 1000;   // us

/// Collects games, each once, with the marks that the survey gave them.
class Collector {
public:
    Collector(const MoveSurvey& survey, const GameReader& read) : survey_(survey), read_(read) {}

    /// False where the game is in already or gone.
    bool add(std::int64_t number, std::string kind, std::string why) {
        if (taken_.contains(number)) return false;
        std::optional<GameRecord> game = read_(number);
        if (!game) return false;
        taken_.insert(number);
        GameOfInterest one{std::move(*game), std::move(kind), std::move(why), std::nullopt};
        const auto at = std::ranges::find(survey_.marks(), number, &GameMarks::number);
        if (at != survey_.marks().end()) one.marks = *at;
        games_.push_back(std::move(one));
        return true;
    }

    [[nodiscard]] const ScoreScale& scale() const { return survey_.scale(); }

    [[nodiscard]] GameOfInterest& last() { return games_.back(); }

    [[nodiscard]] std::vector<GameOfInterest> take() { return std::move(games_); }

private:
    const MoveSurvey& survey_;
    const GameReader& read_;
    std::set<std::int64_t> taken_;
    std::vector<GameOfInterest> games_;
};

/// " pawns"; empty where the game has no unit of scores, or its rules are not known.
std::string units_of(const MatchTally& tally) {
    try {
        const std::string units = score_units(harness::game_of(tally.plan())->info());
        return units.empty() ? "" : " " + units;
    } catch (const Error&) {
        return "";
    }
}

/// ", 1.5 pawns ahead": the last score that the failed program reported; empty where it reported
/// none.
std::string standing_of(const GameRecord& game, const ScoreScale& scale, const std::string& units) {
    for (std::size_t i = game.moves.size(); i-- > 0;) {
        if (game.moves[i].player != game.guilty) continue;
        const std::optional<double> score = score_of(game.moves[i], scale);
        if (!score) return "";
        if (std::abs(*score) < kEqual * scale.most) return ", about equal";
        return fmt::format(", {}{} {}",
                           plot::number_text(std::abs(*score), scale.decimals(), false), units,
                           *score > 0 ? "ahead" : "behind");
    }
    return "";
}

void add_failures(Collector& games, const RunRecord& run, const MatchTally& tally,
                  const std::vector<PairDigest>& pairs) {
    std::size_t count = 0;
    for (const PairDigest& pair : pairs) {
        for (std::size_t i = 0; i < 2 && count < kMostFailures; ++i) {
            const GameDigest& game = pair.games[i];
            if (game.guilty < 0 || harness::is_replaced(pair.state)) continue;
            if (!games.add(game.number, std::string(harness::name_of(game.termination)), ""))
                continue;
            ++count;
            const auto program =
                static_cast<std::size_t>(game.program[static_cast<std::size_t>(game.guilty)]);
            games.last().why = program_name(run, tally.plan(), program) + " " +
                               ended_text(game.termination) +
                               standing_of(games.last().game, games.scale(), units_of(tally));
        }
    }
}

void add_from_survey(Collector& games, const MoveSurvey& survey, const std::string& units) {
    std::vector<GameMarks> marks = survey.marks();
    std::ranges::stable_sort(marks, std::greater{}, &GameMarks::swing);
    int taken = 0;
    for (const GameMarks& mark : marks) {
        if (mark.swing < kLeastSwing * survey.scale().most || taken == 8) break;
        taken +=
            games.add(mark.number, "swing",
                      fmt::format("{}: {} to {} at ply {}", taken == 0 ? "largest swing" : "swing",
                                  mark.said_from, mark.said_to, mark.swing_ply));
    }
    std::ranges::stable_sort(marks, std::greater{}, &GameMarks::disagreeing_plies);
    taken = 0;
    for (const GameMarks& mark : marks) {
        if (mark.disagreeing_plies < kLeastDisagreement || taken == 4) break;
        taken += games.add(
            mark.number, "disagreement",
            fmt::format("the two disagree by {}{} for {} plies",
                        plot::number_text(mark.disagreement, survey.scale().decimals(), false),
                        units, mark.disagreeing_plies));
    }
    const auto slowest = std::ranges::max_element(marks, {}, &GameMarks::delay_us);
    if (slowest != marks.end() && slowest->delay_us >= kLeastDelay) {
        games.add(slowest->number, "delay",
                  fmt::format("the harness was {} late at ply {}", milliseconds(slowest->delay_us),
                              slowest->delay_ply));
    }
}

/// A game's number with what it is sorted by.
struct Sized {
    int plies = 0;
    std::int64_t number = 0;

    friend auto operator<=>(const Sized&, const Sized&) = default;
};

void add_extremes(Collector& games, const RunRecord& run, const MatchTally& tally,
                  const std::vector<PairDigest>& pairs) {
    std::array<std::vector<Sized>, 2> wins;
    Sized longest;
    Sized last;
    for (const PairDigest& pair : pairs) {
        if (pair.state != harness::PairState::Counted) continue;
        for (std::size_t i = 0; i < 2; ++i) {
            const GameDigest& game = pair.games[i];
            const Sized one{game.plies, game.number};
            longest = std::max(longest, one);
            last = one;
            if (game.guilty >= 0) continue;
            for (const std::size_t player : std::array<std::size_t, 2>{0, 1})
                if (game.scores[player] == 1)
                    wins[static_cast<std::size_t>(game.program[player])].push_back(one);
        }
    }
    for (std::size_t program = 0; program < 2; ++program) {
        std::ranges::sort(wins[program]);
        for (std::size_t i = 0; i < std::min<std::size_t>(3, wins[program].size()); ++i)
            games.add(wins[program][i].number, "short",
                      fmt::format("{} win of {}", i == 0 ? "shortest" : "short",
                                  program_name(run, tally.plan(), program)));
    }
    if (longest.number > 0) games.add(longest.number, "long", "longest");
    const bool is_decided = tally.verdict() == harness::Verdict::Accepted ||
                            tally.verdict() == harness::Verdict::Rejected;
    if (last.number > 0)
        games.add(last.number, "last", is_decided ? "last counted: the test stopped" : "last");
}

void add_duplicates(Collector& games, const std::vector<PairDigest>& pairs) {
    int taken = 0;
    for (const PairDigest& pair : pairs) {
        if (pair.state != harness::PairState::Duplicate || taken == 3) continue;
        taken +=
            games.add(pair.games[0].number, "duplicate", "the same moves as an earlier pair's");
    }
}

void add_examples(Collector& games, const std::vector<PairDigest>& pairs) {
    std::set<Termination> seen;
    for (const PairDigest& pair : pairs) {
        if (pair.state != harness::PairState::Counted) continue;
        for (std::size_t i = 0; i < 2; ++i) {
            const GameDigest& game = pair.games[i];
            if (game.guilty >= 0 || !seen.insert(game.termination).second) continue;
            games.add(game.number, "example",
                      fmt::format("the first that ended by {}", short_words(game.termination)));
        }
    }
}

}  // namespace

std::string ended_text(const Termination& termination) {
    switch (termination.cause) {
        case Termination::Time:
            return "lost on time";
        case Termination::IllegalMove:
            return "made an illegal move";
        case Termination::Crash:
            return "crashed";
        case Termination::Disconnect:
            return "closed its pipe";
        case Termination::Stall:
            return "did not answer";
        case Termination::NoStart:
            return "did not start";
        default:
            return std::string(short_words(termination));
    }
}

std::vector<GameOfInterest> games_of_interest(const RunRecord& run, const MatchTally& tally,
                                              const std::vector<PairDigest>& pairs,
                                              const MoveSurvey& survey, const GameReader& read) {
    Collector games(survey, read);
    add_failures(games, run, tally, pairs);
    add_from_survey(games, survey, units_of(tally));
    add_extremes(games, run, tally, pairs);
    add_duplicates(games, pairs);
    add_examples(games, pairs);
    return games.take();
}

}  // namespace assay::reports::web
