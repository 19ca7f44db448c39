// The index of a book's entries as a file: a head, then 16 bytes an entry, so that entry i is one
// read at a known place and a book of 10^8 openings takes no memory. It is a cache of one machine
// and no exchange format: numbers lie as the machine has them, and a file of another layout has
// another magic number.
//
// The head is written last, over zeros: an index that a killed process left behind has no magic
// number and does not exist. Head and entries have a sum each, which is checked when the index is
// loaded, once a run.
#include "openings/read/index_file.h"

#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/random.h"

namespace assay::openings {

namespace {

constexpr std::uint64_t kMagic = 0x3330786469797361;  // "asyidx03" in memory
constexpr std::size_t kBufferedEntries = 16'384;
constexpr std::uint64_t kSumSeed = 0x6a09e667f3bcc908;

/// As it lies in the file.
struct Header {
    std::uint64_t magic = kMagic;
    FileStamp source;
    FileStamp content;
    std::uint64_t format = 0;
    std::uint64_t lines = 0;
    std::uint64_t left_out = 0;
    std::uint64_t count = 0;
    std::uint64_t entries_sum = 0;
    std::array<char, 64> hash{};
    std::uint64_t header_sum = 0;  // of everything before it
};

static_assert(std::is_trivially_copyable_v<Header> && std::is_trivially_copyable_v<Entry>);
static_assert(sizeof(Entry) == 16 && sizeof(Header) % 8 == 0);
static_assert(std::has_unique_object_representations_v<Header>);

/// A checksum against damage, not against malice: every bit of a word reaches the sum.
std::uint64_t add_to_sum(std::uint64_t sum, const char* bytes, std::size_t size) {
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + i, 8);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
        sum ^= sum >> 32U;
    }
    return sum;
}

std::uint64_t sum_of(const Header& header) {
    std::array<char, sizeof(Header)> bytes{};
    std::memcpy(bytes.data(), &header, sizeof(Header));
    return mix64(add_to_sum(kSumSeed, bytes.data(), offsetof(Header, header_sum)));
}

}  // namespace

IndexWriter::IndexWriter(std::string path, std::string name, std::uint64_t most_in_memory)
    : spool_(std::move(path), std::move(name), most_in_memory), sum_(kSumSeed) {
    spool_.write(std::string(sizeof(Header), '\0'));
    buffer_.reserve(kBufferedEntries * sizeof(Entry));
}

void IndexWriter::add(const Entry& entry) {
    std::array<char, sizeof(Entry)> bytes{};
    std::memcpy(bytes.data(), &entry, sizeof(Entry));
    buffer_.append(bytes.data(), bytes.size());
    ++count_;
    if (buffer_.size() >= kBufferedEntries * sizeof(Entry)) flush();
}

void IndexWriter::flush() {
    sum_ = add_to_sum(sum_, buffer_.data(), buffer_.size());
    spool_.write(buffer_);
    buffer_.clear();
}

File IndexWriter::finish(const IndexSummary& summary) {
    flush();
    Header header;
    header.source = summary.source;
    header.content = summary.content;
    header.format = static_cast<std::uint64_t>(summary.format);
    header.lines = summary.lines;
    header.left_out = summary.left_out;
    header.count = count_;
    header.entries_sum = sum_;
    ASSAY_CHECK(summary.hash.size() == header.hash.size());
    std::memcpy(header.hash.data(), summary.hash.data(), header.hash.size());
    header.header_sum = sum_of(header);
    std::string bytes(sizeof(Header), '\0');
    std::memcpy(bytes.data(), &header, sizeof(Header));
    spool_.overwrite(0, bytes);
    return spool_.finish();
}

std::optional<BookIndex> BookIndex::load(File file) {
    Header header;
    std::array<char, sizeof(Header)> head{};
    if (file.read_at(0, head.data(), head.size()) != head.size()) return std::nullopt;
    std::memcpy(&header, head.data(), sizeof(Header));
    if (header.magic != kMagic || header.header_sum != sum_of(header)) return std::nullopt;
    if (file.stamp().size != sizeof(Header) + header.count * sizeof(Entry)) return std::nullopt;

    std::vector<char> chunk(kBufferedEntries * sizeof(Entry));
    std::uint64_t sum = kSumSeed;
    std::uint64_t at = sizeof(Header);
    for (std::size_t got = chunk.size(); got == chunk.size(); at += got) {
        got = file.read_at(at, chunk.data(), chunk.size());
        sum = add_to_sum(sum, chunk.data(), got);
    }
    if (sum != header.entries_sum) return std::nullopt;

    IndexSummary summary;
    summary.source = header.source;
    summary.content = header.content;
    summary.format = static_cast<BookFormat>(header.format);
    summary.lines = header.lines;
    summary.left_out = header.left_out;
    summary.hash.assign(header.hash.data(), header.hash.size());
    return BookIndex(std::move(file), header.count, std::move(summary));
}

Entry BookIndex::entry(std::uint64_t i) const {
    ASSAY_CHECK(i < count_);
    std::array<char, sizeof(Entry)> bytes{};
    Entry entry;
    const std::uint64_t at = sizeof(Header) + i * sizeof(Entry);
    // Nobody writes to it after it was checked, and a short read leaves an offset that holds no
    // opening, which the book then says.
    (void)file_.read_at(at, bytes.data(), bytes.size());
    std::memcpy(&entry, bytes.data(), sizeof(Entry));
    return entry;
}

}  // namespace assay::openings
