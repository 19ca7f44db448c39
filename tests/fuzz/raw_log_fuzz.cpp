// A raw tree log: any bytes end in trees whose levels are a preorder, with all columns, or in an
// Error. Inputs that are no log are taken as the content of one block, so that events are reached.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/diagnostic.h"
#include "gtql/log/bytes.h"
#include "gtql/log/raw/raw_log.h"

namespace {

using assay::gtql::append_number;

/// A block with a right checksum around the content.
std::string block(char kind, int flags, std::uint32_t stream, std::uint32_t tree,
                  const std::string& content) {
    std::string checked(1, kind);
    append_number(checked, static_cast<std::uint64_t>(flags), 1);
    append_number(checked, 0, 2);
    append_number(checked, stream, 4);
    append_number(checked, tree, 4);
    append_number(checked, 0, 4);
    append_number(checked, 0, 8);
    checked += content;
    std::string text = "TLb1";
    append_number(text, content.size(), 4);
    append_number(text, assay::gtql::checksum(std::as_bytes(std::span(checked))), 8);
    return text + checked;
}

/// A log of two streams whose events are the input's two halves.
std::string log_around(const std::string& input) {
    std::string schema;
    append_number(schema, 0, 4);
    append_number(schema, 3, 2);
    append_number(schema, 0, 2);
    for (int when = 1; when <= 3; ++when) {
        append_number(schema, static_cast<std::uint64_t>(when), 1);
        schema += '\x01';
        schema += static_cast<char>('a' + when);
    }
    std::string end;
    append_number(end, 2, 4);
    const std::size_t half = input.size() / 2;
    return std::string("treelog\n\x01\0\0\0\0\0\0\0", 16) + block('S', 0, 0, 0, schema) +
           block('T', 0, 0, 1, std::string(14, '\0')) + block('N', 1, 0, 1, input.substr(0, half)) +
           block('N', 1, 1, 1, input.substr(half)) + block('E', 0, 0, 1, end);
}

/// The tree that stays in its log is the one that is loaded.
void check_in_windows(const assay::gtql::Tree& tree, const assay::gtql::TreeSource& source) {
    ASSAY_CHECK(source.info().nodes == tree.info().nodes);
    ASSAY_CHECK(source.info().complete == tree.info().complete);
    std::vector<assay::gtql::ColumnId> wanted{assay::gtql::kLevelColumn};
    for (std::size_t i = 0; i < source.schema().attributes.size(); ++i) {
        wanted.push_back(static_cast<int>(i));
    }
    const auto reader = source.read(wanted);
    assay::gtql::TreeBlock block;
    while (reader->next(block)) {
        for (std::size_t c = 0; c < wanted.size(); ++c) {
            const auto expected = tree.column(wanted[c]);
            for (std::size_t i = 0; i < block.size; ++i) {
                ASSAY_CHECK(block.columns[c].at(i) == expected.at(block.first + i));
            }
        }
    }
}

void check_log(std::string bytes) {
    try {
        const assay::gtql::RawLog log(assay::gtql::RandomAccess::of("fuzz", std::move(bytes)));
        std::vector<assay::gtql::Remark> remarks;
        for (std::size_t i = 0; i < log.trees(); ++i) {
            const auto tree = log.load(i, remarks);
            const auto levels = tree->column(assay::gtql::kLevelColumn);
            ASSAY_CHECK(first_wrong_level(levels, -1) == levels.size);
            ASSAY_CHECK(tree->info().nodes == levels.size);
            check_in_windows(*tree, *log.open(i, "fuzz", remarks, {0, 3}));
        }
    } catch (const assay::Error&) {}
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    check_log(bytes.starts_with("treelog\n") ? bytes : log_around(bytes));
    return 0;
}
