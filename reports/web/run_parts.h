#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/run/outcome.h"
#include "reports/view/estimates.h"
#include "reports/view/run_view.h"
#include "reports/web/charts/charts.h"
#include "reports/web/charts/match_facts.h"
#include "reports/web/charts/move_survey.h"
#include "reports/web/games.h"
#include "reports/web/page/template.h"

namespace assay::reports::web {

/// Everything that the page shows of one match, computed once.
struct MatchPage {
    std::size_t index = 0;
    const MatchView* view = nullptr;           // null: of a tournament
    const harness::MatchPlan* plan = nullptr;  // not null
    std::string name;                          // as match_name() has it; empty: by its place
    std::string suffix;  // of the sections' ids: "" for the first match, "-2" for the second
    Names names;
    std::array<std::string, 2> sides;  // names of the players
    std::vector<harness::PairDigest> pairs;
    MatchFacts facts;
    MoveSurvey survey;
    std::vector<GameOfInterest> games;
    std::vector<OpeningRow> openings;
    bool openings_by_line = false;  // grouped by first moves, from the games looked at
    Figures figures;
    Estimates estimates;
    std::optional<stats::TestState> test;

    [[nodiscard]] const harness::MatchTally& tally() const { return *view->tally; }
};

/// How a run of several matches calls one: "match stc", "match 2" where it has no name.
[[nodiscard]] std::string match_name(const MatchPage& match);

/// The id of a game in the page: "2417", in the second match "2-2417".
[[nodiscard]] std::string id_of(const MatchPage& match, const harness::GameRecord& game);

/// How the page marks the state of a match or a condition: CSS class, glyph and word.
struct Mark {
    std::string css;
    std::string word;
};

[[nodiscard]] Mark mark_of(const RunView& view, const harness::MatchTally& tally);
[[nodiscard]] Mark mark_of(harness::OutcomeWord word);
[[nodiscard]] Mark mark_of(harness::Holds holds);  // of an expectation, or of a whole suite

/// The estimate with true minus signs: "+0.5 [−11.2, +12.3]".
[[nodiscard]] std::string shown(const stats::Estimate& estimate);

/// What the run has found, as one sentence. Of several matches it names the one that it speaks of.
[[nodiscard]] std::string headline_of(const RunView& view, const harness::Outcome& outcome,
                                      const std::vector<MatchPage>& matches);
/// The match that the headline speaks of. REQUIRES: there is one.
[[nodiscard]] const MatchPage& deciding(const harness::Outcome& outcome,
                                        const std::vector<MatchPage>& matches);
/// Whether its games are still played.
[[nodiscard]] bool is_open(const RunView& view);

/// The headline, the parts of the verdict and the key figures; for a run without a match those of
/// its suite.
void add_verdict(Values& page, const RunView& view, const std::vector<MatchPage>& matches);

/// Of a gate that has ended: what its process returns, before all other parts.
void add_gate_part(Values& page, const RunView& view);

/// One element of `matches` of the template.
[[nodiscard]] Values match_values(const RunView& view, const MatchPage& match);

/// The suite, diagnostics, how to play it again, and the environment.
void add_suite(Values& page, const RunView& view);
/// The part of the suite's section about solved positions.
void add_solved(Values& section, const RunView& view);
void add_diagnostics(Values& page, const std::vector<MatchPage>& matches,
                     const harness::RunRecord& run);
/// Where several machines played a match, a table of them.
void add_machines(Values& page, const std::vector<MatchPage>& matches,
                  const harness::RunRecord& run);
void add_environment(Values& page, const RunView& view);
void add_warnings(Values& page, const RunView& view);

/// The list of games, the board of the first, and what the script steps through.
void add_games(Values& page, const RunView& view, const std::vector<MatchPage>& matches);

/// A page of each two programs of a tournament with the games that are listed of them; nothing else
/// of it is set.
[[nodiscard]] std::vector<MatchPage> tournament_games(const RunView& view,
                                                      const harness::Store& store);

/// One requirement of `require`, and whether the first program meets it.
struct Condition {
    std::string text;  // "crashes 0"
    bool holds = true;
    bool is_open = false;  // the measurements did not settle it
};

[[nodiscard]] std::vector<Condition> conditions_of(const RunView& view, std::size_t match);

}  // namespace assay::reports::web
