#pragma once
#include <functional>
#include <string_view>

#include "gtql/log/tree.h"

namespace assay::gtql {

/// Takes the next part of a text.
using TextSink = std::function<void(std::string_view)>;

/// The tree as import_csv() and import_jsonl() read it, in blocks: every column, node_id and
/// parent_id, and what the tree says of itself.
void export_csv(const TreeSource& tree, const TextSink& sink);
void export_jsonl(const TreeSource& tree, const TextSink& sink);

}  // namespace assay::gtql
