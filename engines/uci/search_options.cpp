#include "engines/uci/search_options.h"

namespace assay::engines {

void add_search_options(OptionTable& table, SearchOptions& options) {
    Settings& search = options.search;
    table.add_spin("Hash", options.hash_mb, 1, 65536);
    table.add_spin("Threads", options.threads, 1, 1);
    table.add_spin("MultiPV", options.lines, 1, 256);
    table.add_spin("MoveOverhead", options.overhead_ms, 0, 10000);
    table.add_check("Ponder", options.ponders);
    table.add_combo("Method", {"minimax", "alphabeta", "pvs"}, search.method);
    table.add_check("IterativeDeepening", search.iterative);
    table.add_spin("Aspiration", search.aspiration, 0, 10000);
    table.add_check("Quiescence", search.quiescence);
    table.add_check("Table", search.table);
    table.add_check("ExactDraft", search.exact_draft);
    table.add_check("PathSafe", search.path_safe);
    table.add_check("Chains", search.chains);
    table.add_spin("ChainsFromPly", search.chains_from, 0, 100);
    table.add_combo("History", {"none", "moves", "signature"}, search.history);
    table.add_check("Killers", search.killers);
    table.add_check("NullMove", search.null_move);
    table.add_check("Extensions", search.extensions);
    table.add_check("Reductions", search.reductions);
    table.add_combo("Ordering", {"plain", "chessmaps"}, search.ordering);
    table.add_combo("Fault", {"none", "bad_order", "quiescence_without_stop", "research_loop"},
                    search.fault);
    table.add_text("TreeLog", options.tree_log);
}

}  // namespace assay::engines
