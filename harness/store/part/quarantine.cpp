#include "harness/store/part/quarantine.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"
#include "harness/store/store_lock.h"

namespace assay::harness {

namespace {

namespace fs = std::filesystem;

/// Makes the file, which must not be there; unset where it is.
UniqueFd make_new(const fs::path& path) {
    UniqueFd made(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!made.is_open() && errno != EEXIST)
        throw fs::filesystem_error("cannot make", {errno, std::generic_category()});
    return made;
}

/// Into a folder that is empty. A pipe or a socket is left out.
void copy_folder(const fs::path& from, const fs::path& to) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
        const fs::path target = to / entry.path().lexically_relative(from);
        const fs::file_status status = entry.symlink_status();
        if (fs::is_directory(status))
            fs::create_directory(target);
        else if (fs::is_regular_file(status) || fs::is_symlink(status))
            fs::copy(entry.path(), target, fs::copy_options::copy_symlinks);
    }
}

/// What is no file, to another disk. Of a pipe or a socket nothing but its name can be kept.
bool copy_what_is_no_file(const fs::path& from, const fs::path& to) {
    const bool is_folder = fs::is_directory(fs::symlink_status(from));
    if (is_folder ? !fs::create_directory(to) : !make_new(to).is_open()) return false;
    if (is_folder) copy_folder(from, to);
    fs::remove_all(from);
    return true;
}

/// False where `to` is there already, which is never replaced.
bool move_to_free(const fs::path& from, const fs::path& to, const MoveCalls& calls) {
    if (calls.rename_to_free(from.c_str(), to.c_str()) == 0) return true;
    // Not every file system knows that call, and another disk needs a copy.
    if (errno == EINVAL || errno == ENOSYS) {
        if (calls.link(from.c_str(), to.c_str()) == 0) {
            fs::remove(from);
            return true;
        }
    }
    if (errno == EEXIST) return false;
    // The last two: a file system without a second name for a file.
    if (errno != EXDEV && errno != EPERM && errno != EOPNOTSUPP)
        throw fs::filesystem_error("cannot move", {errno, std::generic_category()});
    if (!fs::is_regular_file(fs::symlink_status(from))) return copy_what_is_no_file(from, to);
    std::error_code failed;
    fs::copy_file(from, to, failed);
    if (failed == std::errc::file_exists) return false;
    if (failed) throw fs::filesystem_error("cannot copy", failed);
    fs::remove(from);
    return true;
}

}  // namespace

MoveCalls::MoveCalls()
    : rename_to_free([](const char* from, const char* to) {
          return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
      }),
      link(::link) {}

std::string quarantine(const std::string& store, const std::string& file, const std::string& reason,
                       const MoveCalls& calls) {
    const fs::path folder = path_beside(store, ".quarantine");
    try {
        fs::create_directories(folder);
        const fs::path wanted = folder / fs::path(file).filename();
        for (int i = 0;; ++i) {
            const fs::path target =
                i == 0 ? wanted : fs::path(fmt::format("{}.{}", wanted.string(), i));
            const std::string beside = target.string() + ".reason";
            UniqueFd made = make_new(beside);
            if (!made.is_open()) continue;
            bool is_moved = false;
            try {
                is_moved = move_to_free(file, target, calls);
            } catch (...) {
                ::unlink(beside.c_str());
                throw;
            }
            if (is_moved) {
                File(std::move(made), beside).write(reason + "\n");
                return target;
            }
            ::unlink(beside.c_str());
        }
    } catch (const fs::filesystem_error& error) {
        throw Error(fmt::format("{}: cannot be moved to {}: {}", printable_utf8(file),
                                printable_utf8(folder.string()), error.code().message()),
                    4);
    }
}

}  // namespace assay::harness
