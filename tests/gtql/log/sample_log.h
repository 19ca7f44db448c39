#pragma once
#include <cstdint>
#include <string>

#include "base/file.h"
#include "gtql/log/tree.h"
#include "gtql/log/treelog.h"
#include "tests/support/temp_dir.h"

namespace assay::gtql::testing {

/// A log with the attributes ply and depth (entry), value (exit), flags (both), and the constants
/// Quiet=1, Check=-2; removed at the end.
class SampleLog {
public:
    SampleLog() : path_(dir_.path("sample.log")), log_(treelog_new(path_.c_str())) {
        treelog_attribute(log_, "ply", TREELOG_ENTRY);
        treelog_attribute(log_, "depth", TREELOG_ENTRY);
        treelog_attribute(log_, "value", TREELOG_EXIT);
        treelog_attribute(log_, "flags", TREELOG_BOTH);
        treelog_constant(log_, "Quiet", 1);
        treelog_constant(log_, "Check", -2);
        treelog_program(log_, "sampler", nullptr);
    }

    SampleLog(const SampleLog&) = delete;
    SampleLog& operator=(const SampleLog&) = delete;

    ~SampleLog() { treelog_free(log_); }

    [[nodiscard]] treelog* log() const { return log_; }

    [[nodiscard]] const std::string& path() const { return path_; }

    [[nodiscard]] std::string bytes() const { return read_file(path()); }

private:
    test::TempDir dir_;
    std::string path_;
    treelog* log_;
};

/// Logs a tree of `width` children a node down to `depth` 0; values and moves are made up of both.
inline void log_search(treelog_stream* s, std::int64_t ply, std::int64_t depth, int width,
                       std::int64_t move) {
    TREELOG_ENTER(s, move, ply, depth, 1);
    for (int i = 0; depth > 0 && i < width; ++i)
        log_search(s, ply + 1, depth - 1, width, 10 * ply + i);
    TREELOG_LEAVE(s, 1000 * ply - move, depth == 0 ? 3 : 1);
}

/// "level:move" for each node, blanks between.
inline std::string shape_of(const Tree& tree) {
    std::string text;
    const ColumnView level = tree.column(kLevelColumn);
    const ColumnView move = tree.column(tree.schema().attribute("last_move"));
    for (std::size_t i = 0; i < level.size; ++i) {
        text += (i == 0 ? "" : " ") + std::to_string(level.at(i)) + ":" +
                tree.moves()[static_cast<std::size_t>(move.at(i))];
    }
    return text;
}

/// The values of a column, blanks between.
inline std::string values_of(const Tree& tree, ColumnId id) {
    std::string text;
    const ColumnView column = tree.column(id);
    for (std::size_t i = 0; i < column.size; ++i)
        text += (i == 0 ? "" : " ") + std::to_string(column.at(i));
    return text;
}

inline std::string values_of(const Tree& tree, const char* name) {
    return values_of(tree, tree.schema().attribute(name));
}

}  // namespace assay::gtql::testing
