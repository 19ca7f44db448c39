#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/plan/tournament_kind.h"
#include "harness/tournament/meeting.h"

namespace assay::harness {

/// What is to be played, as values. Unless a member says otherwise, each kind reads it.
struct TournamentSetup {
    TournamentKind kind = TournamentKind::RoundRobin;
    /// Numbers of the plan, the best first where the kind ranks them. Programs that are added later
    /// stand behind the others; one that is left out is missing, and the others keep their numbers.
    std::vector<std::size_t> programs;
    /// How often everyone meets. Swiss: how many rounds, 0 for as many as a knockout would have.
    /// Least played: 0 for no end. Not read by Knockout.
    int rounds = 1;
    int openings = 1;  // of a meeting
    int games = 2;     // of each opening: 2 with sides swapped, or 1
    OpeningPolicy policy = OpeningPolicy::Cycle;
    Seeding seeding = Seeding::List;  // Knockout, Swiss
    std::uint64_t seed = 1;           // of the lot
    std::size_t seeds = 1;            // Gauntlet: those that meet all others, the first of the list
    int replays = 0;                  // Knockout: of a tie that ended level
    bool has_armageddon = false;      // Knockout: one game behind them, which has no draw
    PairingOrder order = PairingOrder::Own;
    // Of a runner's order: make_runner_tournament(), RunnerKnockout (where 0 seeds are allowed).
    bool swaps_sides = true;       // from one game to the next
    bool begins_reversed = false;  // see there
    int games_an_opening = 0;      // that are played with one, in a row; 0: all of an encounter
    int games_an_encounter = 2;    // RunnerKnockout: of two programs, before they play on

    [[nodiscard]] MeetingSize size() const { return {openings, has_armageddon ? replays + 1 : -1}; }
};

/// Two programs of a knockout, of which one goes on.
struct Tie {
    std::int64_t round = 0;
    std::size_t better = 0;            // seed of the two
    std::optional<std::size_t> worse;  // nullopt: a bye
    std::optional<std::size_t> winner;
    bool is_level = false;  // RunnerKnockout: the rank decided, as no game did

    /// Who is out by it; nullopt: a bye, or not decided.
    [[nodiscard]] std::optional<std::size_t> loser() const {
        if (!worse || !winner) return std::nullopt;
        return *winner == better ? *worse : better;
    }
};

/// Decides which programs meet next. Starts nothing and keeps no time: a pure function of its
/// setup and of the results that it was given, in whatever order these came. One thread.
///
/// A resumed tournament is made anew from all results so far: it gives out the meetings that lack,
/// first those that were being played. So does one that programs were added to.
class Tournament {
public:
    virtual ~Tournament() = default;

    /// The next meeting to be played; nullopt: none can start before more results are known, or
    /// is_over().
    [[nodiscard]] virtual std::optional<Meeting> next() = 0;

    /// A meeting that next() gave out has been played.
    virtual void finished(const MeetingResult& result) = 0;

    /// All meetings have been played.
    [[nodiscard]] virtual bool is_over() const = 0;

    /// How many meetings there are in all, played ones too; nullopt: results decide, or no end.
    [[nodiscard]] virtual std::optional<std::int64_t> meetings() const = 0;

    /// Of the rounds that have begun, in their order, where a bye counts for the score or keeps a
    /// program in: Swiss and Knockout.
    [[nodiscard]] virtual std::vector<Bye> byes() const { return {}; }

    /// Of a knockout, those whose programs are known: round by round, in the order of the bracket.
    [[nodiscard]] virtual std::vector<Tie> ties() const { return {}; }

    /// Who has won, where a single program can be told from the schedule alone: a Knockout's last.
    [[nodiscard]] virtual std::optional<std::size_t> winner() const { return std::nullopt; }
};

/// Throws Error, with what to change, where the setup makes no tournament: fewer than two programs,
/// a program twice, counts out of range, more seeds than programs.
[[nodiscard]] std::unique_ptr<Tournament> make_tournament(const TournamentSetup& setup,
                                                          const std::vector<MeetingResult>& played);

/// Of a fixed or endless schedule, by OpeningPolicy::Encounter: the number of a meeting among all
/// that there can be, so that no two have the same openings. It depends on the two programs and
/// their encounter alone: programs that are added leave it as it was.
[[nodiscard]] std::int64_t own_openings_of(const TournamentSetup& setup, const MeetingKey& key);

/// The programs in the order of their seeds.
[[nodiscard]] std::vector<std::size_t> seeded_programs(const TournamentSetup& setup);

}  // namespace assay::harness
