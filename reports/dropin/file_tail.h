#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/record/game.h"
#include "reports/dropin/runner_file.h"
#include "reports/dropin/runner_pgn.h"
#include "rules/game.h"

namespace assay::reports::dropin {

/// The end of a file of games, as a resume is to leave it.
struct TailCut {
    std::uint64_t size = 0;              // of the file without them
    int games = 0;                       // that end there, a torn one included
    std::vector<std::string> positions;  // of a PGN: at their ends, as -epdout has them
};

/// What is behind the last stored game.
struct FoundTail {
    std::optional<TailCut> cut;  // none: all stays
    std::string why_kept;        // something is there and stays; empty: nothing is there, or cut
};

/// What a killed session wrote into files of games and did not store. A resume plays these games
/// again, so that they would stand there twice. A game that stands there twice costs less than one
/// that somebody else has written and that is gone, so that all stays where there is a doubt.
class FileTail {
public:
    /// Where a game begins in a PGN.
    static constexpr std::string_view kBegin = "[Event ";

    /// `games_of_sides`: at most so many games of a round have the same White and Black; 0: any
    /// number, and no whole game is cut. The references must outlive this.
    FileTail(const RunnerPgnOptions& options, const rules::Game& rules,
             std::int64_t games_of_sides);

    /// A player of the run.
    void add_player(const std::string& name);
    /// A game that the store has. `round`: as its tag has it; 0: not known.
    void add_game(const std::vector<RunnerPlayer>& players, const harness::GameRecord& game,
                  std::int64_t round);

    /// `file`: from where the run began to write. At most `most` games are cut.
    [[nodiscard]] FoundTail pgn_tail(FileParts file, std::size_t most) const;
    /// Of -epdout, whose lines do not say whose they are: cut are those of games that were cut from
    /// the PGN, which ended at `positions`.
    [[nodiscard]] FoundTail epd_tail(FileParts file,
                                     const std::vector<std::string>& positions) const;

private:
    struct Behind;

    [[nodiscard]] bool has_our_tags(std::string_view text) const;
    [[nodiscard]] bool may_begin_round(std::int64_t round, const std::string& time) const;
    [[nodiscard]] bool may_be_torn(std::string_view text) const;
    [[nodiscard]] std::string position_behind(const std::string& start,
                                              const std::vector<std::string>& moves) const;
    [[nodiscard]] FoundTail judge(const Behind& behind, std::size_t found, std::size_t most) const;

    RunnerPgnOptions options_;
    const rules::Game& rules_;
    std::int64_t games_of_sides_;
    std::set<std::string, std::less<>> names_;                  // as tags have them
    std::size_t stored_ = 0;                                    // games
    std::unordered_map<std::uint64_t, int> games_;              // stored, and how often
    std::unordered_map<std::uint64_t, std::uint64_t> of_text_;  // a game in any notation
    std::map<std::string, int, std::less<>> positions_;
    std::map<std::int64_t, std::string> began_;  // rounds, with the time of their first stored game
};

}  // namespace assay::reports::dropin
