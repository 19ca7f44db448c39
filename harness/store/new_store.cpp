#include "harness/store/new_store.h"

#include <array>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace assay::harness {

namespace {

bool is_nothing_there(const std::string& path) {
    struct stat status {};

    return ::lstat(path.c_str(), &status) != 0 && errno == ENOENT;
}

}  // namespace

NewStore::NewStore(std::string path) : path_(std::move(path)), is_ours_(is_nothing_there(path_)) {}

NewStore::~NewStore() {
    if (!is_ours_) return;
    for (const char* const end : std::array{"", "-journal", "-wal", "-shm"})
        ::unlink((path_ + end).c_str());
}

}  // namespace assay::harness
