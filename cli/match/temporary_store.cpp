// The folder's name has the process's id, and an empty file "open" stands in it as long as nobody
// wants to keep the store: a folder with that file whose process is gone was left behind by a kill.
#include "cli/match/temporary_store.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/text.h"

namespace assay::cli {

namespace {

constexpr std::string_view kPrefix = "assay-match-";
constexpr std::string_view kOpen = "open";
constexpr std::string_view kFile = "match.db";

bool is_left_behind(const std::filesystem::path& folder) {
    const std::string file = folder.filename().native();
    std::string_view name = file;
    if (!name.starts_with(kPrefix)) return false;
    name.remove_prefix(kPrefix.size());
    const auto pid = to_number<int>(name.substr(0, name.find('-')));
    std::error_code error;
    if (!pid || *pid <= 0 || !std::filesystem::exists(folder / kOpen, error)) return false;
    return ::kill(*pid, 0) != 0 && errno == ESRCH;
}

void remove_left_behind(const std::filesystem::path& parent) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (is_left_behind(entry->path())) std::filesystem::remove_all(entry->path(), ignored);
    }
}

}  // namespace

TemporaryStore::TemporaryStore() {
    std::error_code error;
    std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    if (error) parent = "/tmp";
    remove_left_behind(parent);
    folder_ = (parent / (std::string(kPrefix) + std::to_string(::getpid()) + "-XXXXXX")).string();
    if (::mkdtemp(folder_.data()) == nullptr)
        throw Error(folder_ + ": cannot make the folder: " + system_reason(errno), 4);
    (void)File::append(folder_ + "/" + std::string(kOpen));
}

TemporaryStore::TemporaryStore(const std::string& path)
    : folder_(std::filesystem::path(path).parent_path().string()) {}

bool TemporaryStore::is_one(const std::string& path) {
    const std::filesystem::path file(path);
    return file.filename() == kFile && file.parent_path().filename().native().starts_with(kPrefix);
}

std::string TemporaryStore::path() const {
    return folder_ + "/" + std::string(kFile);
}

void TemporaryStore::keep() {
    is_kept_ = true;
    std::error_code ignored;
    std::filesystem::remove(folder_ + "/" + std::string(kOpen), ignored);
}

TemporaryStore::~TemporaryStore() {
    std::error_code ignored;
    if (!is_kept_) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace assay::cli
