#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/loader/plan_reader.h"

namespace assay::configs {

namespace {

/// Options of sbatch that assay gives itself, or that would take the tasks of a run from its
/// coordinator: held, elsewhere, not submitted at all, or waited for.
constexpr std::array<std::string_view, 22> kOurs{
    "array",  "clusters",  "comment",   "cpus-per-task", "error",    "export",
    "hold",   "job-name",  "open-mode", "output",        "parsable", "requeue",
    "signal", "test-only", "time",      "wait",          "wrap",     "help",
    "usage",  "version",   "input",     "export-file"};

/// Their letters, and those of options that take no value, behind which another letter may stand.
constexpr std::string_view kOurLetters = "aMceoHJtWhuVi";
constexpr std::string_view kLettersWithoutValue = "IOQsv";

constexpr Micros kLeastCheck = std::chrono::milliseconds(100);
constexpr Micros kMostCheck = std::chrono::hours(1);

/// sbatch takes abbreviations: "--arr=0-1" is "--array=0-1".
bool is_ours(std::string_view name) {
    if (name.starts_with("--")) {
        name.remove_prefix(2);
        return std::ranges::any_of(
            kOurs, [name](std::string_view ours) { return ours.starts_with(name); });
    }
    for (const char letter : name.substr(1)) {
        if (kOurLetters.find(letter) != std::string_view::npos) return true;
        if (kLettersWithoutValue.find(letter) == std::string_view::npos) return false;
    }
    return false;
}

/// Why a word may not be one of `options`; empty: it may.
std::string refusal_of(std::string_view option) {
    const std::string_view name = option.substr(0, option.find('='));
    if (!option.starts_with('-') || name == "-")
        return fmt::format(
            "'{}' is no option of sbatch: they begin with '-', and a value follows '='",
            printable_utf8(option));
    if (!is_ours(name)) return "";
    return fmt::format(
        "'{}' cannot be given to sbatch: it is, or abbreviates, what assay sets itself "
        "or needs unset",
        printable_utf8(name));
}

void check_options(const Section& slurm, const std::vector<std::string>& options) {
    for (const std::string& option : options) {
        const std::string refusal = refusal_of(option);
        if (!refusal.empty()) slurm.complain(slurm.place_of("options"), refusal);
    }
}

}  // namespace

void read_executor(const Section& top, harness::RunPlan& plan) {
    const Value* const found = top.find("executor");
    if (found == nullptr || top.word("executor")) return;
    const auto block = top.block("executor");
    if (!block) return;
    block->need({"slurm"});
    const auto slurm = block->block("slurm");
    if (!slurm) return;
    slurm->need({"folder"});
    harness::SlurmPlan& read = plan.slurm.emplace();
    read.folder = slurm->path("folder").value_or("");
    read.slots = slurm->whole_or("slots", read.slots);
    read.cpus = slurm->whole_or("cpus", read.cpus);
    read.time = slurm->get<Micros>("time").value_or(read.time);
    if (read.time < std::chrono::minutes(1))
        slurm->complain(slurm->place_of("time"), "time must be at least 1min, as Slurm counts");
    if (const auto batch = slurm->get<std::int64_t>("batch")) read.batch = static_cast<int>(*batch);
    read.partition = slurm->get<std::string>("partition").value_or("");
    read.options =
        slurm->words("options", Section::Base::Later).value_or(std::vector<std::string>());
    check_options(*slurm, read.options);
    read.check = slurm->get<Micros>("check").value_or(read.check);
    if (read.check < kLeastCheck || read.check > kMostCheck)
        slurm->complain(slurm->place_of("check"),
                        "check must be from 100ms, as the controller answers all users, to 1h");
    read.submits = slurm->get<bool>("submit").value_or(true);
    read.scale = block->get<bool>("scale").value_or(true);
    read.ships = block->get<bool>("ship").value_or(true);
    const auto reference = block->get<std::uint64_t>("reference");
    if (reference && *reference == 0)
        block->complain(block->place_of("reference"),
                        "reference is nodes a second, for example 1500k; leave it out for 'auto'");
    read.reference = static_cast<double>(reference.value_or(0));
}

}  // namespace assay::configs
