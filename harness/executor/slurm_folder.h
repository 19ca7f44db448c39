#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/executor/fleet_spec.h"

namespace assay::harness {

/// How far an attempt at a batch came; the content of a claim.
struct Claim {
    std::string node;  // SLURMD_NODENAME, else the host
    std::string job;   // "123_4"; empty outside Slurm
    long pid = 0;
    long long began_us = 0;        // wall clock
    long long ended_us = 0;        // 0: not yet, or not known
    std::int64_t pairs = 0;        // that were handed in
    std::int64_t time_losses = 0;  // games in them
    std::string end;     // "": it goes on, or was killed; "played", "late", "left", "failed"
    std::string reason;  // of "failed": a sentence
    std::string drift;   // a sentence where the node had become faster or slower
    int program = -1;    // of "failed": whose failure it is, of the plan; -1: the machine's
    bool keeps_failing = false;  // the program played, and failed too often in a row

    [[nodiscard]] bool has_failed() const { return end == "failed"; }
};

/// What became of a part that was handed in.
enum class Handed : std::uint8_t { Done, Late };

/// The folder through which the coordinator of a run and its workers speak, `F/<uid>/`, on a file
/// system that all machines share:
///   spec.json  the run and its batches (FleetSpec)     run.db     the run without games
///   claims/    i.n: attempt n at batch i, from 0       tmp/       parts that are being copied
///   done/      i.db: the part of batch i that counts   late/      i.n.db: parts that came too late
///   log/       what tasks said                         task.sh    what Slurm starts
///   speed/     nodes a second of each node, and whether they change (NODE.….drift);
///              speed/reference: the run's
///   blobs/     what the programs consist of, by SHA-256     coordinator   who has the run
///   requeue/   i: a person has taken batch i from its task
///   stop       there is nothing more to do
/// Every function throws Error naming the path; its exit code is 4, and of a folder that is not
/// ours or no such folder 2. Any process may call; what two do at once is decided by the file
/// system: O_EXCL for claims, link() for parts.
class SlurmFolder {
public:
    /// Makes link(2)'s call; a test has one that fails as NFS does.
    using Link = std::function<int(const char* from, const char* to)>;

    /// Of a run that has one. Throws Error (exit code 2) where there is none, it is a symbolic
    /// link, or another user owns it or may write to it.
    explicit SlurmFolder(std::string path);

    /// `parent`/<uid>, made if it is not there.
    [[nodiscard]] static SlurmFolder make(const std::string& parent, const std::string& uid);

    [[nodiscard]] const std::string& path() const { return path_; }

    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

    [[nodiscard]] std::string done_file(std::int64_t batch) const;

    [[nodiscard]] bool has_spec() const;
    [[nodiscard]] FleetSpec spec() const;
    void write_spec(const FleetSpec& spec) const;
    void write(const std::string& name, const std::string& text, unsigned mode = 0600) const;

    /// Something has the name of its part, if only a folder.
    [[nodiscard]] bool is_done(std::int64_t batch) const;
    [[nodiscard]] bool is_stopped() const;
    void set_stopped(bool is_stopped) const;

    /// The first attempt at the batch that nobody has claimed, from 0; it is the caller's.
    [[nodiscard]] int claim(std::int64_t batch, const Claim& claim) const;
    void note_end(std::int64_t batch, int attempt, const Claim& claim) const;
    /// In their order. Those that cannot be read have no facts.
    [[nodiscard]] std::vector<Claim> claims(std::int64_t batch) const;
    /// The newest claim is open: its worker plays, or was killed. One whose claim could not even be
    /// written does not play.
    [[nodiscard]] bool is_in_play(std::int64_t batch) const;

    /// Copies the file to the folder and makes it durable there. The newest attempt counts: where
    /// there is a newer claim, or a part already, this one is late.
    Handed hand_in(std::int64_t batch, int attempt, const std::string& part,
                   const Link& link = {}) const;

    /// A person takes the batch from its task: that is no failure.
    void note_requeued(std::int64_t batch) const;
    /// Whether one did since the last call.
    [[nodiscard]] bool take_requeued(std::int64_t batch) const;

    /// Why nothing can be written to it now, as where the disk is full; empty: it can.
    [[nodiscard]] std::string why_not_writable() const;

    /// The names in one of its folders, in their order.
    [[nodiscard]] std::vector<std::string> names_in(const std::string& name) const;

    /// Names of the parts that came too late, "3.0.db".
    [[nodiscard]] std::vector<std::string> late_parts() const { return names_in("late"); }

    /// Batches that have a part, rising.
    [[nodiscard]] std::vector<std::int64_t> done_batches() const;
    /// Names in claims/, with their number.
    [[nodiscard]] std::vector<std::int64_t> claimed_batches() const;

private:
    std::string path_;
};

}  // namespace assay::harness
