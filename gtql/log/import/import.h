#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gtql/log/bytes.h"
#include "gtql/log/import/table_import.h"
#include "gtql/log/tree.h"

namespace assay::gtql {

/// A tree from CSV, plain or in zstd: a header, then a row a node (TreeTable says which). Lines
/// before the header may say `#const NAME=1 ...`, `#position TEXT`, `#game NAME`, `#search N`,
/// `#iteration N`, `#nodes N`, `#incomplete`, `#parameter NAME=TEXT`; a last line `#end NODES` is
/// checked. The header of the fruit trees brings the constants of the profile `fruit`. Throws
/// SyntaxError at a line that cannot be, Error where the file is cut.
[[nodiscard]] std::unique_ptr<Tree> import_csv(const RandomAccess& file,
                                               const ImportOptions& options,
                                               std::vector<std::string>& warnings);

/// A tree from JSON lines: objects of numbers, texts and truth values with the keys that CSV has as
/// columns. A first object {"tree": {...}} may hold "const" (an object), "position", "game",
/// "search", "iteration", "nodes", "complete", "parameters"; a last one {"end": NODES} is checked.
[[nodiscard]] std::unique_ptr<Tree> import_jsonl(const RandomAccess& file,
                                                 const ImportOptions& options,
                                                 std::vector<std::string>& warnings);

/// The constants of the profile `fruit`: node types and flags of the trees of Fruit 2.1.
[[nodiscard]] const std::vector<Constant>& fruit_constants();

}  // namespace assay::gtql
