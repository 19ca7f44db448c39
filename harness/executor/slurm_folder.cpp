// Workers and coordinator agree through names in a folder, because a cluster has a shared file
// system and often nothing else: no database, no port that compute nodes may open. Two facts are
// decided there, and both by one system call that either succeeds for one process or for none.
//
// Who plays a batch: open(O_CREAT | O_EXCL) of claims/i.n. The number n is the attempt. Slurm's job
// number and restart count would be no key: a controller that is killed soon after a start begins
// the task anew under the same job with the same count.
//
// Which part counts: link() of the copied file to done/i.db, which never replaces a file and shows
// no half of one, since the copy was forced to the disk before. rename() would replace the part of
// another attempt. The newest attempt counts, so whoever finds a newer claim than its own gives
// way: if the first to end counted, a batch that was begun twice would be won by its shorter games.
//
// On NFS the answer to a link() may be lost: the call fails, though it was carried out. A file that
// has two names then is done.
#include "harness/executor/slurm_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostSpecBytes = std::size_t{16} << 20U;
constexpr std::size_t kMostClaimBytes = std::size_t{64} << 10U;
constexpr std::size_t kCopyBytes = std::size_t{1} << 18U;
constexpr int kMostClaims = 10'000;
constexpr std::size_t kProbeBytes = std::size_t{1} << 18U;

constexpr std::array kSubfolders{"blobs", "claims", "done",  "late",
                                 "tmp",   "log",    "speed", "requeue"};

[[noreturn]] void fail_at(const std::string& path, std::string_view what, int error) {
    throw Error(fmt::format("{}: cannot {}: {}", printable_utf8(path), what, system_reason(error)),
                4);
}

void make_subfolder(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        fail_at(path, "make the folder", errno);
}

void check_owner(const std::string& path) {
    struct stat facts {};

    if (::lstat(path.c_str(), &facts) != 0)
        throw Error(fmt::format("{}: there is no such folder of a run", printable_utf8(path)));
    if (S_ISLNK(facts.st_mode))
        throw Error(fmt::format("{}: this is a symbolic link; name the folder that it leads to",
                                printable_utf8(path)));
    if (!S_ISDIR(facts.st_mode))
        throw Error(fmt::format("{}: this is no folder", printable_utf8(path)));
    if (facts.st_uid != ::geteuid())
        throw Error(
            fmt::format("{}: the folder belongs to another user (number {}); use one of your own",
                        printable_utf8(path), facts.st_uid));
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw Error(fmt::format(
            "{}: other users may write to the folder, and so decide the run; 'chmod go-w {}' mends "
            "that",
            printable_utf8(path), printable_utf8(shell_word(path))));
}

/// Opened and not looked up: NFS asks the server then.
/// Without waiting for a writer where somebody made a pipe of that name.
bool can_open(const std::string& path) {
    return UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)).is_open();
}

/// What cannot be opened may be there: a socket, or a link to nothing.
bool has_name(const std::string& path) {
    struct stat facts {};

    return can_open(path) || ::lstat(path.c_str(), &facts) == 0;
}

/// A name with '/' behind it is that of what a link leads to.
std::string without_last_slashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

void sync_file(int descriptor, const std::string& path) {
    if (::fsync(descriptor) != 0 && errno != EINVAL) fail_at(path, "write", errno);
}

void sync_folder(const std::string& path) {
    const UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some network file systems refuse it; there the server makes names durable.
    if (folder.is_open()) (void)::fsync(folder.get());
}

void write_durably(const UniqueFd& file, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(file.get(), text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_at(path, "write", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// A new file in place of the old one, whole or not at all, durable.
void replace_durably(const std::string& path, std::string_view text, unsigned mode) {
    const std::string fresh = fmt::format("{}.{}.new", path, ::getpid());
    const UniqueFd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
    if (!file.is_open()) fail_at(path, "write", errno);
    write_durably(file, text, path);
    sync_file(file.get(), path);
    if (::rename(fresh.c_str(), path.c_str()) != 0) fail_at(path, "write", errno);
}

void copy_durably(const std::string& from, const std::string& to) {
    const File source = File::open(from);
    const UniqueFd target(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!target.is_open()) fail_at(to, "write", errno);
    std::string buffer(kCopyBytes, '\0');
    while (const std::size_t size = source.read_next(buffer.data(), buffer.size()))
        write_durably(target, std::string_view(buffer).substr(0, size), to);
    sync_file(target.get(), to);
}

std::string claim_text(const Claim& claim) {
    return boost::json::serialize(boost::json::object{{"node", claim.node},
                                                      {"job", claim.job},
                                                      {"pid", claim.pid},
                                                      {"began_us", claim.began_us},
                                                      {"ended_us", claim.ended_us},
                                                      {"pairs", claim.pairs},
                                                      {"time_losses", claim.time_losses},
                                                      {"end", claim.end},
                                                      {"reason", claim.reason},
                                                      {"drift", claim.drift},
                                                      {"program", claim.program},
                                                      {"keeps_failing", claim.keeps_failing}}) +
           "\n";
}

/// A worker may have been killed while it wrote: what is missing stays empty.
Claim claim_of(std::string_view text) {
    boost::json::error_code error;
    const boost::json::value value = boost::json::parse(text, error);
    const boost::json::object* const object = error ? nullptr : value.if_object();
    Claim claim;
    if (object == nullptr) return claim;
    const auto string = [object](std::string_view key) {
        const boost::json::value* const found = object->if_contains(key);
        return found != nullptr && found->is_string() ? std::string(found->get_string())
                                                      : std::string();
    };
    const auto number = [object](std::string_view key, std::int64_t fallback) {
        const boost::json::value* const found = object->if_contains(key);
        return found != nullptr && found->is_int64() ? found->get_int64() : fallback;
    };
    claim.node = string("node");
    claim.job = string("job");
    claim.pid = static_cast<long>(number("pid", 0));
    claim.began_us = number("began_us", 0);
    claim.ended_us = number("ended_us", 0);
    claim.pairs = number("pairs", 0);
    claim.time_losses = number("time_losses", 0);
    claim.end = string("end");
    claim.reason = string("reason");
    claim.drift = string("drift");
    claim.program = static_cast<int>(number("program", -1));
    const boost::json::value* const keeps = object->if_contains("keeps_failing");
    claim.keeps_failing = keeps != nullptr && keeps->is_bool() && keeps->get_bool();
    return claim;
}

/// All names in a folder, in no order. Read with readdir(): a folder may hold a million.
std::vector<std::string> all_names_in(const std::string& path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
    if (!folder) fail_at(path, "read the folder", errno);
    std::vector<std::string> names;
    while (const dirent* const entry = ::readdir(folder.get())) {
        const std::string name(&entry->d_name[0]);
        if (!name.starts_with('.')) names.push_back(name);
    }
    return names;
}

std::vector<std::int64_t> numbers_in(const std::string& path) {
    std::set<std::int64_t> numbers;
    for (const std::string& name : all_names_in(path)) {
        const auto number =
            to_number<std::int64_t>(std::string_view(name).substr(0, name.find('.')));
        if (number) numbers.insert(*number);
    }
    return {numbers.begin(), numbers.end()};
}

}  // namespace

SlurmFolder::SlurmFolder(std::string path) : path_(without_last_slashes(std::move(path))) {
    check_owner(path_);
}

SlurmFolder SlurmFolder::make(const std::string& parent, const std::string& uid) {
    std::error_code error;
    std::filesystem::create_directories(parent, error);
    if (error)
        throw Error(fmt::format("{}: cannot make the folder (executor.slurm.folder): {}",
                                printable_utf8(parent), error.message()));
    const std::string path = parent + "/" + uid;
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        throw Error(fmt::format("{}: cannot write to the folder (executor.slurm.folder): {}",
                                printable_utf8(parent), system_reason(errno)),
                    errno == EROFS || errno == EACCES ? 2 : 4);
    SlurmFolder folder(path);
    for (const char* const name : kSubfolders) make_subfolder(folder.file(name));
    return folder;
}

std::string SlurmFolder::done_file(std::int64_t batch) const {
    return fmt::format("{}/done/{}.db", path_, batch);
}

bool SlurmFolder::has_spec() const {
    return ::access(file("spec.json").c_str(), F_OK) == 0;
}

FleetSpec SlurmFolder::spec() const {
    const std::string path = file("spec.json");
    const File source = File::open(path);
    if (source.stamp().size > kMostSpecBytes)
        throw Error(fmt::format("{}: it is larger than 16 MB", printable_utf8(path)));
    try {
        return fleet_spec_of(source.read_at(0, kMostSpecBytes));
    } catch (const Error& error) {
        throw Error(fmt::format("{}: {}", printable_utf8(path), error.what()));
    }
}

void SlurmFolder::write_spec(const FleetSpec& spec) const {
    write("spec.json", to_json(spec));
}

void SlurmFolder::write(const std::string& name, const std::string& text, unsigned mode) const {
    replace_durably(file(name), text, mode);
}

bool SlurmFolder::is_done(std::int64_t batch) const {
    return has_name(done_file(batch));
}

bool SlurmFolder::is_stopped() const {
    return ::access(file("stop").c_str(), F_OK) == 0;
}

void SlurmFolder::set_stopped(bool is_stopped) const {
    if (is_stopped) return write("stop", "");
    if (::unlink(file("stop").c_str()) != 0 && errno != ENOENT)
        fail_at(file("stop"), "remove", errno);
}

int SlurmFolder::claim(std::int64_t batch, const Claim& claim) const {
    for (int attempt = 0; attempt < kMostClaims; ++attempt) {
        const std::string path = fmt::format("{}/claims/{}.{}", path_, batch, attempt);
        const UniqueFd made(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!made.is_open() && errno == EEXIST) continue;
        if (!made.is_open()) fail_at(path, "claim the batch", errno);
        write_durably(made, claim_text(claim), path);
        sync_file(made.get(), path);
        sync_folder(file("claims"));
        return attempt;
    }
    throw Error(fmt::format("{}: batch {} was begun {} times", path_, batch, kMostClaims), 4);
}

void SlurmFolder::note_end(std::int64_t batch, int attempt, const Claim& claim) const {
    replace_durably(fmt::format("{}/claims/{}.{}", path_, batch, attempt), claim_text(claim), 0600);
}

std::vector<Claim> SlurmFolder::claims(std::int64_t batch) const {
    std::vector<Claim> claims;
    for (int attempt = 0; attempt < kMostClaims; ++attempt) {
        const auto text =
            read_start(fmt::format("{}/claims/{}.{}", path_, batch, attempt), kMostClaimBytes);
        if (!text) break;
        claims.push_back(claim_of(*text));
    }
    return claims;
}

bool SlurmFolder::is_in_play(std::int64_t batch) const {
    const std::vector<Claim> all = claims(batch);
    return !all.empty() && all.back().end.empty() && all.back().began_us > 0;
}

Handed SlurmFolder::hand_in(std::int64_t batch, int attempt, const std::string& part,
                            const Link& link) const {
    const std::string copy = fmt::format("{}/tmp/{}.{}.db", path_, batch, attempt);
    copy_durably(part, copy);
    const auto give_way = [&] {
        const std::string late = fmt::format("{}/late/{}.{}.db", path_, batch, attempt);
        if (::rename(copy.c_str(), late.c_str()) != 0) fail_at(late, "write", errno);
        sync_folder(file("late"));
        return Handed::Late;
    };
    const std::string newer = fmt::format("{}/claims/{}.{}", path_, batch, attempt + 1);
    if (can_open(newer)) return give_way();
    const std::string done = done_file(batch);
    const int failure =
        link ? link(copy.c_str(), done.c_str()) : ::link(copy.c_str(), done.c_str());
    if (failure != 0) {
        const int error = errno;

        struct stat facts {};

        const bool is_linked = ::stat(copy.c_str(), &facts) == 0 && facts.st_nlink == 2;
        if (!is_linked && error == EEXIST) return give_way();
        if (!is_linked) fail_at(done, "write", error);
    }
    sync_folder(file("done"));
    (void)::unlink(copy.c_str());
    return Handed::Done;
}

void SlurmFolder::note_requeued(std::int64_t batch) const {
    write(fmt::format("requeue/{}", batch), "");
}

bool SlurmFolder::take_requeued(std::int64_t batch) const {
    return ::unlink(file(fmt::format("requeue/{}", batch)).c_str()) == 0;
}

std::string SlurmFolder::why_not_writable() const {
    const std::string name = fmt::format("tmp/probe.{}", ::getpid());
    std::string why;
    try {
        // Room for one claim is not room for a part.
        write(name, std::string(kProbeBytes, '\0'));
    } catch (const Error& error) {
        why = error.what();
    }
    (void)::unlink(file(name).c_str());
    (void)::unlink(fmt::format("{}.{}.new", file(name), ::getpid()).c_str());
    return why;
}

std::vector<std::string> SlurmFolder::names_in(const std::string& name) const {
    std::vector<std::string> names = all_names_in(file(name));
    std::ranges::sort(names);
    return names;
}

std::vector<std::int64_t> SlurmFolder::done_batches() const {
    return numbers_in(file("done"));
}

std::vector<std::int64_t> SlurmFolder::claimed_batches() const {
    return numbers_in(file("claims"));
}

}  // namespace assay::harness
