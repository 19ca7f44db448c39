// SQLite tells what went wrong by a number; a user needs to know whose fault it is and what to do.
// What the machine did (a full disk, a file that cannot be written, a lock that another process
// holds, a damaged page) is a StoreFailure: a run that meets it ends, keeps what is durable, and
// can be resumed. A wrong path or a file that is no store is an Error like any wrong argument. Rows
// that no assay writes (StoreDamage) and broken constraints, which only a second writer or a bug
// can cause, end the command with 4.
//
// The lower byte of a code is the kind, the rest is detail (SQLite's "extended result codes"). What
// SQLite does not tell apart is looked for afterwards: "disk I/O error" is a full disk, a limit of
// the process or a bad drive. That is a guess about the past, so that the sentences name what can
// be seen now.
#include <SQLiteCpp/Exception.h>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sqlite3.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/machine_fault.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

bool is_machines_fault(int code) {
    switch (code) {
        case SQLITE_FULL:
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL:
        case SQLITE_IOERR:
        case SQLITE_NOMEM:
        case SQLITE_READONLY:
        case SQLITE_CORRUPT:
            return true;
        default:
            return false;
    }
}

std::string advice_for(int code) {
    switch (code) {
        case SQLITE_NOTADB:
            return "is not an assay store (not an SQLite file)";
        case SQLITE_FULL:
            return "the disk is full; what was reported durable is safe";
        case SQLITE_BUSY:
        case SQLITE_PROTOCOL:
            return fmt::format("another process has kept the store locked for {} s",
                               kStoreBusyMilliseconds / 1000);
        case SQLITE_READONLY:
            return "cannot be written: the file or its folder is read-only for this user";
        case SQLITE_NOMEM:
            return "there is not enough memory";
        case SQLITE_INTERRUPT:
            return "asks for more work than any store of its size";
        case SQLITE_CORRUPT:
            return "the store is damaged; 'sqlite3 FILE .recover' may save what is left";
        default:
            return "";
    }
}

/// SQLite says only "disk I/O error". What most often stands behind it is looked for.
std::string advice_for_io(const std::string& path) {
    constexpr std::uintmax_t kLittle = 1U << 20U;
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::absolute(path, failed).parent_path();
    const auto space = std::filesystem::space(folder, failed);
    if (!failed && space.available < kLittle)
        return fmt::format(
            "the disk is full ({} bytes are left): free some room, or name a store on another disk "
            "with --db; what was reported durable is safe",
            space.available);
    rlimit most{};
    if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
        return fmt::format(
            "the system lets no file of this process grow beyond {} bytes (ulimit -f): raise that "
            "limit; what was reported durable is safe",
            most.rlim_cur);
    return "the system cannot read or write it (disk I/O error): is the disk or network drive in "
           "order? A store on another disk is named with --db";
}

bool is_folder(const std::string& path) {
    struct stat status {};

    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// errno where the system can open no file at all at the moment, else 0. Tests another file than
/// the store, because closing a second descriptor of the store would drop SQLite's locks.
int any_open_fails() {
    const UniqueFd root(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return root.is_open() ? 0 : errno;
}

/// SQLite could not open the file or one beside it, and does not say why.
[[noreturn]] void throw_cannot_open(const std::string& path) {
    if (const int error = any_open_fails(); is_machine_fault(error)) {
        throw StoreFailure(path + ": cannot open: " + system_reason(error));
    }

    if (::access(path.c_str(), R_OK) != 0) {
        const int error = errno;
        throw Error(path + ": cannot open: " + system_reason(error));
    }
    throw StoreFailure(path + ": a file beside it (-wal, -shm) cannot be opened");
}

}  // namespace

void rethrow_store_error(const std::string& path) {
    try {
        throw;
    } catch (const SQLite::Exception& error) {
        const int code = error.getErrorCode() & 0xFF;
        if (is_folder(path)) throw Error(path + ": is a folder, not an assay store");
        if (code == SQLITE_CANTOPEN) throw_cannot_open(path);
        std::string reason = code == SQLITE_IOERR ? advice_for_io(path) : advice_for(code);
        if (reason.empty()) reason = error.what();
        if (is_machines_fault(code)) throw StoreFailure(path + ": " + reason);
        const int kind = error.getExtendedErrorCode();
        if (kind == SQLITE_CONSTRAINT_PRIMARYKEY || kind == SQLITE_CONSTRAINT_UNIQUE) {
            throw Error(path +
                            ": another process writes to this run too; was the lock beside the "
                            "store removed? (" +
                            reason + ")",
                        4);
        }
        if (code == SQLITE_CONSTRAINT) throw Error(path + ": internal error: " + reason, 4);
        throw Error(path + ": " + reason);
    } catch (const StoreDamage& damage) {
        throw Error(path + ": the store is damaged: cannot read " + damage.what, 4);
    }
}

}  // namespace assay::harness
