#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "harness/match/tally.h"
#include "harness/plan/tournament_plan.h"
#include "harness/record/pair.h"
#include "stats/data/counts.h"
#include "stats/estimate/game_list.h"

namespace assay::harness {

/// The opening of two programs' meetings that their pair is: pair p is opening p % openings of
/// encounter p / openings, for ever. All from 0. REQUIRES: openings >= 1.
struct PlaceOfPair {
    int encounter = 0;
    int opening = 0;

    [[nodiscard]] std::int64_t pair(int openings) const {
        return std::int64_t{encounter} * openings + opening;
    }
};

[[nodiscard]] constexpr PlaceOfPair place_of(std::int64_t pair, int openings) {
    return {static_cast<int>(pair / openings), static_cast<int>(pair % openings)};
}

/// Names a meeting for ever, whatever programs are added to the tournament or left out later: the
/// two programs, and how often they have met before.
struct MeetingKey {
    std::size_t low = 0;
    std::size_t high = 0;
    int encounter = 0;  // from 0

    friend auto operator<=>(const MeetingKey&, const MeetingKey&) = default;

    /// The match of the run that the two play.
    [[nodiscard]] std::size_t couple() const { return couple_of(low, high); }
};

/// How many encounters a meeting has: as many as openings, but an armageddon one.
struct MeetingSize {
    int openings = 1;
    int armageddon = -1;  // the encounter of two programs that is one; -1: none

    [[nodiscard]] int at(int encounter) const { return encounter == armageddon ? 1 : openings; }
};

/// Two programs that play each other in a round of a tournament: `openings` encounters in a row, of
/// `games` games each. Programs are numbers of the plan.
struct Meeting {
    std::int64_t round = 0;  // from 0; the tournament says who meets in one
    std::size_t first = 0;   // has the first move in the first game of each opening
    std::size_t second = 0;
    int encounter = 0;           // how often the two have met before in this tournament
    int openings = 1;            // one after the other, from `opening` on
    int games = 2;               // of each opening: 2 with sides swapped, or 1
    std::int64_t opening = 0;    // the index of the first one
    bool is_armageddon = false;  // one game, in which a draw counts for `second`
    // Of a runner's order.
    bool swaps_sides = true;   // from one game to the next
    int games_an_opening = 0;  // games in a row that have the same; 0: `games`
    int games_before = 0;      // of those, how many the two had in their meetings before
    std::int64_t number = 0;   // of the first game, of all; 0: games are numbered by match

    [[nodiscard]] MeetingKey key() const;

    /// How many openings behind `opening` this game of this encounter has, both from 0.
    [[nodiscard]] int opening_of(int place, int game) const {
        const int a_opening = games_an_opening > 0 ? games_an_opening : games;
        return (games_before + place * games + game) / a_opening - games_before / a_opening;
    }

    friend bool operator==(const Meeting&, const Meeting&) = default;
};

/// A meeting that has been played.
struct MeetingResult {
    std::size_t first = 0;  // as in the meeting
    std::size_t second = 0;
    int encounter = 0;
    stats::Wdl games;  // of `first`
    std::int64_t round = 0;

    [[nodiscard]] MeetingKey key() const;

    /// Half points of one of the two. REQUIRES: it is one of them.
    [[nodiscard]] std::int64_t half_points(std::size_t program) const;

    /// REQUIRES: the program is one of the two.
    [[nodiscard]] std::size_t opponent_of(std::size_t program) const;

    /// Of this meeting: in its round, and seen by its first program. REQUIRES: equal keys.
    void set_meeting(const Meeting& meeting);
};

/// The meetings of a tournament as their pairs come, in any order (see PlaceOfPair).
/// Program 0 of the pairs is the one with the lower number; results are seen by it, and their round
/// is not known. Keeps counts, not games.
class PlayedMeetings {
public:
    /// A meeting so far.
    struct Played {
        int pairs = 0;
        stats::Wdl games;  // of MeetingKey::low
    };

    /// REQUIRES: at least one opening.
    explicit PlayedMeetings(MeetingSize size) : size_(size) {}

    explicit PlayedMeetings(int openings) : PlayedMeetings(MeetingSize{openings}) {}

    /// A pair that counts for the result. Returns the meeting's where it is the last one that it
    /// lacked. REQUIRES: low < high, each pair once.
    std::optional<MeetingResult> add(std::size_t low, std::size_t high, const PairDigest& pair);
    /// A game of an encounter that is not over: if a program failed in it, that counts for
    /// failures(), and for nothing else.
    void add_failure(std::size_t low, std::size_t high, const GameDigest& game);
    /// Crashes and stalls of a program between its games, of which none lost a game.
    void add_faults(std::size_t program, const FaultsBetweenGames& faults);

    /// Those of which all openings have been played, or all that have begun, by their keys.
    [[nodiscard]] std::vector<MeetingResult> complete() const;
    [[nodiscard]] std::vector<MeetingResult> begun() const;

    [[nodiscard]] const std::map<MeetingKey, Played>& meetings() const { return meetings_; }

    /// Encounters so far: pairs, and single games.
    [[nodiscard]] std::int64_t pairs() const { return pairs_; }

    [[nodiscard]] std::int64_t single_games() const { return single_games_; }

    /// For ratings: pairs, and games that belong to none.
    [[nodiscard]] std::vector<stats::RatedPairs> rated() const { return rated_.rows(); }

    [[nodiscard]] std::vector<stats::RatedGames> rated_singles() const {
        return rated_.single_rows();
    }

    /// Of the first player, over all games.
    [[nodiscard]] const stats::Wdl& first_player() const { return first_player_; }

    /// A program's games as first player, and its others.
    struct BySide {
        stats::Wdl first;
        stats::Wdl second;
    };

    [[nodiscard]] BySide sides(std::size_t program) const;

    /// Without losses on time that the harness caused.
    [[nodiscard]] Failures failures(std::size_t program) const;

    /// Those losses: they stand in the results, since their pairs could not be voided any more.
    [[nodiscard]] std::int64_t harness_losses() const { return harness_losses_; }

    [[nodiscard]] std::int64_t harness_losses(std::size_t program) const;

private:
    struct OfProgram {
        BySide sides;
        Failures failures;
        std::int64_t harness_losses = 0;
    };

    static MeetingResult result_of(const MeetingKey& key, const Played& played);

    MeetingSize size_;
    std::int64_t pairs_ = 0;
    std::int64_t single_games_ = 0;
    std::map<MeetingKey, Played> meetings_;
    std::vector<OfProgram> programs_;
    stats::PairRows rated_;
    stats::Wdl first_player_;
    std::int64_t harness_losses_ = 0;
};

/// A program that has nobody to meet in a round.
struct Bye {
    std::int64_t round = 0;
    std::size_t program = 0;
    std::int64_t half_points = 0;  // that it gets for it

    friend bool operator==(const Bye&, const Bye&) = default;
};

}  // namespace assay::harness
