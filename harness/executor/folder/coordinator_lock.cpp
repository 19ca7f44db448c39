// A lock of the kernel (flock) does not hold on every network file system, so the lock is a file
// that link() makes for one process or none. Whether its owner lives is known by its process where
// that is on this machine, since a coordinator may be stopped for hours and go on. Elsewhere it is
// known by the file's time, which the owner renews: both times that are compared are the file
// server's.
//
// Two who find a silent owner at once may both take over. The one whose file was replaced learns it
// at its next beat, and leaves the run to the other.
#include "harness/executor/folder/coordinator_lock.h"

#include <cerrno>
#include <condition_variable>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/machine/machine.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostCoordinatorBytes = std::size_t{16} << 10U;
constexpr std::size_t kMostStatBytes = 4096;
constexpr std::size_t kBeganField = 20;  // of /proc/PID/stat behind the name: 22, of the whole line

/// Empty where there is no such process.
std::string began_at(long pid) {
    const auto text = read_start(fmt::format("/proc/{}/stat", pid), kMostStatBytes);
    if (!text) return "";
    // The name may hold blanks and brackets.
    const std::size_t name = text->rfind(')');
    if (name == std::string::npos) return "";
    const std::vector<std::string_view> fields =
        split_words(std::string_view(*text).substr(name + 1));
    return fields.size() < kBeganField ? "" : std::string(fields[kBeganField - 1]);
}

std::string coordinator_text(const Coordinator& coordinator) {
    return boost::json::serialize(boost::json::object{{"host", coordinator.host},
                                                      {"system", coordinator.system},
                                                      {"pid", coordinator.pid},
                                                      {"began", coordinator.began},
                                                      {"store", coordinator.store},
                                                      {"since_us", coordinator.since_us}}) +
           "\n";
}

/// As a file in JSON can have it, so that what is read is equal to what was written.
Coordinator printable(Coordinator coordinator) {
    coordinator.host = printable_utf8(coordinator.host);
    coordinator.store = printable_utf8(coordinator.store);
    return coordinator;
}

/// What cannot be read has no facts.
Coordinator coordinator_of(std::string_view text) {
    boost::json::error_code error;
    const boost::json::value value = boost::json::parse(text, error);
    const boost::json::object* const object = error ? nullptr : value.if_object();
    Coordinator coordinator;
    if (object == nullptr) return coordinator;
    const auto string = [object](std::string_view key) {
        const boost::json::value* const found = object->if_contains(key);
        return found != nullptr && found->is_string() ? std::string(found->get_string())
                                                      : std::string();
    };
    const auto number = [object](std::string_view key) {
        const boost::json::value* const found = object->if_contains(key);
        return found != nullptr && found->is_int64() ? found->get_int64() : 0;
    };
    coordinator.host = string("host");
    coordinator.system = string("system");
    coordinator.pid = static_cast<long>(number("pid"));
    coordinator.began = string("began");
    coordinator.store = string("store");
    coordinator.since_us = number("since_us");
    return coordinator;
}

/// Microseconds, by the file server's clock; nullopt: it is not there.
std::optional<std::int64_t> modified_us(const std::string& path) {
    struct stat facts {};

    if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
    return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000 + facts.st_mtim.tv_nsec / 1000;
}

bool is_heard_of(const Coordinator& owner, const Coordinator& self, std::int64_t silent_us) {
    const bool is_here = owner.host == self.host && owner.system == self.system && owner.pid > 0;
    if (is_here) return !owner.began.empty() && began_at(owner.pid) == owner.began;
    return silent_us < CoordinatorLock::kMostSilence.count();
}

}  // namespace

Coordinator this_coordinator(const std::string& store) {
    Coordinator self;
    self.host = this_machine().host;
    std::error_code ignored;
    self.system =
        std::string(trim(read_start("/proc/sys/kernel/random/boot_id", 100).value_or(""))) + " " +
        std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
    self.pid = ::getpid();
    self.began = began_at(self.pid);
    self.store = std::filesystem::absolute(store, ignored).string();
    self.since_us = wall_clock_us();
    return self;
}

std::string text_of(const Coordinator& coordinator) {
    return fmt::format("process {} on {}, with the store {}", coordinator.pid,
                       printable_utf8(coordinator.host), printable_utf8(coordinator.store));
}

CoordinatorLock::CoordinatorLock(const SlurmFolder& folder, Coordinator self)
    : folder_(folder), path_(folder.file("coordinator")), self_(printable(std::move(self))) {
    const std::string own = write_own();
    if (::link(own.c_str(), path_.c_str()) == 0 || owner() == self_) {
        (void)::unlink(own.c_str());
        return;
    }
    const auto other = owner();
    const auto theirs = modified_us(path_);
    const std::int64_t silent_us = theirs ? modified_us(own).value_or(0) - *theirs : 0;
    if (other && *other != self_ && is_heard_of(*other, self_, silent_us)) {
        (void)::unlink(own.c_str());
        throw Error(fmt::format(
            "{}: another assay coordinates this run: {}. Two would take each other's parts and cancel "
            "each other's tasks; end one of them{}",
            printable_utf8(folder.path()), text_of(*other),
            other->host == self_.host ? ""
                                      : ". One that is dead is known by its silence of a minute"));
    }
    if (::rename(own.c_str(), path_.c_str()) != 0)
        throw Error(
            fmt::format("{}: cannot write: {}", printable_utf8(path_), system_reason(errno)), 4);
}

CoordinatorLock::~CoordinatorLock() {
    if (owner() == self_) (void)::unlink(path_.c_str());
}

std::string CoordinatorLock::beat() {
    auto now = owner();
    if (!now && !link_again()) now = owner();
    const bool has_facts = now && now->pid != 0;
    if (has_facts && *now != self_)
        return fmt::format("another assay has taken over the run: {}", text_of(*now));
    // Without times the server sets its own.
    if (now) (void)::utimensat(AT_FDCWD, path_.c_str(), nullptr, 0);
    return "";
}

/// Its path.
std::string CoordinatorLock::write_own() const {
    const std::string name = fmt::format("tmp/coordinator.{}.{}", file_part(self_.host), self_.pid);
    folder_.write(name, coordinator_text(self_));
    return folder_.file(name);
}

/// Where the file is gone: somebody has cleared the folder, or has taken over and ended.
bool CoordinatorLock::link_again() const {
    try {
        const std::string own = write_own();
        const bool is_linked = ::link(own.c_str(), path_.c_str()) == 0;
        (void)::unlink(own.c_str());
        return is_linked;
    } catch (const Error&) {
        return false;  // the next beat tries again
    }
}

std::optional<Coordinator> CoordinatorLock::owner() const {
    const auto text = read_start(path_, kMostCoordinatorBytes);
    if (!text) return std::nullopt;
    return coordinator_of(*text);
}

CoordinatorBeats::CoordinatorBeats(CoordinatorLock* lock, Micros each) {
    if (lock == nullptr) return;
    thread_ = std::jthread([lock, each](const std::stop_token& stop) {
        std::mutex mutex;
        std::unique_lock held(mutex);
        std::condition_variable_any never;
        while (!stop.stop_requested()) {
            (void)lock->beat();
            never.wait_for(held, stop, each, [] { return false; });
        }
    });
}

}  // namespace assay::harness
