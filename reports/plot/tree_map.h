#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "gtql/log/tree.h"

namespace assay::reports {

/// What a treemap shows.
struct TreeMapOptions {
    std::string colour;             // an attribute, or level; empty: type where there is one
    std::uint64_t node = 1;         // the map's outermost rectangle (node_id)
    std::size_t rectangles = 3000;  // at most
    int width = 1280;               // of the map, pixels
    int height = 800;
};

/// A search tree as nested rectangles, a node each, as large as its subtree, coloured by an
/// attribute, with the move that led there where it fits. The largest subtrees are opened first;
/// what is not opened is one rectangle. Each has a tooltip with the moves from the root, its size
/// and the attribute. Reads the tree once; memory: 16 bytes a node.
/// Throws Error where the tree has not the node or the attribute.
[[nodiscard]] std::string tree_map_svg(const gtql::TreeSource& tree, const TreeMapOptions& options);

/// The same in a page of its own that needs no other file.
[[nodiscard]] std::string tree_map_html(const gtql::TreeSource& tree,
                                        const TreeMapOptions& options);

}  // namespace assay::reports
