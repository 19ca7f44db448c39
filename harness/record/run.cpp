#include "harness/record/run.h"

#include "harness/record/text_hash.h"

namespace assay::harness {

std::string_view name_of(RunState state) {
    switch (state) {
        case RunState::Running:
            return "running";
        case RunState::Interrupted:
            return "interrupted";
        case RunState::Finished:
            return "finished";
        case RunState::Failed:
            break;
    }
    return "failed";
}

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::Accepted:
            return "accepted";
        case Verdict::Rejected:
            return "rejected";
        case Verdict::Inconclusive:
            return "inconclusive";
        case Verdict::None:
            break;
    }
    return "";
}

std::int64_t MachineRecord::id() const {
    TextHash hash;
    hash.add(host);
    hash.add(cpu);
    const auto id = static_cast<std::int64_t>(hash.value());
    return id != 0 ? id : 1;
}

const MachineRecord& RunRecord::machine_of(std::int64_t number) const {
    const auto found = other_machines.find(number);
    return found == other_machines.end() ? machine : found->second;
}

}  // namespace assay::harness
