#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/match/pairing.h"
#include "harness/plan/plan.h"
#include "harness/record/listener.h"
#include "harness/tournament/tournament_state.h"
#include "stats/stop/rating_stop.h"

namespace assay::harness {

/// The meetings of a tournament, opening after opening: as many at once as are asked for, and a
/// meeting's openings beside each other. A pair counts when it is durable, and its result decides
/// who meets next where the kind looks at results.
class TournamentPairing final : public Pairing {
public:
    /// `plan` outlives the object. `has_changed`: programs have been added or left out since the
    /// run began. REQUIRES: a tournament, whose seed is set.
    TournamentPairing(const RunPlan& plan, OpeningOf opening_of, bool has_changed = false);

    std::vector<PairDigest> restore(std::size_t match, std::vector<PairDigest> pairs,
                                    std::vector<GameRecord> first_games) override;
    void begin() override;
    [[nodiscard]] std::optional<Encounter> next() override;
    std::vector<PairDigest> finished(const PairDigest& pair) override;
    void replay(const PairDigest& pair) override;
    [[nodiscard]] bool is_single(const GameRecord& game) const override;
    [[nodiscard]] bool is_complete() const override;
    [[nodiscard]] std::string end_reason() const override;
    void visit_open(
        const std::function<void(std::size_t match, const GameDigest&)>& visit) const override;

    [[nodiscard]] TournamentState state() const { return tournament_state(plan_, played_); }

    /// Without TournamentProgress::in_play. Pairs and meetings of programs that are left out do not
    /// count. REQUIRES: begin().
    [[nodiscard]] TournamentProgress progress() const;

private:
    /// A match of the run and a pair of it.
    using PairKey = std::pair<std::size_t, std::int64_t>;

    [[nodiscard]] std::int64_t pair_of(const MeetingKey& key, int opening) const;
    [[nodiscard]] std::int64_t number_of(const Meeting& meeting, int place);
    [[nodiscard]] std::vector<TimeControl> times_of(const Meeting& meeting) const;
    [[nodiscard]] Encounter encounter_of(const Meeting& meeting, int place, int attempt);
    [[nodiscard]] std::optional<Encounter> next_of(const Meeting& meeting);
    void begin_looks();
    [[nodiscard]] bool take_next_of_schedule();
    [[nodiscard]] std::int64_t pairs_of_looks() const;
    void look();

    const RunPlan& plan_;
    OpeningOf opening_of_;
    bool has_changed_;
    PlayedMeetings played_;
    std::unique_ptr<Tournament> tournament_;  // null before begin()
    std::map<MeetingKey, Meeting> in_play_;   // given out and not complete
    std::optional<Meeting> current_;          // of these, the one whose openings are given out, and
    int opening_ = 0;                         // the next of them
    std::int64_t complete_ = 0;               // meetings, as in TournamentState, and
    std::int64_t pairs_ = 0;                  // pairs of the same programs
    std::int64_t next_number_ = 1;            // of games that are numbered as they begin
    // Of TournamentPlan::until, which looks at pairs in the order of the schedule, without a gap:
    // those, where in the schedule the next one stands, and pairs that are over and behind a gap.
    std::optional<stats::RatingStop> stop_;  // unset before begin(), or where no `until` is
    bool is_shown_ = false;                  // what it asks for
    PlayedMeetings looked_at_;
    std::unique_ptr<Tournament> schedule_;
    std::optional<Meeting> scheduled_;
    int scheduled_opening_ = 0;
    std::map<PairKey, PairDigest> ahead_;
    std::int64_t left_out_pairs_ = 0;  // of earlier sessions, of programs left out by now
    std::map<PairKey, int> again_;     // void pairs: the attempt to be played
    std::set<PairKey> done_;           // by earlier sessions, of meetings that lack others
    std::map<PairKey, int> attempts_;  // void ones of earlier sessions: the next attempt
    std::map<PairKey, GameRecord> first_games_;  // of earlier sessions; those not handed out
};

}  // namespace assay::harness
