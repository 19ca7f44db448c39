#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtql/log/import/table_import.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// Which of a file's trees are meant.
struct TreeChoice {
    bool all = false;                        // every iteration of every search
    std::optional<std::uint64_t> iteration;  // that one of every search
    // neither: the last complete iteration of each search; where none is complete, the last one
};

/// What a file's trees are called and how they are read.
struct OpenOptions {
    TreeChoice choice;
    ImportOptions import;  // for CSV and JSON lines
};

/// A file of trees of any kind: packed, raw, CSV, JSON lines (the last two plain or in zstd). It is
/// recognised by its content. Trees are read when they are opened.
class TreeFile {
public:
    TreeFile() = default;
    TreeFile(const TreeFile&) = delete;
    TreeFile& operator=(const TreeFile&) = delete;
    virtual ~TreeFile() = default;

    /// Throws Error where the file cannot be read or is of no known kind.
    [[nodiscard]] static std::unique_ptr<TreeFile> open(const std::string& path,
                                                        const ImportOptions& options = {});

    /// "packed", "raw", "csv" or "jsonl".
    [[nodiscard]] virtual const char* kind() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// Search and iteration of a tree, known before it is read.
    [[nodiscard]] virtual std::uint64_t search(std::size_t i) const = 0;
    [[nodiscard]] virtual std::uint64_t iteration(std::size_t i) const = 0;
    /// Reads tree `i`, once for each; a file's only tree is named as the file, others
    /// `FILE#SEARCH.ITERATION`. May be used after the file is gone. Throws Error where what there
    /// is cannot be read at all; what was cut or skipped is added to `warnings`, and the tree is
    /// then not complete.
    [[nodiscard]] virtual std::unique_ptr<TreeSource> tree(std::size_t i,
                                                           std::vector<std::string>& warnings) = 0;
};

/// The files of trees that a path means: itself, or all files below a folder in the order of their
/// names. Throws Error where there is none.
[[nodiscard]] std::vector<std::string> tree_files(const std::string& path);

/// The chosen trees of one file. An incomplete tree that stands in for a complete one is said in
/// `warnings`. Throws Error where the file cannot be read, has no tree, or not the iteration.
[[nodiscard]] std::vector<std::unique_ptr<TreeSource>> open_trees(
    const std::string& path, const OpenOptions& options, std::vector<std::string>& warnings);

}  // namespace assay::gtql
