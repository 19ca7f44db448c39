#include "openings/book_cache.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "openings/read/spool.h"

namespace assay::openings {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "book-";

/// A file name for the book's path, the same through every link to it.
std::string cache_name(const std::string& path) {
    std::error_code error;
    fs::path place = fs::canonical(path, error);
    if (error) place = path;
    std::uint64_t a = 1;
    std::uint64_t b = 2;
    for (const char c : place.string()) {
        a = mix64(a, static_cast<unsigned char>(c));
        b = mix64(b, static_cast<unsigned char>(c));
    }
    return fmt::format("{:016x}{:016x}", a, b);
}

}  // namespace

CachedBook cached_book(const std::string& path, const std::string& cache_dir) {
    const std::string folder = cache_folder(cache_dir);
    if (folder.empty()) return {};
    const std::string stem = folder + "/" + std::string(kPrefix) + cache_name(path);
    return {stem + ".idx", stem + ".txt"};
}

void prune_cache(const std::string& index_path) {
    const fs::path folder = fs::path(index_path).parent_path();
    constexpr auto kUnused = std::chrono::hours(60 * 24);
    constexpr auto kLeft = std::chrono::hours(24);
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    std::vector<fs::path> old;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(kPrefix) || it->is_symlink(error)) continue;
        const bool is_left = name.find(".tmp") != std::string::npos;
        // The content of a book goes with its index.
        const bool has_index = fs::exists(fs::path(it->path()).replace_extension(".idx"), error);
        if (!is_left && name.ends_with(".txt") && has_index) continue;
        const auto time = fs::last_write_time(it->path(), error);
        if (!error && now - time > (is_left ? kLeft : kUnused)) old.push_back(it->path());
    }
    for (const fs::path& path : old) {
        fs::remove(path, error);
        if (path.extension() == ".idx") fs::remove(fs::path(path).replace_extension(".txt"), error);
    }
}

}  // namespace assay::openings
