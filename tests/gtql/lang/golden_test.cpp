// tests/golden/gtql/errors.test: a level, a query, '----', and the whole message.
#include <string>

#include <doctest/doctest.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "gtql/lang/parser.h"
#include "gtql/lang/query_plan.h"

namespace assay::gtql {

namespace {

TreeSchema fruit_schema() {
    TreeSchema schema;
    for (const char* const name : {"ply", "depth", "alpha", "beta", "value", "last_move", "type",
                                   "type_exp", "type_res", "flags"}) {
        schema.attributes.push_back({name, Width::I16, std::string(name) == "last_move"});
    }
    for (const char* const name : {"PVNode", "CUTNode", "ALLNode", "QNode", "QRootNode"}) {
        schema.constants.push_back({name, static_cast<std::int64_t>(schema.constants.size()) + 1});
    }
    return schema;
}

std::string message_of(const std::string& text, int level, const TreeSchema& schema) {
    try {
        (void)bind(parse_query("<query>", text, {level}), schema, {"none", "e2e4"});
    } catch (const SyntaxError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("Parser: each wrong query has its message, with place and caret") {
    const std::string file = read_file(ASSAY_SOURCE_DIR "/tests/golden/gtql/errors.test");
    const TreeSchema schema = fruit_schema();
    int checked = 0;
    std::size_t at = 0;
    while (at < file.size()) {
        std::size_t end = file.find("\n\nlevel ", at);
        if (end == std::string::npos) end = file.find_last_not_of('\n') + 1;
        const std::string piece = file.substr(at, end - at);
        at = end == file.find_last_not_of('\n') + 1 ? file.size() : end + 2;
        const std::size_t line_end = piece.find('\n');
        const std::size_t rule = piece.find("\n----\n");
        REQUIRE(rule != std::string::npos);
        const int level = piece[line_end - 1] - '0';
        const std::string query = piece.substr(line_end + 1, rule - line_end - 1);
        CAPTURE(query);
        CHECK(message_of(query, level, schema) == piece.substr(rule + 6));
        ++checked;
    }
    CHECK(checked >= 80);
}

}  // namespace assay::gtql
