#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/game.h"
#include "harness/record/pair.h"
#include "harness/record/run.h"

namespace assay::adapters {
struct Identity;
}

namespace assay::harness {

class MatchTally;
struct SearchRecord;
struct SuiteResult;
struct TournamentState;

/// How far the paired benchmark of `require.speed` is.
struct SpeedProgress {
    std::string_view first;  // names of the programs
    std::string_view second;
    int done = 0;       // runs of each
    int next_look = 0;  // so many runs may settle it
    int most = 0;
    bool is_over = false;
};

/// A game that begins.
struct GameStarted {
    std::size_t match = 0;  // of the run's plan
    std::int64_t number = 0;
    int slot = 0;
    int first = 0;           // the program that has the first move: 0/1 of `between`
    std::int64_t round = 0;  // of a tournament, from 0
};

/// How far a tournament is.
struct TournamentProgress {
    std::int64_t pairs = 0;               // of games, that are over, between programs that play on
    std::int64_t meetings = 0;            // complete
    std::optional<std::int64_t> planned;  // meetings in all; nullopt: results decide, or no end
    int in_play = 0;                      // games at the moment
    std::vector<std::int64_t> bye_half_points;  // by program of the plan; missing ones: none
    std::vector<std::size_t> out;               // programs that lost a tie of a knockout
};

/// Shows what a run does; decides nothing. Calls come on the runner's thread and must return
/// soon; the references live during the call only.
class Listener {
public:
    virtual ~Listener() = default;

    virtual void on_run_start(const RunRecord&) {}

    /// Others may still be in play, whose places it shares.
    virtual void on_match_start(const RunRecord&, std::size_t /*match*/, int /*concurrency*/) {}

    /// After on_match_start: what earlier sessions have played of the match, pair by pair, and the
    /// games of pairs that are not over.
    virtual void on_restored(const MatchTally&, const std::vector<PairDigest>& /*pairs*/,
                             const std::vector<GameRecord>& /*open*/) {}

    /// In place of on_match_start() and on_restored() where the run is a tournament.
    virtual void on_tournament_start(const RunRecord&, const TournamentState&,
                                     int /*concurrency*/) {}

    /// After on_tournament_start, for each match that earlier sessions have begun: what they have
    /// played of it, encounter by encounter, and the games of those that are not over.
    virtual void on_tournament_restored(std::size_t /*match*/, const std::vector<PairDigest>&,
                                        const std::vector<GameRecord>& /*open*/) {}

    /// A program of the match (of `between`; of a tournament, of the plan) has completed its first
    /// handshake.
    virtual void on_program_start(int /*program*/, const adapters::Identity&) {}

    virtual void on_game_start(const GameStarted&) {}

    /// A program said a line of moves with a flaw; before on_game_end() of its game.
    virtual void on_pv_finding(const PvFinding&) {}

    /// `is_void`: the harness caused a loss on time; the pair does not count and is played again.
    virtual void on_game_end(const GameRecord&, bool /*is_void*/) {}

    /// After each pair that is durable and counted in schedule order, and after voids. The tally is
    /// that of its match.
    virtual void on_pair(const PairDigest&, const MatchTally&) {}

    /// About four times a second, for a live line; one of the two. Of each match in play.
    virtual void on_tick(std::size_t /*match*/, const MatchTally&) {}

    virtual void on_tournament_tick(const TournamentProgress&) {}

    /// A sentence about the harness, a program or the machine; `where` names game and move if any.
    virtual void on_warning(std::string_view /*kind*/, std::string_view /*text*/) {}

    /// A sentence on what is done before or after the games: a build, a benchmark.
    virtual void on_note(std::string_view /*text*/) {}

    /// When the benchmark begins, after each run of both programs, and at its end.
    virtual void on_speed_progress(const SpeedProgress&) {}

    /// Before the end of a match that other machines have played: the record names them now.
    virtual void on_machines(const RunRecord&) {}

    virtual void on_match_end(std::size_t /*match*/, const MatchTally&) {}

    /// In place of on_match_end().
    virtual void on_tournament_end(const RunRecord&, const TournamentState&) {}

    virtual void on_suite_start(const RunRecord&, int /*concurrency*/) {}

    /// A search of the suite is durable; `done` of them are.
    virtual void on_search_end(const SearchRecord&, std::size_t /*done*/) {}

    /// All searches are done and judged; not said where the suite was cut short.
    virtual void on_suite_end(const RunRecord&, const SuiteResult&) {}

    virtual void on_run_end(const RunRecord&) {}
};

}  // namespace assay::harness
