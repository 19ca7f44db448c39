#include "reports/dropin/runner_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/packing.h"

namespace assay::reports::dropin {

namespace {

constexpr std::size_t kPiece = 1U << 20U;
constexpr std::size_t kLongestPart = 16U << 20U;

}  // namespace

RunnerFile::RunnerFile(const std::string& path, Kind kind, bool append, bool sums)
    : file_(append ? File::append(path) : File::create(path)), kind_(kind) {
    try {
        if (file_.is_regular()) reader_ = File::open_regular(path);
    } catch (const Error&) {
        // It may be written and not read: nothing needs more than that.
        if (sums) throw;
    }
    if (sums) sum();
}

void RunnerFile::sum() {
    crc_ = 0;
    const std::uint64_t bytes = size();
    for (std::uint64_t at = 0; at < bytes; at += kPiece)
        crc_ = crc32_of(reader_->read_at(at, kPiece), *crc_);
}

std::string_view RunnerFile::missing_end() const {
    const std::uint64_t bytes = size();
    if (bytes == 0) return "";
    const std::string end = read_at(bytes - std::min<std::uint64_t>(2, bytes), 2);
    if (kind_ == Kind::Epd) return end.ends_with('\n') ? "" : "\n";
    return end == "\n\n" || end == "\n" ? "" : end.ends_with('\n') ? "\n" : "\n\n";
}

void RunnerFile::write(std::string_view text) {
    const std::string whole = std::string(is_ended_ ? "" : missing_end()).append(text);
    is_ended_ = true;
    file_.write(whole);
    if (crc_) crc_ = crc32_of(whole, *crc_);
}

std::uint64_t RunnerFile::size() const {
    return reader_ ? reader_->stamp().size : 0;
}

std::string RunnerFile::read_at(std::uint64_t offset, std::size_t size) const {
    return reader_.value().read_at(offset, size);
}

void RunnerFile::cut(std::uint64_t size) {
    file_.truncate(size);
    is_ended_ = false;
    if (crc_) sum();
}

std::string RunnerFile::crc_text() const {
    return fmt::format("{:#x}", crc_.value());
}

FileParts::FileParts(Read read, std::uint64_t begin, std::string_view mark)
    : read_(std::move(read)), mark_(fmt::format("\n{}", mark)), offset_(begin) {}

void FileParts::read_more() {
    buffer_.erase(0, used_);
    used_ = 0;
    const std::string piece = read_(offset_, kPiece);
    offset_ += piece.size();
    buffer_ += piece;
    is_at_end_ = piece.size() < kPiece;
}

std::optional<std::string_view> FileParts::next() {
    std::size_t looked = 0;  // bytes of the part in which no mark begins
    while (true) {
        const std::size_t mark = buffer_.find(mark_, used_ + looked);
        // With the end of the line, so that is_last() also knows an end behind a line.
        if (mark != std::string::npos && (is_at_end_ || mark + mark_.size() < buffer_.size())) {
            at_ = offset_ - (buffer_.size() - used_);
            const std::size_t begin = std::exchange(used_, mark + 1);
            return std::string_view(buffer_).substr(begin, used_ - begin);
        }
        if (is_at_end_ || buffer_.size() - used_ > kLongestPart) break;
        looked = buffer_.size() - used_;
        looked -= std::min(looked, mark_.size());
        read_more();
    }
    if (used_ == buffer_.size()) return std::nullopt;
    at_ = offset_ - (buffer_.size() - used_);
    const std::size_t begin = std::exchange(used_, buffer_.size());
    return std::string_view(buffer_).substr(begin);
}

}  // namespace assay::reports::dropin
