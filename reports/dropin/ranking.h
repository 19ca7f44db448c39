#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/result_counts.h"

namespace assay::reports::dropin {

/// The tables that the runners print of more than two engines, without the last line end.

/// An engine's line.
struct RankedEngine {
    std::string name;
    harness::ResultCounts counts;  // against all
    // Lost games by cause.
    std::int64_t timeouts = 0;
    std::int64_t illegal_moves = 0;
    std::int64_t disconnections = 0;
    std::int64_t stalls = 0;
};

/// fastchess's: by Elo, those without a number last. `has_pairs`: estimates and draws by pairs.
/// `shows_pairs`: with the column of pairs; -output format=cutechess has none.
[[nodiscard]] std::string fastchess_ranking(const std::vector<RankedEngine>& engines,
                                            bool has_pairs, bool shows_pairs);

/// The fields of a -resultformat, by their names there, or those of a format that has a name.
/// nullopt where one is none that we have.
[[nodiscard]] std::optional<std::vector<std::string>> result_fields(std::string_view format);

/// The formats and fields that there are, for people.
[[nodiscard]] std::string result_format_help();

/// cutechess-cli's, with the empty line that stands below it: by score, of equals the later one in
/// the list first, those without games last. The first `seeds` of a gauntlet stand above all, and
/// its ranks begin with 0. REQUIRES: fields of result_fields().
[[nodiscard]] std::string cutechess_table(const std::vector<RankedEngine>& engines,
                                          const std::vector<std::string>& fields,
                                          std::optional<std::size_t> seeds);

/// Two engines of a knockout.
struct BracketTie {
    std::int64_t round = 0;  // from 0; ties of a round in the order of the bracket
    std::string first;
    std::optional<std::string> second;  // nullopt: a bye
    std::optional<std::string> winner;  // nullopt: not known yet
    std::int64_t first_half_points = 0;
    std::int64_t second_half_points = 0;
};

/// cutechess-cli's tree of a knockout: a column of tabulators a round.
[[nodiscard]] std::string knockout_tree(const std::vector<BracketTie>& ties);

}  // namespace assay::reports::dropin
