// A start costs more than a short game, so that no program is started that is here already: the
// next encounter may have it at another place (the other side, or one of another pairing), and it
// moves there. A program that lost on time without an answer is a case of its own. It must answer
// before it can be given another game, and whether it does tells a late program from one that
// hangs: the slot does not wait for that, but keeps it aside and plays on.
#include "harness/executor/slot/slot_programs.h"

#include <algorithm>
#include <utility>

namespace assay::harness {

std::vector<std::optional<std::size_t>> SlotPrograms::stayers(
    const std::vector<adapters::ProgramSpec>& specs) const {
    std::vector<std::optional<std::size_t>> from(specs.size());
    std::vector<bool> is_wanted(members_.size());
    const auto stay = [&](std::size_t member, std::size_t place) {
        const Member& one = members_[member];
        if (from[place] || is_wanted[member]) return;
        if (!one.running || one.running->spec() != specs[place]) return;
        from[place] = member;
        is_wanted[member] = true;
    };
    // First those that need not move: equal programs would change places for nothing.
    for (std::size_t place = 0; place < std::min(specs.size(), members_.size()); ++place)
        stay(place, place);
    for (std::size_t place = 0; place < specs.size(); ++place)
        for (std::size_t member = 0; member < members_.size(); ++member) stay(member, place);
    return from;
}

void SlotPrograms::take(const std::vector<adapters::ProgramSpec>& specs, std::size_t match) {
    const std::vector<std::optional<std::size_t>> from = stayers(specs);
    Members members(specs.size());
    for (std::size_t place = 0; place < specs.size(); ++place) {
        const int number = static_cast<int>(place);
        if (from[place]) {
            members[place] = std::move(members_[*from[place]]);
            members[place].running->assign(number, owner_);
        } else {
            members[place].running = pool_.take(specs[place], number, owner_);
        }
    }
    // Last: what is taken from the pool leaves room there for these.
    give_back(match);
    members_ = std::move(members);
}

void SlotPrograms::give_back(std::size_t match) {
    for (std::size_t i = 0; i < members_.size(); ++i)
        give_back(members_[i], {match, static_cast<int>(i)});
}

void SlotPrograms::give_back(Member& member, const Participant& who) {
    if (!member.running) return;
    steps_of_others_ += member.running->launch_steps();
    if (std::exchange(member.is_silent, false) && member.running->is_draining()) {
        member.running->assign(kLeaves, owner_);
        leaving_.push_back({std::move(member.running), who});
        return;
    }
    pool_.give_back(std::move(member.running));
}

void SlotPrograms::forget_silent() {
    for (Member& member : members_) member.is_silent = false;
    for (Leaving& one : std::exchange(leaving_, {})) pool_.give_back(std::move(one.running));
}

std::optional<Participant> SlotPrograms::left_as(const RunningProgram& running) const {
    for (const Leaving& one : leaving_) {
        if (one.running.get() == &running) return one.who;
    }
    return std::nullopt;
}

void SlotPrograms::drop(const RunningProgram& leaving) {
    const auto found = std::ranges::find_if(
        leaving_, [&leaving](const Leaving& one) { return one.running.get() == &leaving; });
    if (found == leaving_.end()) return;
    pool_.give_back(std::move(found->running));
    leaving_.erase(found);
}

void SlotPrograms::watch_leaving(TimePoint now,
                                 const std::function<void(const Participant&)>& on_answer) {
    // What one tells may take all of them away from here.
    for (std::size_t i = leaving_.size(); i-- > 0;) {
        if (i >= leaving_.size()) continue;
        RunningProgram& running = *leaving_[i].running;
        running.tick(now);
        if (i >= leaving_.size() || leaving_[i].running.get() != &running) continue;
        if (!running.is_ready()) continue;
        const Participant who = leaving_[i].who;
        drop(running);
        on_answer(who);
    }
}

bool SlotPrograms::are_all_ready() const {
    return std::ranges::all_of(members_, &Member::is_ready);
}

bool SlotPrograms::is_waiting_for_launch() const {
    return std::ranges::any_of(members_, [](const Member& one) {
        return one.running && one.running->is_waiting_for_launch();
    });
}

std::uint64_t SlotPrograms::launch_steps() const {
    std::uint64_t steps = steps_of_others_;
    for (const Member& one : members_) steps += one.running ? one.running->launch_steps() : 0;
    return steps;
}

}  // namespace assay::harness
