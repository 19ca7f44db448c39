#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/tournament/tournament_view.h"
#include "reports/web/page/template.h"

namespace assay::reports::web {

/// The headline, the parts and the key figures of a tournament's page.
void add_tournament_head(Values& page, const TournamentView& view);

/// The sections of a tournament as markup: the table in four orders that are chosen without a
/// script, ratings, crosstable or rounds, and every two programs in one folded table. Sections
/// have the ids standings, ratings, crosstable, rounds and couples. `couples`: the matches whose
/// games the page lists.
[[nodiscard]] std::string tournament_sections(const TournamentView& view,
                                              const std::set<std::size_t>& couples = {});

/// Links to those sections that there are, for the page's navigation: pairs of id and label.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> tournament_links(
    const TournamentView& view);

}  // namespace assay::reports::web
