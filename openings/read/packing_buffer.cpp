#include "openings/read/packing_buffer.h"

#include <limits>
#include <utility>
#include <zlib.h>
#include <zstd.h>

#include "base/check.h"

namespace assay::openings {

namespace {

constexpr int kZstdLevel = 9;
constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip's header
constexpr int kGzipMemory = 8;
constexpr std::size_t kRoom = std::size_t{1} << 17U;

class ZstdBuffer final : public PackingBuffer {
public:
    explicit ZstdBuffer(std::streambuf& target)
        : PackingBuffer(target), context_(ZSTD_createCCtx()) {
        ASSAY_CHECK(context_ != nullptr);
        for (const auto& [parameter, value] :
             {std::pair{ZSTD_c_compressionLevel, kZstdLevel}, std::pair{ZSTD_c_checksumFlag, 1}})
            ASSAY_CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(context_, parameter, value)) == 0);
    }

    ZstdBuffer(const ZstdBuffer&) = delete;
    ZstdBuffer& operator=(const ZstdBuffer&) = delete;

    ~ZstdBuffer() override { ZSTD_freeCCtx(context_); }

private:
    bool take(const char* bytes, std::size_t count, bool is_last) override {
        ZSTD_inBuffer in{bytes, count, 0};
        std::size_t left = 1;  // what the context still holds of the frame, where it is the last
        while (in.pos < in.size || (is_last && left != 0)) {
            ZSTD_outBuffer out{room().data(), room().size(), 0};
            left =
                ZSTD_compressStream2(context_, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
            ASSAY_CHECK(ZSTD_isError(left) == 0);
            if (!pass_on(out.pos)) return false;
        }
        return true;
    }

    ZSTD_CCtx* context_;
};

class GzipBuffer final : public PackingBuffer {
public:
    explicit GzipBuffer(std::streambuf& target) : PackingBuffer(target) {
        ASSAY_CHECK(::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow,
                                   kGzipMemory, Z_DEFAULT_STRATEGY) == Z_OK);
    }

    GzipBuffer(const GzipBuffer&) = delete;
    GzipBuffer& operator=(const GzipBuffer&) = delete;

    ~GzipBuffer() override { ::deflateEnd(&stream_); }

private:
    bool take(const char* bytes, std::size_t count, bool is_last) override {
        constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
        while (count > kMost) {
            if (!deflate(bytes, kMost, Z_NO_FLUSH)) return false;
            bytes += kMost;
            count -= kMost;
        }
        return deflate(bytes, count, is_last ? Z_FINISH : Z_NO_FLUSH);
    }

    bool deflate(const char* bytes, std::size_t count, int flush) {
        // zlib's interface is older than const.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes));  // NOLINT
        stream_.avail_in = static_cast<uInt>(count);
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(room().data());
            stream_.avail_out = static_cast<uInt>(room().size());
            ASSAY_CHECK(::deflate(&stream_, flush) != Z_STREAM_ERROR);
            if (!pass_on(room().size() - stream_.avail_out)) return false;
        } while (stream_.avail_out == 0);
        return true;
    }

    z_stream stream_{};
};

}  // namespace

std::unique_ptr<PackingBuffer> PackingBuffer::make(std::streambuf& target, Packing packing) {
    if (packing == Packing::Gzip) return std::make_unique<GzipBuffer>(target);
    if (packing == Packing::Zstd) return std::make_unique<ZstdBuffer>(target);
    return nullptr;
}

PackingBuffer::PackingBuffer(std::streambuf& target) : target_(target), room_(kRoom) {}

bool PackingBuffer::pass_on(std::size_t size) {
    const auto ready = static_cast<std::streamsize>(size);
    return target_.sputn(room_.data(), ready) == ready;
}

bool PackingBuffer::finish() {
    return take(nullptr, 0, true) && target_.pubsync() == 0;
}

PackingBuffer::int_type PackingBuffer::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return take(&one, 1, false) ? c : traits_type::eof();
}

std::streamsize PackingBuffer::xsputn(const char* bytes, std::streamsize count) {
    return take(bytes, static_cast<std::size_t>(count), false) ? count : 0;
}

}  // namespace assay::openings
