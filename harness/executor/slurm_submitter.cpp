#include "harness/executor/slurm_submitter.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "adapters/process/command.h"
#include "adapters/process/group_killer.h"
#include "adapters/process/process.h"
#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr Micros kCallLimit{30'000'000};
constexpr std::uint64_t kMostQueueBytes = std::uint64_t{64} << 20U;
constexpr std::int64_t kUsualArraySize = 1001;
constexpr std::size_t kNameDigits = 8;
/// Array job, index, state, reason, node, comment.
constexpr const char* kQueueFormat = "%F|%K|%t|%r|%N|%k";
constexpr std::size_t kQueueFields = 6;
/// Before its time is over a task is told to end, so that it can finish the pairs in play.
constexpr Micros kNoticeBeforeEnd{90'000'000};

struct Said {
    SlurmAnswer answer;
    std::string out;
};

/// What Slurm's commands inherit beside PATH, HOME, LANG and LC_*. A user's defaults for them are
/// not among it: a squeue that is filtered by SQUEUE_PARTITION hides tasks, which would be
/// submitted again.
constexpr std::array kInherited{
    "SLURM_CONF", "SLURM_CLUSTERS", "LD_LIBRARY_PATH", "USER", "LOGNAME", "SHELL", "TZ"};

std::vector<std::pair<std::string, std::string>> inherited() {
    std::vector<std::pair<std::string, std::string>> env;
    for (const char* const name : kInherited)
        if (const char* const value = std::getenv(name))  // NOLINT(concurrency-mt-unsafe)
            env.emplace_back(name, value);
    return env;
}

Said slurm_call(const std::vector<std::string>& words) {
    adapters::ProgramSpec spec;
    spec.name = words.front();
    // A task on this machine would inherit the mark, and be killed as a process that sbatch left.
    spec.argv = {"env", "-u", adapters::kMarkVariable};
    spec.argv.insert(spec.argv.end(), words.begin(), words.end());
    spec.env = inherited();
    spec.has_bare_environment = true;
    std::string error;
    Said said;
    adapters::CommandRunner runner;
    const adapters::CommandEnd end = runner.run(
        spec, {kCallLimit, kMostQueueBytes},
        [&](std::string_view bytes, bool is_error) { (is_error ? error : said.out) += bytes; });
    said.answer.is_done = end.is_success();
    if (said.answer.is_done) return said;
    said.answer.error = each_line(trim(error), "; ", printable_utf8);
    using How = adapters::CommandEnd::How;
    said.answer.may_pass = is_passing(error) || end.how == How::OutOfTime ||
                           end.how == How::NotLaunched || end.how == How::Interrupted;
    if (said.answer.error.empty() || end.how != How::Exited)
        said.answer.error = fmt::format("{} {}", words.front(), end.reason);
    return said;
}

std::string time_text(Micros time) {
    const std::int64_t seconds = std::max<std::int64_t>(60, time.count() / 1'000'000);
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace

bool SlurmTask::is_live() const {
    constexpr std::array<std::string_view, 10> kOver{"CD", "CA", "F",   "TO", "NF",
                                                     "PR", "BF", "OOM", "DL", "RV"};
    return std::ranges::find(kOver, state) == kOver.end();
}

SlurmSubmitter::SlurmSubmitter(SlurmPlan plan, std::string uid, std::string folder,
                               std::string program)
    : plan_(std::move(plan)),
      uid_(std::move(uid)),
      folder_(std::move(folder)),
      program_(std::move(program)) {}

void SlurmSubmitter::check_installed() {
    for (const char* const command : {"sbatch", "squeue", "scancel"}) {
        if (!adapters::find_program(command).empty()) continue;
        throw Error(fmt::format(
            "executor.slurm: there is no '{}' in PATH; start assay where Slurm's commands are (on "
            "Debian: apt-get install slurm-client), or set submit: false and start 'assay work' by "
            "other means",
            command));
    }
}

std::string SlurmSubmitter::job_name() const {
    return "assay-" + uid_.substr(0, kNameDigits);
}

std::vector<std::string> SlurmSubmitter::sbatch_words(
    const std::vector<std::int64_t>& batches,
    const std::vector<std::string>& excluded_nodes) const {
    const std::int64_t notice =
        std::min<std::int64_t>(kNoticeBeforeEnd.count(), plan_.time.count() / 4) / 1'000'000;
    std::vector<std::string> words{
        "sbatch", "--parsable", "--requeue",
        // Of the few variables that sbatch has here. NIL and NONE start the user's login shell on
        // the node before each task, which may take minutes, and fail.
        "--export=ALL", fmt::format("--array={}%{}", array_text(batches), plan_.slots),
        "--job-name=" + job_name(), fmt::format("--comment={}:{}", uid_, batches.front()),
        fmt::format("--cpus-per-task={}", plan_.cpus), "--time=" + time_text(plan_.time),
        fmt::format("--signal=B:TERM@{}", std::max<std::int64_t>(1, notice)),
        "--output=" + folder_ + "/log/%A_%a.out", "--open-mode=append"};
    if (!plan_.partition.empty()) words.push_back("--partition=" + plan_.partition);
    if (!excluded_nodes.empty()) words.push_back("--exclude=" + joined(excluded_nodes, ","));
    words.insert(words.end(), plan_.options.begin(), plan_.options.end());
    words.insert(words.end(), {folder_ + "/task.sh", program_, "work", "--batch", folder_,
                               std::to_string(batches.front())});
    return words;
}

SlurmAnswer SlurmSubmitter::submit(const std::vector<std::int64_t>& batches,
                                   const std::vector<std::string>& excluded_nodes) const {
    return slurm_call(sbatch_words(batches, excluded_nodes)).answer;
}

SlurmQueue SlurmSubmitter::queue() const {
    const Said said =
        slurm_call({"squeue", "-h", "-r", "-t", "all", "-n", job_name(), "-o", kQueueFormat});
    SlurmQueue queue;
    static_cast<SlurmAnswer&>(queue) = said.answer;
    queue.tasks = slurm_tasks_of(said.out, uid_);
    return queue;
}

SlurmAnswer SlurmSubmitter::cancel(bool pending_alone) const {
    std::vector<std::string> words{"scancel", "--name=" + job_name()};
    if (pending_alone) words.emplace_back("--state=PENDING");
    return slurm_call(words).answer;
}

SlurmAnswer SlurmSubmitter::cancel_task(const SlurmTask& task) {
    return slurm_call({"scancel", fmt::format("{}_{}", task.job, task.index)}).answer;
}

std::int64_t SlurmSubmitter::most_at_once() {
    const Said said = slurm_call({"scontrol", "show", "config"});
    for (std::string_view rest = said.out; !rest.empty();) {
        std::string_view line = take_line(rest);
        if (take_word(line) != "MaxArraySize") continue;
        (void)take_word(line);  // "="
        return std::max<std::int64_t>(2, to_number<std::int64_t>(trim(line)).value_or(0));
    }
    return kUsualArraySize;
}

std::vector<SlurmTask> slurm_tasks_of(std::string_view text, std::string_view uid) {
    std::vector<SlurmTask> tasks;
    while (!text.empty()) {
        const std::vector<std::string_view> fields = split_at(trim(take_line(text)), '|');
        if (fields.size() != kQueueFields) continue;
        const std::string_view comment = fields[5];
        const std::size_t colon = comment.find(':');
        if (colon == std::string_view::npos || comment.substr(0, colon) != uid) continue;
        const auto first = to_number<std::int64_t>(comment.substr(colon + 1));
        const auto index = to_number<std::int64_t>(fields[1]);
        if (!first || !index) continue;
        tasks.push_back({std::string(fields[0]), *first + *index, std::string(fields[2]),
                         std::string(fields[3]), std::string(fields[4]), *index});
    }
    return tasks;
}

std::string array_text(const std::vector<std::int64_t>& batches) {
    std::string text;
    for (std::size_t i = 0; i < batches.size();) {
        std::size_t last = i;
        while (last + 1 < batches.size() && batches[last + 1] == batches[last] + 1) ++last;
        const std::int64_t from = batches[i] - batches.front();
        const std::int64_t to = batches[last] - batches.front();
        text += (text.empty() ? "" : ",") +
                (from == to ? std::to_string(from) : fmt::format("{}-{}", from, to));
        i = last + 1;
    }
    return text;
}

bool is_too_many(std::string_view error) {
    constexpr std::array<std::string_view, 4> kTooMany{
        "MaxSubmit", "Job violates accounting/QOS policy", "MaxArraySize",
        "Invalid job array specification"};
    return std::ranges::any_of(kTooMany, [error](std::string_view words) {
        return error.find(words) != std::string_view::npos;
    });
}

bool is_passing(std::string_view error) {
    // Words of Slurm's own messages (slurm_errno.c), which are not translated. A controller that is
    // killed as it reads or answers is told of in any of the words of the transport.
    constexpr std::array<std::string_view, 23> kPassing{"Unable to contact slurm controller",
                                                        "Zero Bytes were transmitted",
                                                        "Socket timed out",
                                                        "Connection refused",
                                                        "Connection reset",
                                                        "Connection timed out",
                                                        "Unable to connect",
                                                        "Broken pipe",
                                                        "Unexpected missing socket error",
                                                        "Transport endpoint is not connected",
                                                        "Message send failure",
                                                        "Message receive failure",
                                                        "Unexpected message received",
                                                        "Header lengths are longer than data",
                                                        "Insane message length",
                                                        "in standby mode",
                                                        "try again",
                                                        "MaxSubmit",
                                                        "Job violates accounting/QOS policy",
                                                        "Slurm temporarily unable",
                                                        "Slurm backup controller",
                                                        "Communication connection failure",
                                                        "Munge"};
    return std::ranges::any_of(kPassing, [error](std::string_view words) {
        return error.find(words) != std::string_view::npos;
    });
}

}  // namespace assay::harness
