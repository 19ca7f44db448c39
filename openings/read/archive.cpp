#include "openings/read/archive.h"

#include <memory>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "base/check.h"
#include "base/diagnostic.h"

namespace assay::openings {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16U;
constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip's header and trailer
constexpr int kZstdLevel = 19;

[[noreturn]] void damaged(const File& file, const char* kind, const std::string& reason) {
    throw about_file(file.name(), std::string("damaged ") + kind + " archive: " + reason);
}

/// Reads a file from its start, chunk by chunk.
class Chunks {
public:
    explicit Chunks(const File& file) : file_(file), bytes_(kChunk) {}

    [[nodiscard]] std::string_view next() {
        const std::size_t got = file_.read_at(offset_, bytes_.data(), bytes_.size());
        offset_ += got;
        return {bytes_.data(), got};
    }

private:
    const File& file_;
    std::vector<char> bytes_;
    std::uint64_t offset_ = 0;
};

struct InflateEnd {
    void operator()(z_stream* stream) const {
        inflateEnd(stream);
        delete stream;
    }
};

std::unique_ptr<z_stream, InflateEnd> start_inflate() {
    auto stream = std::make_unique<z_stream>();
    ASSAY_CHECK(inflateInit2(stream.get(), kGzipWindow) == Z_OK);
    return std::unique_ptr<z_stream, InflateEnd>(stream.release());
}

bool is_padding(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
}

void unpack_gzip(const File& file, const std::function<void(std::string_view)>& sink) {
    const auto stream = start_inflate();
    std::vector<Bytef> out(kChunk);
    Chunks chunks(file);
    bool is_inside = false;  // a member
    while (true) {
        const std::string_view in = chunks.next();
        if (in.empty()) break;
        // zlib's interface is older than const.
        stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // NOLINT
        stream->avail_in = static_cast<uInt>(in.size());
        while (stream->avail_in > 0 || stream->avail_out == 0) {
            const std::string_view rest(reinterpret_cast<const char*>(stream->next_in),
                                        stream->avail_in);
            if (!is_inside && stream->total_in == 0 && is_padding(rest)) break;
            is_inside = true;
            stream->next_out = out.data();
            stream->avail_out = kChunk;
            const int status = inflate(stream.get(), Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
                damaged(file, "gzip", stream->msg == nullptr ? "bad data" : stream->msg);
            }
            sink({reinterpret_cast<const char*>(out.data()), kChunk - stream->avail_out});
            if (status == Z_BUF_ERROR) break;
            if (status == Z_STREAM_END) {
                is_inside = false;
                inflateReset(stream.get());
                stream->avail_out = kChunk;
            }
        }
    }
    if (is_inside) damaged(file, "gzip", "it is cut short");
}

struct FreeZstd {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

void unpack_zstd(const File& file, const std::function<void(std::string_view)>& sink) {
    const std::unique_ptr<ZSTD_DCtx, FreeZstd> context(ZSTD_createDCtx());
    ASSAY_CHECK(context != nullptr);
    std::vector<char> out(kChunk);
    Chunks chunks(file);
    std::size_t wanted = 0;  // 0: between frames
    while (true) {
        const std::string_view bytes = chunks.next();
        if (bytes.empty()) break;
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        bool is_full = false;
        while (in.pos < in.size || is_full) {
            ZSTD_outBuffer into{out.data(), out.size(), 0};
            wanted = ZSTD_decompressStream(context.get(), &into, &in);
            if (ZSTD_isError(wanted) != 0) damaged(file, "zstd", ZSTD_getErrorName(wanted));
            sink({out.data(), into.pos});
            is_full = into.pos == into.size && wanted != 0;
        }
    }
    if (wanted != 0) damaged(file, "zstd", "it is cut short");
}

std::string pack_gzip(std::string_view content) {
    z_stream stream{};
    ASSAY_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9,
                             Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ASSAY_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace

Packing packing_of(std::string_view head) {
    if (head.starts_with("\x1f\x8b")) return Packing::Gzip;
    if (head.starts_with("\x28\xb5\x2f\xfd")) return Packing::Zstd;
    return Packing::None;
}

Packing packing_of_name(std::string_view path) {
    if (path.ends_with(".gz")) return Packing::Gzip;
    if (path.ends_with(".zst")) return Packing::Zstd;
    return Packing::None;
}

void unpack(const File& file, Packing packing, const std::function<void(std::string_view)>& sink) {
    switch (packing) {
        case Packing::Gzip:
            return unpack_gzip(file, sink);
        case Packing::Zstd:
            return unpack_zstd(file, sink);
        case Packing::None:
            break;
    }
    Chunks chunks(file);
    for (std::string_view bytes = chunks.next(); !bytes.empty(); bytes = chunks.next()) sink(bytes);
}

std::string pack(std::string_view content, Packing packing) {
    if (packing == Packing::Gzip) return pack_gzip(content);
    if (packing == Packing::None) return std::string(content);
    std::string out(ZSTD_compressBound(content.size()), '\0');
    const std::size_t size =
        ZSTD_compress(out.data(), out.size(), content.data(), content.size(), kZstdLevel);
    ASSAY_CHECK(ZSTD_isError(size) == 0);
    out.resize(size);
    return out;
}

}  // namespace assay::openings
