// Many batches of one pair through a real folder, by workers of which some die: each pair must
// count once, and each claim of one be counted, late, lost or given back. Workers are processes
// that end with _exit() where they die; the coordinator is the one of a run without its programs.
// The folder is made in the current one, on the disk to be tried.
//   fleet_batches [BATCHES [SEED]]
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/random.h"
#include "harness/executor/executor.h"
#include "harness/executor/fleet_match.h"
#include "harness/executor/slurm_folder.h"
#include "harness/store/part/part_seal.h"
#include "harness/store/store.h"
#include "tests/harness/store/sample_records.h"

namespace {

using namespace assay::harness;
using assay::test::sample_game;
using assay::test::sample_pair;

constexpr int kWorkers = 2;
constexpr int kPlies = 20;

/// What chance does to a worker in a batch.
enum class Fate { Plays, DiesBeforeClaim, DiesInPlay, DiesInCopy, DiesBeforeEnd, IsOvertaken };

Fate drawn_fate(assay::Random& random) {
    const std::uint64_t draw = random.below(1000);
    if (draw < 5) return Fate::DiesBeforeClaim;  // 2 % die in all
    if (draw < 10) return Fate::DiesInPlay;
    if (draw < 15) return Fate::DiesInCopy;
    if (draw < 20) return Fate::DiesBeforeEnd;
    if (draw < 25) return Fate::IsOvertaken;
    return Fate::Plays;
}

/// One worker's share of the batches. What it has come to is in memory that its processes share.
struct Progress {
    std::int64_t next = 0;
    std::int64_t deaths = 0;
    std::int64_t overtaken = 0;
};

class Worker {
public:
    Worker(SlurmFolder folder, RunRecord run, std::string local, Progress& progress)
        : folder_(std::move(folder)),
          run_(std::move(run)),
          local_(std::move(local)),
          progress_(progress) {}

    void play(std::int64_t batches, assay::Random& random) {
        for (; progress_.next < batches; progress_.next += kWorkers)
            play_batch(progress_.next, drawn_fate(random));
    }

private:
    [[noreturn]] void die() {
        ++progress_.deaths;
        ::_exit(1);
    }

    std::string part(std::int64_t batch, int attempt) {
        std::filesystem::remove(local_);
        RunRecord run = run_;
        run.shard = Shard{1, 1, Shard::Window{0, batch, 1}};
        {
            Store store(local_, Store::Access::Write);
            const std::int64_t id = store.begin_run(run);
            store.transaction([&] {
                const int number = kAttemptsOfClaim * attempt;
                for (const int game : {0, 1})
                    store.write_game(id, 0, sample_game(batch, game, number, kPlies));
                store.write_pair(id, 0, sample_pair(batch, number, PairState::Counted, kPlies));
            });
        }
        close_part(local_);
        return local_;
    }

    void play_batch(std::int64_t batch, Fate fate) {
        if (folder_.is_done(batch)) return;
        if (fate == Fate::DiesBeforeClaim) {
            // Its claim is made, and was not written.
            for (int attempt = 0;; ++attempt) {
                const std::string path = folder_.file(fmt::format("claims/{}.{}", batch, attempt));
                if (::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0) die();
            }
        }
        Claim claim;
        claim.node = run_.machine.worker;
        claim.began_us = assay::wall_clock_us();
        const int attempt = folder_.claim(batch, claim);
        const std::string path = part(batch, attempt);
        if (fate == Fate::DiesInPlay) die();
        if (fate == Fate::DiesInCopy) {
            assay::File::create(folder_.file(fmt::format("tmp/{}.{}.db", batch, attempt)))
                .write("SQLite format 3");
            die();
        }
        if (fate == Fate::IsOvertaken) {
            ++progress_.overtaken;
            const int newer = folder_.claim(batch, claim);
            end(batch, attempt, claim, path);
            end(batch, newer, claim, part(batch, newer));
            return;
        }
        const Handed handed = folder_.hand_in(batch, attempt, path);
        if (fate == Fate::DiesBeforeEnd) die();
        note_end(batch, attempt, claim, handed);
    }

    void end(std::int64_t batch, int attempt, const Claim& claim, const std::string& path) {
        note_end(batch, attempt, claim, folder_.hand_in(batch, attempt, path));
    }

    void note_end(std::int64_t batch, int attempt, Claim claim, Handed handed) {
        claim.end = handed == Handed::Done ? "played" : "late";
        claim.pairs = 1;
        claim.ended_us = assay::wall_clock_us();
        folder_.note_end(batch, attempt, claim);
    }

    SlurmFolder folder_;
    RunRecord run_;
    std::string local_;
    Progress& progress_;
};

/// Counts the pairs that come.
class Coordinator final : public ExecutorEvents {
public:
    void on_game_started(const GameStarted&) override {}

    bool on_game(GameRecord, bool) override { return true; }

    bool may_void(std::int64_t, int) override { return false; }

    void on_idle() override {}

    void on_trouble(const Trouble& trouble) override { throw assay::Error(trouble.why); }

    void on_started(Participant, const assay::adapters::Identity&) override {}

    void on_play_warning(Participant, std::string_view, std::string) override {}

    void on_fault_between_games(Participant, bool, const std::string&) override {}

    void on_hang(Participant) override {}

    void on_late(Participant) override {}

    void on_part(std::size_t, std::vector<PairDigest> pairs, std::vector<GameRecord>) override {
        counted += std::ranges::count(pairs, PairState::Counted, &PairDigest::state);
    }

    void on_fleet_note(std::string_view, std::string text) override {
        throw assay::Error("not expected: " + text);
    }

    std::int64_t counted = 0;
};

RunRecord run_of_fleet(const std::string& folder, std::int64_t batches) {
    RunRecord run = assay::test::sample_run();
    run.uid = "0123456789abcdef0123456789abcdef";
    run.findings.drift.clear();  // each part's would be told of
    run.plan.matches[0].pairs = batches;
    SlurmPlan slurm;
    slurm.folder = folder;
    slurm.slots = 100;
    slurm.batch = 1;
    slurm.submits = false;
    slurm.check = assay::Micros{20'000};
    run.plan.slurm = slurm;
    return run;
}

/// Starts the worker's process again until its share is played.
void keep_working(const SlurmFolder& folder, const RunRecord& run, const std::string& local,
                  std::int64_t batches, std::uint64_t seed, Progress& progress) {
    for (std::uint64_t life = 0;; ++life) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            int code = 0;
            try {
                assay::Random random(assay::mix64(seed, life));
                Worker(folder, run, local, progress).play(batches, random);
            } catch (const std::exception& error) {
                fmt::print(stderr, "{}\n", error.what());
                code = 2;
            }
            ::_exit(code);
        }
        int status = 0;
        ::waitpid(pid, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) == 2) ::_exit(2);
        if (WEXITSTATUS(status) == 0) ::_exit(0);
    }
}

/// Rows of the store by a word: "counted", "late", and fates of attempts that have no pair there.
std::map<std::string, std::int64_t> fates_in(const std::string& store) {
    const SQLite::Database database(store, SQLite::OPEN_READONLY);
    std::map<std::string, std::int64_t> fates;
    SQLite::Statement rows(database,
                           "SELECT state, count(*) FROM pairs GROUP BY state UNION ALL SELECT "
                           "fate, count(*) FROM attempts a WHERE NOT EXISTS (SELECT 1 FROM pairs p "
                           "WHERE p.pair = a.pair AND p.attempt = a.attempt) GROUP BY fate");
    while (rows.executeStep()) fates[rows.getColumn(0).getString()] = rows.getColumn(1).getInt64();
    SQLite::Statement once(database,
                           "SELECT count(DISTINCT pair) FROM pairs WHERE state = 'counted'");
    (void)once.executeStep();
    fates["pairs"] = once.getColumn(0).getInt64();
    return fates;
}

/// Sets to 0 the number of a process that has ended; throws where it failed.
void end_of(pid_t& process, int options) {
    int status = 0;
    if (process == 0 || ::waitpid(process, &status, options) != process) return;
    process = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw assay::Error("a worker failed");
}

int play(const std::string& folder, std::int64_t batches, std::uint64_t seed) {
    void* const shared = ::mmap(nullptr, sizeof(Progress) * kWorkers, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    auto* const progress = static_cast<Progress*>(shared);
    RunRecord run = run_of_fleet(folder + "/fleet", batches);
    // It waits for the coordinator, which must have no store open when it forks.
    std::vector<pid_t> keepers;
    const SlurmFolder made = SlurmFolder::make(folder + "/fleet", run.uid);
    for (int worker = 0; worker < kWorkers; ++worker) {
        progress[worker] = Progress{worker, 0, 0};
        keepers.push_back(::fork());
        if (keepers.back() < 0) throw assay::Error("no process can be started");
        if (keepers.back() != 0) continue;
        run.machine.host = run.machine.worker = fmt::format("n{}", worker);
        keep_working(made, run, fmt::format("{}/part-{}.db", folder, worker), batches,
                     assay::mix64(seed, static_cast<std::uint64_t>(worker)), progress[worker]);
    }
    const auto began = std::chrono::steady_clock::now();
    Store store(folder + "/all.db", Store::Access::Write);
    RunRecord stored = store.find_run(std::to_string(store.begin_run(run))).value();
    stored.plan.slurm = run.plan.slurm;  // no part of a stored plan
    const auto executor = slurm_executor(stored, 0, store, nullptr);
    Coordinator coordinator;
    const assay::SteadyClock clock;
    executor->start(coordinator, clock.now());
    for (Encounter next; coordinator.counted < batches;) {
        while (executor->appetite() > 0 && next.pair < batches) {
            executor->offer(next);
            ++next.pair;
        }
        executor->tick(clock.now());
        for (pid_t& keeper : keepers) end_of(keeper, WNOHANG);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (pid_t& keeper : keepers) end_of(keeper, 0);
    executor->withdraw(Withdrawal::Over);
    while (!executor->is_settled()) executor->tick(clock.now());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

    const auto claims = static_cast<std::int64_t>(made.names_in("claims").size());
    auto fates = fates_in(folder + "/all.db");
    std::int64_t deaths = 0;
    std::int64_t overtaken = 0;
    for (int worker = 0; worker < kWorkers; ++worker) {
        deaths += progress[worker].deaths;
        overtaken += progress[worker].overtaken;
    }
    const std::int64_t sum = fates["counted"] + fates["late"] + fates["lost"] + fates["returned"];
    fmt::print(
        "{} batches, {} deaths, {} overtaken: {} claims = {} counted + {} late + {} lost + {} "
        "returned; {:.1f} s, {:.1f} s of the coordinator's processor time\n",
        batches, deaths, overtaken, claims, fates["counted"], fates["late"], fates["lost"],
        fates["returned"], seconds, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    const bool is_right = sum == claims && fates["counted"] == batches &&
                          fates["pairs"] == batches && fates["late"] == overtaken;
    if (!is_right) fmt::print(stderr, "these do not add up\n");
    return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const std::int64_t batches = words.empty() ? 10'000 : std::stoll(words[0]);
    const std::uint64_t seed = words.size() < 2 ? 1 : std::stoull(words[1]);
    const std::string folder = (std::filesystem::current_path() / "fleet-batches-files").string();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    int code = 1;
    try {
        code = play(folder, batches, seed);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
    }
    std::filesystem::remove_all(folder);
    return code;
}
