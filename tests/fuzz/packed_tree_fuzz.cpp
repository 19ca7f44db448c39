// A packed tree: any bytes end in trees that read as they are described, or in an Error. Half of
// the inputs get right checksums, or no changed byte would come past them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/check.h"
#include "base/diagnostic.h"
#include "gtql/log/packed/packed_file.h"

namespace {

using assay::gtql::append_number;
using assay::gtql::checksum;

std::uint64_t number_at(const std::string& bytes, std::size_t at, int size) {
    std::uint64_t value = 0;
    for (int i = size - 1; i >= 0; --i)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

void put_checksum(std::string& bytes, std::size_t at, std::size_t from, std::size_t size) {
    std::string number;
    append_number(number, checksum(std::as_bytes(std::span(bytes)).subspan(from, size)), 8);
    bytes.replace(at, 8, number);
}

/// Puts right the checksums of records, and of blocks' columns as far as they lie within.
void repair(std::string& bytes) {
    std::size_t at = bytes.find("GTr1");
    while (at != std::string::npos && bytes.size() - at >= 24) {
        const std::uint64_t covered = number_at(bytes, at + 16, 4);
        const std::uint64_t data = number_at(bytes, at + 20, 4);
        if (covered > bytes.size() - at - 24) return;
        if (bytes[at + 12] == 'B' && data <= bytes.size() - at - 24 - covered && covered > 13) {
            std::size_t chunk = at + 24 + 12;
            std::size_t place = at + 24 + covered;
            const std::size_t end = place;
            chunk += 1 + (static_cast<std::size_t>(bytes[chunk]) & 15);
            while (chunk + 16 <= end) {
                const std::uint64_t size = number_at(bytes, chunk + 2, 4);
                if (size > bytes.size() - place) break;
                put_checksum(bytes, chunk + 6, place, size);
                place += size;
                chunk += 14;
                for (int i = 0; i < 2 && chunk < end; ++i)
                    chunk += 1 + (static_cast<std::size_t>(bytes[chunk]) & 15);
            }
        }
        put_checksum(bytes, at + 4, at + 12, 12 + covered);
        at = bytes.find("GTr1", at + 24 + covered);
    }
}

void read_all(const assay::gtql::PackedTree& tree) {
    std::vector<assay::gtql::ColumnId> ids = {assay::gtql::kLevelColumn};
    for (std::size_t i = 0; i < tree.schema().attributes.size(); ++i)
        ids.push_back(static_cast<int>(i));
    const auto reader = tree.read(ids);
    assay::gtql::TreeBlock block;
    std::uint64_t nodes = 0;
    std::int64_t level = -1;
    while (reader->next(block)) {
        ASSAY_CHECK(block.first == nodes && block.size > 0);
        ASSAY_CHECK(first_wrong_level(block.columns[0], level) == block.size);
        level = block.columns[0].at(block.size - 1);
        for (std::size_t c = 1; c < ids.size(); ++c) {
            if (!tree.schema().attributes[c - 1].is_move) continue;
            for (std::size_t i = 0; i < block.size; ++i) {
                const auto code = static_cast<std::uint64_t>(block.columns[c].at(i));
                ASSAY_CHECK(code < tree.moves().size());
            }
        }
        nodes += block.size;
    }
    ASSAY_CHECK(nodes == tree.info().nodes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (size > 12 && data[size - 1] % 2 == 0) repair(bytes);
    try {
        const assay::gtql::PackedFile file(assay::gtql::RandomAccess::of("fuzz", bytes));
        for (std::size_t i = 0; i < file.size(); ++i) {
            std::vector<assay::gtql::Remark> remarks;
            verify(file.tree(i), remarks);
            read_all(file.tree(i));
        }
    } catch (const assay::Error&) {}
    return 0;
}
