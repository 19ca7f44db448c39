#include "harness/suite/solved.h"

namespace assay::harness {

namespace {

std::optional<double> measure_value(const SuitePlan& suite, const SearchRecord& search,
                                    SuiteMeasure measure) {
    const auto index = suite.expectation_of(measure);
    if (!index || *index >= search.answers.size()) return std::nullopt;
    return search.answers[*index].value;
}

}  // namespace

SolvedPosition solved_position(const SuitePlan& suite, const SuiteResult& result,
                               std::size_t program, std::size_t position) {
    SolvedPosition out;
    const SearchRecord* const search = result.search(program, position);
    if (search == nullptr || search->end != SearchEnd::Searched) return out;
    const auto solved = measure_value(suite, *search, SuiteMeasure::Solved);
    if (!solved) return out;
    out.is_known = true;
    out.is_solved = *solved > 0;
    out.depth = measure_value(suite, *search, SuiteMeasure::Depth);
    out.nodes = measure_value(suite, *search, SuiteMeasure::Nodes);
    out.time_ms = measure_value(suite, *search, SuiteMeasure::Time);
    return out;
}

std::vector<SolvedCount> solved_counts(const SuitePlan& suite, const SuiteResult& result) {
    std::vector<SolvedCount> out;
    if (!suite.is_solving()) return out;
    for (std::size_t program = 0; program < suite.programs.size(); ++program) {
        SolvedCount& count = out.emplace_back();
        count.program = program;
        double depths = 0;
        for (std::size_t i = 0; i < suite.positions.size(); ++i) {
            const SolvedPosition one = solved_position(suite, result, program, i);
            if (one.is_known) ++count.known;
            if (!one.is_solved) continue;
            ++count.solved;
            count.nodes += one.nodes.value_or(0);
            count.time_ms += one.time_ms.value_or(0);
            depths += one.depth.value_or(0);
        }
        if (count.solved > 0) count.mean_depth = depths / static_cast<double>(count.solved);
    }
    return out;
}

}  // namespace assay::harness
