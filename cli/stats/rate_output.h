#pragma once
#include "reports/tournament/rated_list.h"

namespace assay::cli {

using reports::RatedList;

/// Each prints the whole list on standard output: a table for people, one JSON object, a row a
/// program for spreadsheets, tables for a comment or a page.
void print_rating_text(const stats::RatingTable& table, const RatedList& list);
void print_rating_json(const stats::RatingTable& table, const RatedList& list);
void print_rating_csv(const stats::RatingTable& table, const RatedList& list);
void print_rating_markdown(const stats::RatingTable& table, const RatedList& list);

}  // namespace assay::cli
