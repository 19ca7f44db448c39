#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "adapters/process/process.h"
#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/table.h"
#include "cli/frame/values.h"
#include "configs/loader/loader.h"
#include "harness/executor/folder/part_taker.h"
#include "harness/executor/slurm_folder.h"
#include "harness/executor/slurm_submitter.h"
#include "harness/fleet/fleet_status.h"
#include "harness/store/store.h"
#include "harness/store/store_lock.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr const char* kFleetExamples = R"(examples:
  assay fleet status match.yaml
  assay fleet status /shared/me/fleet/0123456789abcdef0123456789abcdef --json
  assay fleet status match.yaml --check || mail -s 'the fleet is in trouble' me
  assay fleet requeue match.yaml 7
  assay fleet stop match.yaml

RUN is a config with 'executor: {slurm: …}', of which the newest run in the store is meant, or the
folder of a run. Of a finished run 'status CONFIG' takes parts into the store that came after the
end of the run; they count nowhere.

exit codes: 0 done · 1 --check: something is in trouble · 2 wrong flags, config or folder ·
4 stop, requeue: Slurm does not answer)";

constexpr const char* kStopExamples = R"(examples:
  assay fleet stop match.yaml

Nothing more of the run is played. 'assay run match.yaml --resume' goes on.)";

constexpr const char* kRequeueExamples = R"(examples:
  assay fleet requeue match.yaml 7
  assay fleet requeue /shared/me/fleet/0123456789abcdef0123456789abcdef 7 8

Cancels the tasks of these batches, so that the run submits them again: for a task that hangs. Of
the three submissions that a batch has in vain this is none.)";

struct FleetFlags {
    std::string run;
    std::string store = "assay.db";
    std::vector<std::int64_t> batches;
    bool json = false;
    bool check = false;
};

/// The folder of a run, and the run where the store tells it.
struct FoundFleet {
    harness::SlurmFolder folder;
    std::optional<harness::RunRecord> run;
};

FoundFleet find_fleet(const FleetFlags& flags) {
    if (fs::is_directory(flags.run)) return {harness::SlurmFolder(flags.run), std::nullopt};
    configs::RunFlags config;
    config.files = {flags.run};
    config.checks_files = false;
    const harness::RunPlan plan = configs::plan_from_flags(config);
    if (!plan.slurm)
        throw Error(printable_utf8(flags.run) +
                    ": it has no 'executor: {slurm: …}', so that its runs are played here");
    const harness::Store store(flags.store, harness::Store::Access::Read);
    for (harness::RunRecord& run : store.runs()) {
        const std::string folder = plan.slurm->folder + "/" + run.uid;
        if (run.name == plan.name && fs::is_directory(folder))
            return {harness::SlurmFolder(folder), std::move(run)};
    }
    throw Error(fmt::format("{} has no run of '{}' with a folder in {}",
                            printable_utf8(flags.store), printable_utf8(plan.name),
                            printable_utf8(plan.slurm->folder)));
}

harness::SlurmFolder folder_of(const FleetFlags& flags) {
    return find_fleet(flags).folder;
}

harness::SlurmSubmitter submitter_of(const harness::SlurmFolder& folder) {
    return {harness::SlurmPlan(), folder.spec().uid, folder.path(), ""};
}

bool has_slurm() {
    return !adapters::find_program("squeue").empty();
}

json::value json_of(const std::optional<double>& number) {
    return number ? json::value(*number) : json::value();
}

std::optional<double> nps_of(const harness::NodeStatus& node) {
    return node.speed ? std::optional(node.speed->nps) : std::nullopt;
}

std::optional<double> factor_of(const harness::NodeStatus& node) {
    return node.speed && node.speed->factor > 0 ? std::optional(node.speed->factor) : std::nullopt;
}

std::string json_of(const harness::FleetStatus& status, const harness::LateParts& left) {
    json::object nodes;
    for (const auto& [name, node] : status.nodes)
        nodes[printable_utf8(name)] = {{"batches", node.batches},
                                       {"pairs", node.pairs},
                                       {"pairs_per_hour", node.pairs_per_hour},
                                       {"playing", node.playing},
                                       {"lost", node.lost},
                                       {"late", node.late},
                                       {"failed", node.failed},
                                       {"time_losses", node.time_losses},
                                       {"nps", json_of(nps_of(node))},
                                       {"factor", json_of(factor_of(node))},
                                       {"trouble", printable_utf8(node.trouble)}};
    json::array trouble;
    for (const std::string& sentence : status.trouble)
        trouble.emplace_back(printable_utf8(sentence));
    json::object object{{"schema", 1},
                        {"uid", status.uid},
                        {"stopped", status.is_stopped},
                        {"batches",
                         {{"all", status.batches},
                          {"done", status.done},
                          {"playing", status.playing},
                          {"queued", status.queued},
                          {"open", status.open}}},
                        {"pairs", status.pairs},
                        {"pairs_done", status.pairs_done},
                        {"blocking", nullptr},
                        {"hours_left", nullptr},
                        {"nodes", std::move(nodes)},
                        {"trouble", std::move(trouble)}};
    if (status.blocking)
        object["blocking"] = {{"batch", *status.blocking},
                              {"why", printable_utf8(status.blocking_text)}};
    if (left.parts > 0 || !left.sentences.empty()) {
        json::array sentences;
        for (const std::string& sentence : left.sentences)
            sentences.emplace_back(printable_utf8(sentence));
        object["came_late"] = {
            {"parts", left.parts}, {"pairs", left.pairs}, {"sentences", std::move(sentences)}};
    }
    if (status.hours_left) object["hours_left"] = *status.hours_left;
    return json::serialize(object);
}

/// "-" where there is none.
std::string fixed_text(const std::optional<double>& number, int digits) {
    return number ? fmt::format("{:.{}f}", *number, digits) : "-";
}

void print(const harness::FleetStatus& status) {
    std::printf("run %s%s\n", status.uid.c_str(), status.is_stopped ? ", stopped" : "");
    std::printf("batches  %lld of %lld done, %lld played, %lld in the queue, %lld open\n",
                static_cast<long long>(status.done), static_cast<long long>(status.batches),
                static_cast<long long>(status.playing), static_cast<long long>(status.queued),
                static_cast<long long>(status.open));
    std::printf("pairs    %lld of %lld\n", static_cast<long long>(status.pairs_done),
                static_cast<long long>(status.pairs));
    if (status.blocking && !status.is_stopped)
        std::printf("next     batch %lld %s\n", static_cast<long long>(*status.blocking),
                    printable_utf8(status.blocking_text).c_str());
    if (status.hours_left) std::printf("left     about %.1f h\n", *status.hours_left);
    if (!status.nodes.empty())
        std::printf("%-16s %8s %8s %8s %8s %6s %6s %7s %6s %10s %7s\n", "node", "batches", "pairs",
                    "pairs/h", "playing", "lost", "late", "failed", "time", "nps", "factor");
    for (const auto& [name, node] : status.nodes) {
        std::printf("%-16s %8lld %8lld %8.0f %8lld %6lld %6lld %7lld %6lld %10s %7s\n",
                    printable_utf8(name).c_str(), static_cast<long long>(node.batches),
                    static_cast<long long>(node.pairs), node.pairs_per_hour,
                    static_cast<long long>(node.playing), static_cast<long long>(node.lost),
                    static_cast<long long>(node.late), static_cast<long long>(node.failed),
                    static_cast<long long>(node.time_losses), fixed_text(nps_of(node), 0).c_str(),
                    fixed_text(factor_of(node), 2).c_str());
        if (!node.trouble.empty())
            std::printf("%-16s %s\n", "", printable_utf8(node.trouble).c_str());
    }
    for (const std::string& sentence : status.trouble)
        std::printf("trouble: %s\n", printable_utf8(sentence).c_str());
}

/// Parts that came when the coordinator had ended: the store of a finished run gets them here.
harness::LateParts record_late_parts(const FleetFlags& flags, const FoundFleet& fleet) {
    using harness::Store;
    if (!fleet.run || fleet.run->state != harness::RunState::Finished) return {};
    const bool has_some =
        !late_parts_in(fleet.folder, *fleet.run, Store(flags.store, Store::Access::Read)).empty();
    if (!has_some || harness::is_locked(flags.store)) return {};
    const harness::StoreLock lock(flags.store);
    Store store(flags.store, Store::Access::Write);
    // Another command may have gone on with it until the lock was ours.
    const auto run = store.find_uid(fleet.run->uid);
    if (!run || run->state != harness::RunState::Finished) return {};
    return take_late_parts(fleet.folder, *run, store);
}

/// What cannot be recorded keeps nobody from seeing the status.
harness::LateParts try_to_record_late_parts(const FleetFlags& flags, const FoundFleet& fleet) {
    try {
        return record_late_parts(flags, fleet);
    } catch (const Error& error) {
        harness::LateParts none;
        none.sentences = {fmt::format("what came after the end is not recorded: {}", error.what())};
        return none;
    }
}

void print(const harness::LateParts& left) {
    if (left.parts > 0)
        std::printf("late     %s with %s came after the end: in the store now, and count nowhere\n",
                    counted(left.parts, "part").c_str(), counted(left.pairs, "pair").c_str());
    for (const std::string& sentence : left.sentences)
        std::printf("part: %s\n", printable_utf8(sentence).c_str());
}

void show(const FleetFlags& flags, Exit& exit) {
    const FoundFleet fleet = find_fleet(flags);
    const harness::SlurmFolder& folder = fleet.folder;
    std::optional<harness::SlurmQueue> queue;
    if (has_slurm()) queue = submitter_of(folder).queue();
    const harness::FleetStatus status =
        harness::fleet_status(folder, queue ? &*queue : nullptr, wall_clock_us());
    const harness::LateParts left = try_to_record_late_parts(flags, fleet);
    if (flags.json) {
        std::printf("%s\n", json_of(status, left).c_str());
    } else {
        print(status);
        print(left);
    }
    if (flags.check && !status.trouble.empty()) exit.code = 1;
}

/// Throws Error where Slurm refuses.
void check(const harness::SlurmAnswer& answer) {
    if (!answer.is_done) throw Error("Slurm: " + answer.error, 4);
}

void stop(const FleetFlags& flags) {
    const harness::SlurmFolder folder = folder_of(flags);
    (void)folder.spec();  // nothing is written into a folder that is no run's
    folder.set_stopped(true);
    if (has_slurm()) check(submitter_of(folder).cancel(false));
    std::printf("stopped: no more batches are played; --resume goes on with the run\n");
}

void check_batches(const FleetFlags& flags, const harness::SlurmFolder& folder) {
    const std::int64_t count = folder.spec().batches();
    for (const std::int64_t batch : flags.batches) {
        if (batch < count) continue;
        throw Error(fmt::format("fleet requeue: there is no batch {}: the run has {}, 0 to {}",
                                batch, count, count - 1));
    }
}

void requeue(const FleetFlags& flags) {
    const harness::SlurmFolder folder = folder_of(flags);
    check_batches(flags, folder);
    const harness::SlurmSubmitter submitter = submitter_of(folder);
    const harness::SlurmQueue queue = submitter.queue();
    check(queue);
    for (const std::int64_t batch : flags.batches) {
        if (folder.is_done(batch)) {
            std::printf("batch %lld has been played\n", static_cast<long long>(batch));
            continue;
        }
        bool is_found = false;
        for (const harness::SlurmTask& task : queue.tasks) {
            if (task.batch != batch || !task.is_live()) continue;
            if (!is_found) folder.note_requeued(batch);
            check(submitter.cancel_task(task));
            is_found = true;
        }
        std::printf("batch %lld %s\n", static_cast<long long>(batch),
                    is_found ? "is taken from its task; the run submits it again"
                             : "has no task; the run submits it when it finds that out");
    }
}

/// The words that all of them take.
Command* add_words(Command& fleet, FleetFlags& flags, const char* name, const char* help,
                   const char* examples) {
    Command* const command = fleet.add_subcommand(name, help);
    command->add_option("run", flags.run, "a config, or the folder of a run")
        ->type_name("RUN")
        ->required();
    command->add_option("--db", flags.store, "the store")->type_name("FILE")->capture_default_str();
    command->footer(examples);
    return command;
}

}  // namespace

void add_fleet(Command& app, Exit& exit) {
    const auto flags = std::make_shared<FleetFlags>();
    Command* const fleet =
        app.add_subcommand("fleet", "show, stop and mend a run that many machines play");
    fleet->require_subcommand(1);
    fleet->footer(kFleetExamples);
    Command* const status = add_words(*fleet, *flags, "status",
                                      "batches, nodes, and what is in trouble", kFleetExamples);
    status->add_flag("--json", flags->json, "as one JSON object");
    status->add_flag("--check", flags->check, "exit code 1 where something is in trouble");
    status->callback([flags, &exit] { show(*flags, exit); });
    add_words(*fleet, *flags, "stop", "end all tasks of a run", kStopExamples)->callback([flags] {
        stop(*flags);
    });
    Command* const again =
        add_words(*fleet, *flags, "requeue", "take batches from their tasks and play them again",
                  kRequeueExamples);
    again->add_option("batches", flags->batches, "numbers of batches")
        ->type_name("BATCH")
        ->transform(number(std::int64_t{0}, std::int64_t{1'000'000'000}))
        ->required();
    again->callback([flags] { requeue(*flags); });
}

}  // namespace assay::cli
