#include "rules/multigame/play/played_rules.h"

#include <utility>

namespace assay::rules::multigame {

PlayedRules::PlayedRules(std::shared_ptr<const Tables> tables,
                         const std::shared_ptr<const CompiledProgram>& compiled)
    : tables_(std::move(tables)) {
    if (compiled) {
        compiled_.emplace(compiled);
    } else {
        machine_.emplace(tables_);
    }
}

/// At this position.
Machine& PlayedRules::interpreter() {
    if (!machine_) machine_.emplace(tables_);
    if (compiled_) machine_->load(compiled_->state());
    return *machine_;
}

void PlayedRules::moves(MoveList& out, bool with_names) {
    if (compiled_ && compiled_->moves(out, with_names)) return;
    interpreter().moves(out, with_names);
}

void PlayedRules::setups(MoveList& out) {
    interpreter().setups(out);
}

/// Of all rules, compiled programs can be asked about that of `repetition .. unless perpetual`.
bool PlayedRules::holds(int rule, int side) {
    const bool is_compiled = rule == tables_->form().repetition.perpetual;
    if (compiled_ && is_compiled) return compiled_->perpetual(side);
    return interpreter().holds(rule, side);
}

void PlayedRules::apply_setup(const MoveList& list, std::size_t outcome) {
    Machine& machine = interpreter();
    machine.apply_setup(list, outcome);
    if (compiled_) compiled_->load(machine.state());
}

}  // namespace assay::rules::multigame
