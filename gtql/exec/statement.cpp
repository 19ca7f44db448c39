#include "gtql/exec/statement.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/diagnostic.h"
#include "base/random.h"
#include "gtql/exec/kernels.h"

namespace assay::gtql {

Groups::Groups(std::size_t words) : words_(words), places_(64, 0) {}

std::size_t Groups::place_of(const std::int64_t* key) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < words_; ++i) {
        hash = mix64(hash, static_cast<std::uint64_t>(key[i]));
    }
    std::size_t place = hash & (places_.size() - 1);
    while (places_[place] != 0 &&
           !std::equal(key, key + words_, keys_.data() + (places_[place] - 1) * words_)) {
        place = (place + 1) & (places_.size() - 1);
    }
    return place;
}

void Groups::grow() {
    places_.assign(places_.size() * 2, 0);
    const std::size_t count = size();
    for (std::size_t group = 0; group < count; ++group) {
        places_[place_of(key(group))] = static_cast<std::uint32_t>(group) + 1;
    }
}

std::size_t Groups::number_of(const std::int64_t* wanted) {
    const bool is_last = last_ < size() && std::equal(wanted, wanted + words_, key(last_));
    if (is_last) return last_;
    std::size_t place = place_of(wanted);
    if (places_[place] == 0) {
        if (size() == kMostRows) {
            throw Error("a table of more than " + std::to_string(kMostRows) + " rows");
        }
        keys_.insert(keys_.end(), wanted, wanted + words_);
        places_[place] = static_cast<std::uint32_t>(size());
        if (size() * 2 > places_.size()) {
            grow();
            place = place_of(wanted);
        }
    }
    last_ = places_[place] - 1;
    return last_;
}

Statement::Statement(const Plan& plan, const std::vector<std::string>& moves)
    : plan_(plan), moves_(moves), groups_(std::max<std::size_t>(1, plan.query.keys.size() * 2)) {
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
        const std::int64_t none = 0;
        (void)groups_.number_of(&none);
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
    // Two words a key: its value, and whether there is none.
    const std::size_t words = plan_.query.keys.size() * 2;
    key_values_.assign(frame.size * words, 0);
    for (std::size_t k = 0; k < plan_.query.keys.size(); ++k) {
        const Vector values = batch.evaluator->wide(plan_.query.keys[k], frame);
        const auto* const value = values.as<std::int64_t>();
        for (std::size_t i = 0; i < frame.size; ++i) {
            const bool is_missing = values.missing != nullptr && values.missing[i] != 0;
            key_values_[i * words + k * 2] = is_missing ? 0 : value[i];
            key_values_[i * words + k * 2 + 1] = is_missing ? 1 : 0;
        }
        batch.scratch->give_back(values);
    }
    numbers_.resize(frame.size);
    for (std::size_t i = 0; i < frame.size; ++i) {
        numbers_[i] = static_cast<std::uint32_t>(groups_.number_of(key_values_.data() + i * words));
    }
    for (auto& each : tallies_) each.resize(groups_.size());
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
        const auto* const value = values.as<std::int64_t>();
        for (std::size_t i = 0; i < frame.size; ++i) {
            const bool is_missing = values.missing != nullptr && values.missing[i] != 0;
            if (counts[i] == 0 || is_missing) continue;
            fold(call.function, tallies[has_keys ? numbers_[i] : 0], value[i]);
        }
        batch.scratch->give_back(values);
    }
    batch.scratch->give_back(mask);
}

Cell Statement::key_cell(std::size_t group, std::size_t which) const {
    const std::int64_t* const key = groups_.key(group) + which * 2;
    if (key[1] != 0) return std::monostate{};
    if (!plan_.is_move_key[which]) return key[0];
    return moves_.at(static_cast<std::size_t>(key[0]));
}

std::vector<Cell> Statement::column_cells(Scratch& scratch, const Expression& column,
                                          const Frame& all) const {
    std::vector<Cell> cells;
    std::vector<Vector> calls;
    Evaluator evaluator(scratch);
    for (std::size_t from = 0; from < all.size; from += scratch.capacity()) {
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

Answer Statement::finish(Scratch& scratch) {
    const Query& query = plan_.query;
    const std::size_t groups = groups_.size();
    std::vector<std::vector<std::int64_t>> values(query.calls.size());
    std::vector<std::vector<std::uint8_t>> missing(query.calls.size());
    std::vector<Vector> calls(query.calls.size());
    for (std::size_t i = 0; i < query.calls.size(); ++i) {
        if (query.calls[i].scope != Part::Node) continue;
        tallies_[i].resize(groups);
        for (const Tally& each : tallies_[i]) {
            values[i].push_back(value_of(query.calls[i].function, each));
            missing[i].push_back(is_missing(query.calls[i].function, each) ? 1 : 0);
        }
        calls[i].lane = query.calls[i].function == Function::Avg ? Lane::F64 : Lane::I64;
        calls[i].data = values[i].data();
        calls[i].missing = missing[i].data();
    }
    Frame frame;
    frame.size = groups;
    frame.calls = calls;

    Answer answer;
    answer.kind = query.kind;
    answer.rows.resize(groups);
    for (std::size_t group = 0; group < groups; ++group) {
        for (std::size_t k = 0; k < query.keys.size(); ++k) {
            answer.rows[group].push_back(key_cell(group, k));
        }
    }
    for (const Expression& column : query.columns) {
        const std::vector<Cell> cells = column_cells(scratch, column, frame);
        for (std::size_t group = 0; group < groups; ++group) {
            answer.rows[group].push_back(cells[group]);
        }
    }
    answer.count = groups;
    if (query.kind == AnswerKind::Table) {
        answer.titles = query.titles;
        std::ranges::sort(answer.rows);
        return answer;
    }
    answer.value = answer.rows.at(0).at(0);
    answer.rows.clear();
    if (query.kind == AnswerKind::Bool) answer.value = std::get<std::int64_t>(answer.value) != 0;
    answer.count = query.kind == AnswerKind::Count
                       ? static_cast<std::uint64_t>(std::get<std::int64_t>(answer.value))
                       : 0;
    return answer;
}

}  // namespace assay::gtql
