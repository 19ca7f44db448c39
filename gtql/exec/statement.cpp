// Queries about the tree as a whole: counts, sums, averages, and tables of these by group. No
// node's neighbourhood is needed beyond single columns, so that each batch is reduced at once: the
// group of each node (groups.h), then one tally a group and function. Reductions have no branch on
// the mask of what counts; such a branch would be mispredicted about every second time.
#include "gtql/exec/statement.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gtql/exec/vector/kernels.h"

namespace assay::gtql {

namespace {

/// The tally that a value goes to, where a table has no keys.
struct OneTally {
    Tally& tally;

    Tally& operator()(std::size_t) const { return tally; }
};

struct TallyOfGroup {
    Tally* tallies;
    const std::uint32_t* groups;

    Tally& operator()(std::size_t i) const { return tallies[groups[i]]; }
};

/// Without branches on the mask, which would be guessed wrong half the time.
template <class Place>
void take_sums(const std::uint8_t* mask, const std::int64_t* values, std::size_t size,
               Place place) {
    for (std::size_t i = 0; i < size; ++i) {
        Tally& tally = place(i);
        tally.count += mask[i];
        tally.value = wrapping_sum(tally.value, values[i] & -static_cast<std::int64_t>(mask[i]));
    }
}

template <class Place>
void take_extremes(Function function, const std::uint8_t* mask, const std::int64_t* values,
                   std::size_t size, Place place) {
    for (std::size_t i = 0; i < size; ++i) {
        if (mask[i] != 0) fold(function, place(i), values[i]);
    }
}

}  // namespace

Statement::Statement(const Plan& plan, const std::vector<std::string>& moves)
    : plan_(plan), moves_(moves), groups_(std::max<std::size_t>(1, plan.query.keys.size())) {
    tallies_.resize(plan.query.calls.size());
    RolesUsed roles;
    for (const Expression& each : plan.query.keys) roles.add(each);
    for (const Call& call : plan.query.calls) {
        if (call.scope != Part::Node) continue;
        roles.add(call.value);
        roles.add(call.condition);
    }
    uses_parents_ = roles.parent;
    if (plan.query.keys.empty()) {
        for (auto& each : tallies_) each.resize(1);
    }
}

void Statement::take(const Batch& batch, const Frame& frame) {
    std::vector<Vector> calls;
    const std::size_t step = batch.scratch->capacity();
    for (std::size_t from = 0; from < frame.size; from += step) {
        const std::size_t size = std::min(step, frame.size - from);
        take_slice(batch, slice(frame, from, size, calls));
    }
}

void Statement::take_slice(const Batch& batch, const Frame& frame) {
    if (!plan_.query.keys.empty()) find_groups(batch, frame);
    for (std::size_t i = 0; i < plan_.query.calls.size(); ++i) {
        if (plan_.query.calls[i].scope == Part::Node) take_call(batch, frame, i);
    }
}

void Statement::find_groups(const Batch& batch, const Frame& frame) {
    std::vector<Vector> keys;
    for (const Expression& each : plan_.query.keys) {
        keys.push_back(batch.evaluator->evaluate(each, frame));
        batch.evaluator->materialise(keys.back(), frame.size);
    }
    numbers_.resize(frame.size);
    groups_.number(keys, frame.size, numbers_.data());
    for (const Vector& each : keys) batch.scratch->give_back(each);
    for (auto& each : tallies_) each.resize(groups_.size());
}

void Statement::take_values(const Call& call, const Vector& mask, const Vector& values,
                            std::size_t size, std::vector<Tally>& tallies) const {
    const auto* const counts = mask.as<std::uint8_t>();
    const auto* const value = values.as<std::int64_t>();
    const bool is_extreme = call.function == Function::Min || call.function == Function::Max;
    const auto take_all = [&](auto place) {
        if (is_extreme) return take_extremes(call.function, counts, value, size, place);
        take_sums(counts, value, size, place);
    };
    if (!plan_.query.keys.empty()) return take_all(TallyOfGroup{tallies.data(), numbers_.data()});
    Tally tally = tallies[0];  // in registers
    take_all(OneTally{tally});
    tallies[0] = tally;
}

void Statement::take_call(const Batch& batch, const Frame& frame, std::size_t which) {
    const Call& call = plan_.query.calls[which];
    std::vector<Tally>& tallies = tallies_[which];
    const bool is_count = call.function == Function::Count;
    const bool has_keys = !plan_.query.keys.empty();
    if (is_count && !has_keys && call.condition.empty()) {
        tallies[0].count += static_cast<std::int64_t>(frame.size);
        return;
    }
    const Vector mask = batch.evaluator->mask(call.condition, frame);
    const auto* const counts = mask.as<std::uint8_t>();
    if (is_count && !has_keys) {
        tallies[0].count += static_cast<std::int64_t>(kernels::mask_count(counts, frame.size));
    } else if (is_count) {
        for (std::size_t i = 0; i < frame.size; ++i) tallies[numbers_[i]].count += counts[i];
    } else {
        const Vector values = batch.evaluator->wide(call.value, frame);
        Vector present = mask;
        if (values.missing != nullptr) {
            present_.resize(frame.size);
            std::memcpy(present_.data(), counts, frame.size);
            kernels::mask_clear(present_.data(), values.missing, frame.size);
            present.data = present_.data();
        }
        take_values(call, present, values, frame.size, tallies);
        batch.scratch->give_back(values);
    }
    batch.scratch->give_back(mask);
}

Cell Statement::key_cell(std::size_t group, std::size_t which) const {
    if (groups_.is_missing(group, which)) return std::monostate{};
    const std::int64_t value = groups_.value(group, which);
    if (!plan_.is_move_key[which]) return value;
    return moves_.at(static_cast<std::size_t>(value));
}

std::vector<Cell> Statement::column_cells(Scratch& scratch, const Expression& column,
                                          const Frame& all) {
    std::vector<Cell> cells;
    std::vector<Vector> calls;
    Evaluator evaluator(scratch);
    for (std::size_t from = 0; from < all.size; from += scratch.capacity()) {
        // The rows of the answer are evaluated like nodes: a column such as `count(*) * 100 /
        // count(a)` is an expression over tallies, and the evaluator needs no second form of it.
        const std::size_t size = std::min(scratch.capacity(), all.size - from);
        const Vector values = evaluator.wide(column, slice(all, from, size, calls));
        for (std::size_t i = 0; i < size; ++i) {
            if (values.missing != nullptr && values.missing[i] != 0) {
                cells.emplace_back(std::monostate{});
            } else if (values.lane == Lane::F64) {
                cells.emplace_back(values.as<double>()[i]);
            } else {
                cells.emplace_back(values.as<std::int64_t>()[i]);
            }
        }
        scratch.give_back(values);
    }
    return cells;
}

Statement::CallColumns Statement::call_columns(std::size_t groups) {
    const std::vector<Call>& calls = plan_.query.calls;
    CallColumns columns{std::vector<std::vector<std::int64_t>>(calls.size()),
                        std::vector<std::vector<std::uint8_t>>(calls.size()),
                        std::vector<Vector>(calls.size())};
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].scope != Part::Node) continue;
        tallies_[i].resize(groups);
        for (const Tally& each : tallies_[i]) {
            columns.values[i].push_back(value_of(calls[i].function, each));
            columns.missing[i].push_back(is_missing(calls[i].function, each) ? 1 : 0);
        }
        Vector& vector = columns.vectors[i];
        vector.lane = calls[i].function == Function::Avg ? Lane::F64 : Lane::I64;
        vector.data = columns.values[i].data();
        vector.missing = columns.missing[i].data();
    }
    return columns;
}

std::vector<std::vector<Cell>> Statement::rows(Scratch& scratch, std::size_t groups) {
    const CallColumns calls = call_columns(groups);
    Frame frame;
    frame.size = groups;
    frame.calls = calls.vectors;
    std::vector<std::vector<Cell>> rows(groups);
    for (std::size_t group = 0; group < groups; ++group) {
        for (std::size_t k = 0; k < plan_.query.keys.size(); ++k)
            rows[group].push_back(key_cell(group, k));
    }
    for (const Expression& column : plan_.query.columns) {
        const std::vector<Cell> cells = column_cells(scratch, column, frame);
        for (std::size_t group = 0; group < groups; ++group) rows[group].push_back(cells[group]);
    }
    return rows;
}

Answer Statement::finish(Scratch& scratch) {
    const Query& query = plan_.query;
    Answer answer;
    answer.kind = query.kind;
    answer.rows = rows(scratch, query.keys.empty() ? 1 : groups_.size());
    if (query.kind == AnswerKind::Table) {
        answer.count = answer.rows.size();
        answer.titles = query.titles;
        // Groups are numbered in the order in which they are met, which depends on the batch.
        // Sorted rows do not.
        std::ranges::sort(answer.rows);
        return answer;
    }
    answer.value = answer.rows.at(0).at(0);
    answer.rows.clear();
    if (query.kind == AnswerKind::Bool) answer.value = std::get<std::int64_t>(answer.value) != 0;
    if (query.kind == AnswerKind::Count)
        answer.count = static_cast<std::uint64_t>(std::get<std::int64_t>(answer.value));
    return answer;
}

}  // namespace assay::gtql
