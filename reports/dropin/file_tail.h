#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/record/game.h"
#include "reports/dropin/runner_pgn.h"
#include "rules/game.h"

namespace assay::reports::dropin {

/// The end of a file of games, as a resume is to leave it.
struct TailCut {
    std::uint64_t size = 0;  // of the file without them
    int games = 0;           // that end there, a torn one included
};

/// What a killed session wrote into files of games and did not store. A resume plays these games
/// again, so that they would stand there twice. Only what stands behind the last stored game is
/// cut, and only where all of it can be of this run: what anybody else has written stays.
class FileTail {
public:
    /// `games_of_sides`: at most so many games of a round have the same White and Black; 0: any
    /// number. The references must outlive this.
    FileTail(const RunnerPgnOptions& options, const rules::Game& rules,
             std::int64_t games_of_sides);

    /// A player of the run.
    void add_player(const std::string& name);
    /// A game that the store has.
    void add_game(const std::vector<RunnerPlayer>& players, const harness::GameRecord& game);

    /// `text`: the file's content from where the run began to write. The size in the result counts
    /// from there. nullopt: nothing is to be cut.
    [[nodiscard]] std::optional<TailCut> pgn_cut(std::string_view text) const;
    /// Lines of -epdout, at most `most` of them: a line does not say whose it is.
    [[nodiscard]] std::optional<TailCut> epd_cut(std::string_view text, int most) const;

private:
    /// White, Black, the moves and the result.
    using Identity = std::tuple<std::string, std::string, std::string>;

    [[nodiscard]] bool may_be_torn(std::string_view text) const;

    RunnerPgnOptions options_;
    const rules::Game& rules_;
    std::int64_t games_of_sides_;
    std::set<std::string, std::less<>> names_;  // as tags have them
    std::map<Identity, int> games_;             // stored, and how often
    std::map<std::string, int, std::less<>> positions_;
};

}  // namespace assay::reports::dropin
