#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "reports/web/run_parts.h"
#include "rules/game.h"

namespace assay::reports::web {

/// Collects the rows of the chart of openings: the openings that were played several times;
/// otherwise groups of games with the same first two plies, among the games whose moves are read.
class OpeningGroups {
public:
    /// Both outlive it.
    OpeningGroups(MatchPage& match, const rules::Game& rules);

    /// A game whose moves are read, with the category of its pair.
    void add(const harness::GameRecord& game, int category);

    /// Sets the match's rows, the best for the first program first.
    void finish(const GameReader& read);

private:
    struct Group {
        stats::Pentanomial pairs;
        std::array<std::int64_t, stats::kPairCategories> first{-1, -1, -1, -1, -1};  // pair of each

        void add(std::int64_t pair, int category);
        /// A pair that ended for the side for which most did, the clearest first.
        [[nodiscard]] std::int64_t example() const;
    };

    void name(OpeningRow& row, const GameReader& read) const;

    MatchPage& match_;
    const rules::Game& rules_;
    bool is_repeated_ = false;
    std::map<std::string, Group> lines_;
    std::map<std::uint64_t, Group> indices_;
};

/// One game of each row joins the games of interest, and the row knows its id.
void add_opening_games(MatchPage& match, const GameReader& read);

}  // namespace assay::reports::web
