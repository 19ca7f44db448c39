// CSV and JSON lines, plain or in zstd: a tree that is the same after export and import, or an
// Error.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "gtql/log/import/export.h"
#include "gtql/log/import/import.h"

namespace {

using assay::gtql::RandomAccess;
using assay::gtql::Tree;

std::string exported(const Tree& tree, bool is_csv) {
    std::string text;
    const auto sink = [&text](std::string_view part) { text += part; };
    if (is_csv) {
        export_csv(tree, sink);
    } else {
        export_jsonl(tree, sink);
    }
    return text;
}

std::unique_ptr<Tree> import(std::string bytes, bool is_csv) {
    std::vector<std::string> warnings;
    const auto file = RandomAccess::of("fuzz", std::move(bytes));
    return is_csv ? import_csv(*file, {}, warnings) : import_jsonl(*file, {}, warnings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    for (const bool is_csv : {true, false}) {
        std::unique_ptr<Tree> tree;
        try {
            tree = import(bytes, is_csv);
        } catch (const assay::Error&) {
            continue;
        }
        const std::string text = exported(*tree, is_csv);
        const auto again = import(text, is_csv);
        ASSAY_CHECK(again->info().nodes == tree->info().nodes);
        ASSAY_CHECK(exported(*again, is_csv) == text);
    }
    return 0;
}
