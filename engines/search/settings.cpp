#include "engines/search/settings.h"

#include <array>

namespace assay::engines {

namespace {

struct Rule {
    bool is_broken;
    const char* sentence;
};

}  // namespace

std::optional<std::string> check_settings(const Settings& settings, const Abilities& abilities) {
    const Settings& s = settings;
    const Abilities& can = abilities;
    const bool minimax = s.method == Method::Minimax;
    const std::array rules{
        Rule{minimax && s.null_move,
             "minimax has no window that a null move could fail high against: set NullMove false"},
        Rule{minimax && s.aspiration != 0,
             "minimax has no window, so none to aspire to: set Aspiration 0"},
        Rule{minimax && s.table, "minimax visits every node, so it uses no table: set Table false"},
        Rule{minimax && s.chains,
             "minimax prunes nothing, so it follows no move chains: set Chains false"},
        Rule{minimax && (s.killers || s.history != HistoryKind::None),
             "minimax has no cut-offs that killers and history could remember: set Killers false "
             "and History none"},
        Rule{minimax && s.reductions,
             "minimax looks at all moves to the same depth: set Reductions false"},
        Rule{minimax && s.quiescence,
             "minimax evaluates at its depth, and a quiescence search needs a window to stop: set "
             "Quiescence false"},
        Rule{minimax && s.extensions,
             "minimax looks at all moves to the same depth: set Extensions false"},
        Rule{minimax && s.ordering == Ordering::Chessmaps,
             "the order of moves changes nothing in minimax: set Ordering plain"},
        Rule{minimax && s.fault != Fault::None,
             "the faults are faults of alpha-beta: set Method alphabeta or pvs, or Fault none"},
        Rule{s.aspiration != 0 && !s.iterative,
             "aspiration needs the value of an iteration before: set IterativeDeepening true or "
             "Aspiration 0"},
        Rule{s.reductions && s.method == Method::AlphaBeta,
             "a reduced search needs the minimal window that shows it wrong: set Method pvs or "
             "Reductions false"},
        Rule{s.fault == Fault::ResearchLoop && s.method != Method::Pvs,
             "there is no second search to loop over without minimal windows: set Method pvs"},
        Rule{s.fault == Fault::QuiescenceWithoutStop && !s.quiescence,
             "a quiescence search that is off cannot miss its stop: set Quiescence true"},
        Rule{s.chains && !s.quiescence,
             "a move chain ends in a quiescence search: set Quiescence true or Chains false"},
        Rule{s.null_move && !can.passes,
             "this game does not let a player pass: set NullMove false"},
        Rule{s.quiescence && !can.noisy,
             "this game does not tell noisy moves from quiet ones: set Quiescence false"},
        Rule{s.ordering == Ordering::Chessmaps && !can.classes,
             "this game has no such classes of moves: set Ordering plain"},
        Rule{s.chains && !can.squares,
             "move chains are kept by square and piece, which this game does not tell: set Chains "
             "false"},
    };
    for (const Rule& rule : rules) {
        if (rule.is_broken) return rule.sentence;
    }
    return std::nullopt;
}

Settings alpha_beta_settings() {
    Settings settings;
    settings.method = Method::AlphaBeta;
    settings.iterative = false;
    settings.aspiration = 0;
    settings.quiescence = false;
    settings.table = false;
    settings.history = HistoryKind::None;
    settings.killers = false;
    settings.null_move = false;
    settings.extensions = false;
    settings.reductions = false;
    return settings;
}

Settings minimax_settings() {
    Settings settings = alpha_beta_settings();
    settings.method = Method::Minimax;
    return settings;
}

}  // namespace assay::engines
