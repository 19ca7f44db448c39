#pragma once
#include <string>

namespace assay::openings {

/// Where the cache keeps a book: its index, and its content where that is not the book's own file.
struct CachedBook {
    std::string index_path;  // empty: there is no cache
    std::string content_path;
};

/// The same for a book through every link to it. `cache_dir`: BookOptions::cache_dir.
[[nodiscard]] CachedBook cached_book(const std::string& path, const std::string& cache_dir);

/// Removes from the index's folder what no run has read for two months, and what a killed run has
/// left.
void prune_cache(const std::string& index_path);

}  // namespace assay::openings
