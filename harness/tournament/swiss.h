#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "harness/tournament/tournament.h"

namespace assay::harness {

/// What the pairing of a Swiss round needs of one program.
struct SwissRecord {
    std::int64_t half_points = 0;  // byes too
    bool had_bye = false;
    std::map<std::size_t, int> met;  // how often, by place in the order of seeds
    std::vector<int> sides;          // of single games: 1 had the first move, -1 had not
    std::vector<int> floats;         // by round: 1 met a lower score, -1 a higher one, 0 neither
};

/// A round of a Swiss: who meets, and who has a bye.
struct SwissRound {
    struct Pair {
        std::size_t first = 0;  // has the first move in the first game
        std::size_t second = 0;
    };

    std::vector<Pair> pairs;  // those of the highest scores first
    std::optional<std::size_t> bye;
};

/// Pairs the next round. Places are those in the order of seeds. `single_games`: a meeting is one
/// game of an opening, so that sides are to be balanced over the rounds. `lot`: decides who has the
/// first move in the first round.
[[nodiscard]] SwissRound pair_swiss_round(const std::vector<SwissRecord>& records,
                                          bool single_games, std::uint64_t lot);

/// In each round programs of equal or nearly equal scores meet. The source says which rules of
/// FIDE's Dutch system hold. A round begins when the one before it is over. A bye is worth as much
/// as winning all games of a meeting. Programs cannot be added.
///
/// Cost: at most the cube of the number of programs a round; at most 1,000 programs.
class Swiss final : public Tournament {
public:
    Swiss(const TournamentSetup& setup, const std::vector<MeetingResult>& played);

    [[nodiscard]] std::optional<Meeting> next() override;
    void finished(const MeetingResult& result) override;

    [[nodiscard]] bool is_over() const override { return round_ == rounds_; }

    [[nodiscard]] std::optional<std::int64_t> meetings() const override;

    [[nodiscard]] std::vector<Bye> byes() const override { return byes_; }

private:
    void begin_rounds();
    void begin_round();
    void give_bye(std::size_t place);
    [[nodiscard]] Meeting meeting_of(const SwissRound::Pair& pair, std::size_t board) const;
    void note_pair(const SwissRound::Pair& pair);
    void count(const MeetingResult& result);

    TournamentSetup setup_;
    std::vector<std::size_t> programs_;            // by seed
    std::map<std::size_t, std::size_t> place_of_;  // the inverse
    std::int64_t rounds_ = 0;
    std::int64_t round_ = 0;
    std::vector<SwissRecord> records_;
    std::vector<Bye> byes_;
    std::map<MeetingKey, MeetingResult> played_;  // earlier results of rounds that have not begun
    std::vector<Meeting> waiting_;                // of this round, not given out
    std::size_t next_ = 0;                        // of those
    std::size_t lacking_ = 0;                     // meetings of this round without a result
};

}  // namespace assay::harness
