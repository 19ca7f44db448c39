#include "harness/record/run.h"

#include <algorithm>
#include <filesystem>

#include "base/enum_names.h"
#include "harness/record/text_hash.h"

namespace assay::harness {

namespace {

constexpr auto kRunStates = enum_names<RunState>("running", "interrupted", "finished", "failed");
constexpr auto kVerdicts = enum_names<Verdict>("", "accepted", "rejected", "inconclusive");

}  // namespace

std::string_view name_of(RunState state) {
    return kRunStates.of(state);
}

std::optional<RunState> run_state_of(std::string_view name) {
    return kRunStates.find(name);
}

std::string_view name_of(Verdict verdict) {
    return kVerdicts.of(verdict);
}

std::optional<Verdict> verdict_of(std::string_view name) {
    return kVerdicts.find(name);
}

std::string_view name_of(SpeedFinding::State state) {
    return enum_names<SpeedFinding::State>("holds", "broken", "undecided").of(state);
}

std::int64_t MachineRecord::id() const {
    TextHash hash;
    hash.add(host);
    hash.add(cpu);
    if (!worker.empty()) hash.add(worker);
    const auto id = static_cast<std::int64_t>(hash.value());
    return id != 0 ? id : 1;
}

std::string place_of(const std::string& file) {
    std::error_code error;
    std::filesystem::path place = std::filesystem::weakly_canonical(file, error);
    if (error) place = std::filesystem::absolute(file, error);
    return place.string();
}

std::optional<std::uint64_t> RunFindings::begin_in(const std::string& file) const {
    const auto found = std::ranges::find(games_files, place_of(file), &GamesFile::path);
    return found == games_files.end() ? std::nullopt : std::optional(found->size);
}

const MachineRecord& RunRecord::machine_of(std::int64_t number) const {
    const auto found = other_machines.find(number);
    return found == other_machines.end() ? machine : found->second;
}

}  // namespace assay::harness
