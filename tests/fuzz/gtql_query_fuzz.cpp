// A query of either level, parsed, bound and run on a tiny tree in batches of two sizes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "gtql/exec/execute.h"
#include "gtql/lang/parser.h"
#include "tests/support/column_of.h"

namespace {

using assay::gtql::Tree;
using assay::test::column_of;

const Tree& tiny_tree() {
    static const auto tree = [] {
        auto made = std::make_unique<Tree>(assay::gtql::TreeInfo{},
                                           column_of({0, 1, 2, 2, 3, 1, 2, 3, 4, 1}));
        made->add_attribute("type", column_of({1, 1, 2, 3, 1, 2, 3, 2, 3, 2}));
        made->add_attribute("depth", column_of({3, 2, 1, 1, 0, 2, 1, 0, -1, 2}));
        made->add_attribute("flags", column_of({0, 1, 3, 64, 2, 1000, 128, 0, 1, 2}));
        made->add_attribute("wide",
                            column_of({0, 1LL << 62U, -1, 3, 0, -(1LL << 62U), 9, 0, 1, 2}));
        made->add_moves("last_move", column_of({0, 1, 2, 1, 0, 2, 1, 1, 2, 0}),
                        {"none", "e2e4", "0000"});
        made->add_constant("PVNode", 1);
        return made;
    }();
    return *tree;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        const auto query = assay::gtql::parse_query("<query>", text, {1 + data[0] % 2});
        assay::gtql::ExecuteOptions options;
        const auto whole = assay::gtql::execute(tiny_tree(), {&query, 1}, options).at(0);
        options.batch = 3;
        const auto parts = assay::gtql::execute(tiny_tree(), {&query, 1}, options).at(0);
        ASSAY_CHECK(whole.count == parts.count && whole.ids == parts.ids);
        ASSAY_CHECK(whole.value == parts.value && whole.rows == parts.rows);
    } catch (const assay::SyntaxError& error) {
        ASSAY_CHECK(!error.diagnostics().empty());
    }
    return 0;
}
