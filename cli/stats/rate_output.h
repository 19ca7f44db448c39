#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/tournament/version_pool.h"
#include "stats/estimate/rating.h"

namespace assay::cli {

/// What a rating list is printed from.
struct RatedList {
    std::vector<std::string> programs;
    std::vector<harness::PooledVersion> versions;  // by program, of stores; else empty
    std::string note;                              // what was read
    std::vector<std::string> warnings;
    std::int64_t duplicates = 0;
    std::uint64_t seed = 1;
};

/// The programs, component by component, in order of strength.
[[nodiscard]] std::vector<std::size_t> rating_order(const stats::RatingTable& table);

/// Each prints the whole list on standard output: a table for people, one JSON object, a row a
/// program for spreadsheets, tables for a comment or a page.
void print_rating_text(const stats::RatingTable& table, const RatedList& list);
void print_rating_json(const stats::RatingTable& table, const RatedList& list);
void print_rating_csv(const stats::RatingTable& table, const RatedList& list);
void print_rating_markdown(const stats::RatingTable& table, const RatedList& list);

}  // namespace assay::cli
