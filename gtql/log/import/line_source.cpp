#include "gtql/log/import/line_source.h"

#include <algorithm>
#include <zstd.h>

#include "base/diagnostic.h"

namespace assay::gtql {

namespace {

constexpr std::size_t kChunk = 1U << 18;
constexpr std::size_t kMostLine = 1U << 24;
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

}  // namespace

struct LineSource::Zstd {
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream{ZSTD_createDStream(),
                                                                         ZSTD_freeDStream};
    std::string input;
    std::size_t used = 0;    // of input
    bool is_between = true;  // frames: the file may end here
};

LineSource::LineSource(const RandomAccess& file) : file_(file) {
    std::string first(std::min<std::uint64_t>(file.size(), kZstdMagic.size()), '\0');
    file.read(0, std::as_writable_bytes(std::span(first)));
    if (first == kZstdMagic) zstd_ = std::make_unique<Zstd>();
}

LineSource::~LineSource() = default;

void LineSource::fail(const std::string& what) const {
    throw Error(file_.name() + ":" + std::to_string(number_ + 1) + ": error: " + what);
}

bool LineSource::next(std::string_view& line) {
    std::size_t searched = begin_;
    while (true) {
        const std::size_t end = text_.find('\n', searched);
        if (end != std::string::npos) {
            line = std::string_view(text_).substr(begin_, end - begin_);
            if (line.ends_with('\r')) line.remove_suffix(1);
            // The mark by which some programs say that their text is UTF-8.
            if (number_ == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
            begin_ = end + 1;
            ++number_;
            return true;
        }
        if (text_.size() - begin_ > kMostLine) fail("the line is longer than 16 MiB");
        searched = text_.size() - begin_;
        text_.erase(0, begin_);
        begin_ = 0;
        if (is_at_end_) break;
        fill();
    }
    if (!text_.empty()) fail("the last line has no end: the file is cut");
    return false;
}

void LineSource::fill() {
    if (zstd_) {
        fill_compressed();
    } else {
        fill_plain();
    }
}

void LineSource::fill_plain() {
    const std::size_t size = std::min<std::uint64_t>(kChunk, file_.size() - at_);
    const std::size_t before = text_.size();
    text_.resize(before + size);
    file_.read(at_, std::as_writable_bytes(std::span(text_)).subspan(before));
    at_ += size;
    is_at_end_ = at_ == file_.size();
}

void LineSource::fill_compressed() {
    Zstd& zstd = *zstd_;
    if (zstd.used == zstd.input.size()) {
        zstd.input.resize(std::min<std::uint64_t>(kChunk, file_.size() - at_));
        file_.read(at_, std::as_writable_bytes(std::span(zstd.input)));
        at_ += zstd.input.size();
        zstd.used = 0;
        if (zstd.input.empty() && !zstd.is_between) fail("the compressed file is cut");
    }
    if (zstd.input.empty()) {
        is_at_end_ = true;
        return;
    }
    const std::size_t before = text_.size();
    text_.resize(before + kChunk);
    ZSTD_inBuffer in{zstd.input.data(), zstd.input.size(), zstd.used};
    ZSTD_outBuffer out{text_.data() + before, kChunk, 0};
    const std::size_t left = ZSTD_decompressStream(zstd.stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0)
        fail(std::string("the compressed file is damaged: ") + ZSTD_getErrorName(left));
    zstd.used = in.pos;
    zstd.is_between = left == 0;
    text_.resize(before + out.pos);
}

}  // namespace assay::gtql
