// Finds the blocks of a raw log. The log is written by an engine that may crash, be killed, or
// share the file with the threads of its own search, so that the end is often missing and blocks of
// several streams alternate. Every block begins with a mark, its length and a checksum of head and
// content; after damage the walk searches forward for the next mark whose checksum is right.
// LevelDB's log reader does the same at borders of fixed blocks; an engine should not have to pad,
// so that a block may begin anywhere here.
#include "gtql/log/raw/raw_blocks.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::gtql {

namespace {

constexpr std::string_view kMagic("treelog\n\x01\0\0\0\0\0\0\0", 16);
constexpr std::string_view kBlockMagic = "TLb1";
constexpr std::uint64_t kHead = 40;
constexpr std::uint64_t kMostContent = 1U << 24;

struct Head {
    std::uint64_t at = 0;
    char kind = 0;
    int flags = 0;
    std::uint32_t stream = 0;
    std::uint32_t tree = 0;
    RawBlock block;
};

/// Walks over the blocks of a file. After damage it searches for the next whole block.
class Scanner {
public:
    explicit Scanner(const RandomAccess& file) : file_(file), at_(kMagic.size()) {}

    /// The next whole block, its content in content(). nullopt at the end.
    std::optional<Head> next(std::vector<Remark>& remarks) {
        const std::uint64_t from = at_;
        std::optional<Head> head = block_at(at_);
        while (!head && at_ < file_.size()) {
            at_ = next_magic(at_ + 1);
            if (at_ < file_.size()) head = block_at(at_);
        }
        if (head) at_ += kHead + head->block.size;
        const std::uint64_t skipped = (head ? head->at : file_.size()) - from;
        if (skipped == 0) return head;
        const std::string bytes = std::to_string(skipped) + " bytes";
        remarks.push_back({from, head ? bytes + " are damaged and were skipped"
                                      : "the log ends within a block: " + bytes + " were skipped"});
        return head;
    }

    [[nodiscard]] std::span<const std::byte> content() const {
        return std::span(buffer_).subspan(kHead);
    }

private:
    std::optional<Head> block_at(std::uint64_t at) {
        if (file_.size() - at < kHead) return std::nullopt;
        buffer_.resize(kHead);
        file_.read(at, buffer_);
        Cursor cursor(buffer_);
        if (cursor.bytes(4) != kBlockMagic) return std::nullopt;
        Head head;
        head.at = at;
        const std::uint64_t size = cursor.number(4);
        if (size > kMostContent || size > file_.size() - at - kHead) return std::nullopt;
        const std::uint64_t expected = cursor.number(8);
        head.kind = static_cast<char>(cursor.number(1));
        head.flags = static_cast<int>(cursor.number(1));
        (void)cursor.number(2);
        head.stream = static_cast<std::uint32_t>(cursor.number(4));
        head.tree = static_cast<std::uint32_t>(cursor.number(4));
        head.block.number = static_cast<std::uint32_t>(cursor.number(4));
        head.block.size = static_cast<std::uint32_t>(size);
        head.block.offset = at + kHead;
        head.block.is_last = (head.flags & 1) != 0;
        spend(at, size);
        buffer_.resize(kHead + size);
        file_.read(at + kHead, std::span(buffer_).subspan(kHead));
        if (checksum(std::span(buffer_).subspan(16)) != expected) return std::nullopt;
        return head;
    }

    /// Limits the search: a hostile file could make each byte look like the head of a long block.
    void spend(std::uint64_t at, std::uint64_t size) {
        checked_ += size;
        if (checked_ / 32 > file_.size() + (1U << 20)) {
            throw Error(file_.name() + ": byte " + std::to_string(at) +
                        ": too much is damaged to find further blocks");
        }
    }

    std::uint64_t next_magic(std::uint64_t from) {
        while (file_.size() - from >= kHead) {
            if (from < chunk_at_ || from + kBlockMagic.size() > chunk_at_ + chunk_.size()) {
                chunk_at_ = from;
                chunk_.resize(std::min<std::uint64_t>(1U << 16, file_.size() - from));
                file_.read(from, std::as_writable_bytes(std::span(chunk_)));
            }
            const std::size_t found = chunk_.find(kBlockMagic, from - chunk_at_);
            if (found != std::string::npos) return chunk_at_ + found;
            // A mark may lie across the border of two chunks.
            from = chunk_at_ + chunk_.size() - (kBlockMagic.size() - 1);
        }
        return file_.size();
    }

    const RandomAccess& file_;
    std::uint64_t at_;
    std::uint64_t checked_ = 0;
    std::vector<std::byte> buffer_;
    std::uint64_t chunk_at_ = 0;
    std::string chunk_;  // bytes around chunk_at_, searched for the next head
};

RawSchema parse_schema(const RandomAccess& file, std::span<const std::byte> content) {
    Cursor cursor(content);
    RawSchema schema;
    schema.program = cursor.text();
    schema.game = cursor.text();
    const std::uint64_t attributes = cursor.number(2);
    const std::uint64_t constants = cursor.number(2);
    if (attributes > kMostNames || constants > kMostNames) {
        throw Error(file.name() + ": the schema has " + counted(attributes, "attribute") + " and " +
                    counted(constants, "constant") + ": expected at most " +
                    std::to_string(kMostNames) + " of each");
    }
    std::set<std::string, std::less<>> names = {"last_move"};
    const auto take_name = [&] {
        std::string name(cursor.name());
        if (!cursor.is_good() || !is_log_name(name) || !names.insert(name).second) {
            throw Error(file.name() + ": the schema's name '" + printable_utf8(name) +
                        "' is used twice or invalid");
        }
        return name;
    };
    for (std::uint64_t i = 0; i < attributes; ++i) {
        const std::uint64_t when = cursor.number(1);
        schema.attributes.push_back({take_name(), (when & 1) != 0, (when & 2) != 0});
        if (when < 1 || when > 3)
            throw Error(file.name() + ": the schema's attribute '" + schema.attributes.back().name +
                        "' has no value at entry or exit");
    }
    names.clear();
    for (std::uint64_t i = 0; i < constants; ++i) {
        const auto value = static_cast<std::int64_t>(cursor.number(8));
        schema.constants.push_back({take_name(), value});
    }
    if (!cursor.is_good() || cursor.left() != 0)
        throw Error(file.name() + ": the schema block is malformed");
    return schema;
}

bool parse_tree(const Head& head, std::span<const std::byte> content, RawTree& tree) {
    Cursor cursor(content);
    tree.number = head.tree;
    tree.owner = head.stream;
    tree.search = static_cast<std::uint32_t>(cursor.number(4));
    tree.iteration = static_cast<std::uint32_t>(cursor.number(4));
    tree.position = cursor.text();
    tree.parameters = cursor.text();
    tree.filter = cursor.text();
    return cursor.is_good();
}

/// Assigns blocks to their trees. Blocks of a tree whose beginning is lost are left out, since its
/// owner is not known.
class Sorter {
public:
    explicit Sorter(RawIndex& index) : index_(index) {}

    void take(const Head& head, std::span<const std::byte> content) {
        if (head.kind == 'T') {
            RawTree tree;
            if (places_.contains(head.tree) || !parse_tree(head, content, tree))
                return remark(head, "a tree begins twice, or its head is malformed");
            places_[head.tree] = index_.trees.size();
            index_.trees.push_back(std::move(tree));
            return;
        }
        const auto place = places_.find(head.tree);
        if (place == places_.end()) {
            if (lost_.insert(head.tree).second)
                remark(head, "the beginning of tree " + std::to_string(head.tree) + " is lost");
            return;
        }
        RawTree& tree = index_.trees[place->second];
        if (head.kind == 'N') {
            tree.blocks[head.stream].push_back(head.block);
        } else if (head.kind == 'E') {
            Cursor cursor(content);
            tree.has_end = true;
            tree.is_limited = (head.flags & 1) != 0;
            tree.streams = static_cast<std::uint32_t>(cursor.number(4));
        } else {
            remark(head, "a block of unknown kind was skipped");
        }
    }

private:
    void remark(const Head& head, std::string what) {
        index_.remarks.push_back({head.at, std::move(what)});
    }

    RawIndex& index_;
    std::map<std::uint32_t, std::size_t> places_;
    std::set<std::uint32_t> lost_;
};

}  // namespace

bool is_raw_log(std::string_view first_bytes) {
    return first_bytes.starts_with(kMagic.substr(0, 8));
}

bool is_log_name(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

RawIndex index_raw_log(const RandomAccess& file) {
    std::vector<std::byte> first(std::min<std::uint64_t>(kMagic.size(), file.size()));
    file.read(0, first);
    if (std::string_view(reinterpret_cast<const char*>(first.data()), first.size()) != kMagic) {
        throw Error(file.name() + (first.size() < kMagic.size()
                                       ? ": the file is too short for a tree log"
                                       : ": not a tree log of a known version"));
    }
    RawIndex index;
    Scanner scanner(file);
    Sorter sorter(index);
    bool has_schema = false;
    while (const auto head = scanner.next(index.remarks)) {
        if (head->kind != 'S') {
            sorter.take(*head, scanner.content());
        } else if (!has_schema) {
            index.schema = parse_schema(file, scanner.content());
            has_schema = true;
        } else {
            index.remarks.push_back({head->at, "a second schema was skipped"});
        }
    }
    if (!has_schema && file.size() > kMagic.size()) {
        throw Error(file.name() + ": byte " + std::to_string(kMagic.size()) +
                    ": no schema: the log ends in its first block, or that is damaged");
    }
    return index;
}

}  // namespace assay::gtql
