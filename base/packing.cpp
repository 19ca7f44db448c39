// Streams of gzip and zstd behind one pair of classes. Both libraries take and give bytes through
// counters of what is left; here a call takes a view and gives a view, so that a caller cannot lose
// count. Packing keeps what is ready in a string, which grows with what was given at once.
// Unpacking gives at most one chunk a call and leaves the rest of the input with the caller:
// 256 KiB of zeros as zstd packs them unpack to gigabytes, which must not be in memory together.
// Boost.Iostreams has filters of both, in a compiled library of its own and behind streams, which
// no caller here has.
#include "base/packing.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "base/check.h"
#include "base/diagnostic.h"

namespace assay {

namespace {

constexpr std::size_t kRoom = std::size_t{1} << 16U;
constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip's header and trailer
constexpr int kGzipMemory = 8;
constexpr int kZstdLevel = 9;
constexpr int kMostZstdLevel = 19;

/// Gives zlib the next bytes, as many as its counter holds, and takes them off `bytes`.
void give(z_stream& stream, std::string_view& bytes) {
    const auto size = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    // zlib's interface is older than const.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT
    stream.avail_in = static_cast<uInt>(size);
    bytes.remove_prefix(size);
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

std::string_view foreign_kind(std::string_view head) {
    using namespace std::string_view_literals;

    struct Kind {
        std::string_view magic;
        std::string_view words;
        std::size_t at = 0;
    };

    // NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
    static constexpr Kind kKinds[] = {
        {"PK\x03\x04"sv, "this is a zip archive: unpack it first (unzip)"},
        {"PK\x05\x06"sv, "this is an empty zip archive"},
        {"Rar!\x1a\x07"sv, "this is a rar archive: unpack it first (unrar x)"},
        {"7z\xbc\xaf\x27\x1c"sv, "this is a 7z archive: unpack it first (7z x)"},
        {"\xfd"
         "7zXZ\0"sv,
         "this is packed with xz: unpack it first (xz -d)"},
        {"BZh"sv, "this is packed with bzip2: unpack it first (bzip2 -d)"},
        {"\x04\x22\x4d\x18"sv, "this is packed with lz4: unpack it first (lz4 -d)"},
        {"ustar"sv, "this is a tar archive: unpack it first (tar xf)", 257},
        {"\xff\xfe"sv, "this is text in UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"\xfe\xff"sv, "this is text in UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
        {"SQLite format 3\0"sv, "this is an SQLite database, not a text"},
        {"\x7f"
         "ELF"sv,
         "this is a program, not a text"},
        {"%PDF-"sv, "this is a PDF document, not a text"},
        {"<!DOCTYPE"sv, "this is a page of HTML: download the file itself"},
        {"<!doctype"sv, "this is a page of HTML: download the file itself"},
        {"<html"sv, "this is a page of HTML: download the file itself"},
    };
    for (const Kind& kind : kKinds) {
        if (head.size() >= kind.at && head.substr(kind.at).starts_with(kind.magic)) {
            return kind.words;
        }
    }
    return {};
}

std::string read_text(const std::string& path, std::size_t most) {
    std::string text = read_file(path, most);
    std::string_view kind = foreign_kind(text);
    if (packing_of(text) == Packing::Gzip)
        kind = "this is packed with gzip: unpack it first (gzip -d)";
    if (packing_of(text) == Packing::Zstd)
        kind = "this is packed with zstd: unpack it first (zstd -d)";
    if (!kind.empty()) throw about_file(path, std::string(kind));
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

struct Packer::Stream {
    Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    virtual ~Stream() = default;

    /// What the bytes give, and all that is held back where they are the last.
    virtual std::string_view add(std::string_view bytes, bool is_last) = 0;
};

namespace {

/// A string that grows by a chunk and is then cut to what was used of it.
class Room {
public:
    void clear() { text_.clear(); }

    char* more() {
        used_ = text_.size();
        text_.resize(used_ + kRoom);
        return text_.data() + used_;
    }

    void keep(std::size_t bytes) { text_.resize(used_ + bytes); }

    [[nodiscard]] std::string_view text() const { return text_; }

private:
    std::string text_;
    std::size_t used_ = 0;
};

}  // namespace

struct Packer::Gzip final : Stream {
    Gzip() {
        ASSAY_CHECK(::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow,
                                   kGzipMemory, Z_DEFAULT_STRATEGY) == Z_OK);
    }

    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    ~Gzip() override { ::deflateEnd(&stream); }

    std::string_view add(std::string_view bytes, bool is_last) override {
        room.clear();
        do {
            give(stream, bytes);
            const int flush = is_last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
            do {
                stream.next_out = reinterpret_cast<Bytef*>(room.more());
                stream.avail_out = kRoom;
                ASSAY_CHECK(::deflate(&stream, flush) != Z_STREAM_ERROR);
                room.keep(kRoom - stream.avail_out);
            } while (stream.avail_out == 0);
        } while (!bytes.empty());
        return room.text();
    }

    z_stream stream{};
    Room room;
};

struct Packer::Zstd final : Stream {
    Zstd() : context(ZSTD_createCCtx()) {
        ASSAY_CHECK(context != nullptr);
        set(ZSTD_c_compressionLevel, kZstdLevel);
        set(ZSTD_c_checksumFlag, 1);
    }

    Zstd(const Zstd&) = delete;
    Zstd& operator=(const Zstd&) = delete;

    ~Zstd() override { ZSTD_freeCCtx(context); }

    void set(ZSTD_cParameter parameter, int value) const {
        ASSAY_CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value)) == 0);
    }

    std::string_view add(std::string_view bytes, bool is_last) override {
        room.clear();
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        std::size_t left = 1;  // of the frame, still in the context where it is the last
        while (in.pos < in.size || (is_last && left != 0)) {
            ZSTD_outBuffer out{room.more(), kRoom, 0};
            left = ZSTD_compressStream2(context, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
            ASSAY_CHECK(ZSTD_isError(left) == 0);
            room.keep(out.pos);
        }
        return room.text();
    }

    ZSTD_CCtx* context;
    Room room;
};

Packer::Packer(Packing packing) {
    if (packing == Packing::Gzip) stream_ = std::make_unique<Gzip>();
    if (packing == Packing::Zstd) stream_ = std::make_unique<Zstd>();
}

Packer::~Packer() = default;

std::string_view Packer::add(std::string_view bytes) {
    return stream_ ? stream_->add(bytes, false) : bytes;
}

std::string_view Packer::finish() {
    return stream_ ? stream_->add({}, true) : std::string_view();
}

std::string pack(std::string_view content, Packing packing) {
    if (packing == Packing::Zstd) return zstd_frame(content, kMostZstdLevel);
    Packer packer(packing);
    std::string out(packer.add(content));
    out += packer.finish();
    return out;
}

struct Unpacker::Stream {
    Stream() : room(kRoom) {}

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    virtual ~Stream() = default;

    virtual std::string_view next(std::string_view& bytes) = 0;

    [[nodiscard]] virtual const char* kind() const = 0;

    [[nodiscard]] std::string_view given(std::size_t size) const { return {room.data(), size}; }

    std::vector<char> room;
    bool is_inside = false;  // a member or frame: the archive may not end here
    std::string damage;      // empty: none
};

struct Unpacker::Gzip final : Stream {
    Gzip() { ASSAY_CHECK(::inflateInit2(&stream, kGzipWindow) == Z_OK); }

    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    ~Gzip() override { ::inflateEnd(&stream); }

    [[nodiscard]] const char* kind() const override { return "gzip"; }

    std::string_view next(std::string_view& bytes) override {
        if (!is_inside) {
            // Tapes and some archivers fill up with zeros behind a member.
            if (is_behind_first)
                bytes.remove_prefix(std::min(bytes.find_first_not_of('\0'), bytes.size()));
            if (bytes.empty()) return {};
            is_inside = true;
        }
        std::string_view rest = bytes;
        give(stream, rest);
        stream.next_out = reinterpret_cast<Bytef*>(room.data());
        stream.avail_out = static_cast<uInt>(room.size());
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        bytes.remove_prefix(bytes.size() - rest.size() - stream.avail_in);
        if (status == Z_STREAM_END) {
            is_inside = false;
            is_behind_first = true;
            ASSAY_CHECK(::inflateReset(&stream) == Z_OK);
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            damage = stream.msg == nullptr ? "bad data" : stream.msg;
        }
        return given(room.size() - stream.avail_out);
    }

    z_stream stream{};
    bool is_behind_first = false;  // member
};

struct Unpacker::Zstd final : Stream {
    Zstd() : context(ZSTD_createDCtx()) { ASSAY_CHECK(context != nullptr); }

    Zstd(const Zstd&) = delete;
    Zstd& operator=(const Zstd&) = delete;

    ~Zstd() override { ZSTD_freeDCtx(context); }

    [[nodiscard]] const char* kind() const override { return "zstd"; }

    std::string_view next(std::string_view& bytes) override {
        if (!is_inside && bytes.empty()) return {};
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        const std::size_t left = ZSTD_decompressStream(context, &out, &in);
        bytes.remove_prefix(in.pos);
        if (ZSTD_isError(left) != 0) damage = ZSTD_getErrorName(left);
        is_inside = left != 0;
        return given(out.pos);
    }

    ZSTD_DCtx* context;
};

Unpacker::Unpacker(Packing packing, std::string name) : name_(std::move(name)) {
    if (packing == Packing::Gzip) stream_ = std::make_unique<Gzip>();
    if (packing == Packing::Zstd) stream_ = std::make_unique<Zstd>();
}

Unpacker::~Unpacker() = default;

std::string_view Unpacker::next(std::string_view& bytes) {
    if (!stream_) return std::exchange(bytes, {});
    if (!stream_->damage.empty()) fail(stream_->damage);
    const std::string_view out = stream_->next(bytes);
    if (out.empty() && !stream_->damage.empty()) fail(stream_->damage);
    return out;
}

void Unpacker::finish() const {
    if (stream_ && stream_->is_inside) fail("it is cut short");
}

void Unpacker::fail(const std::string& reason) const {
    throw about_file(name_, std::string("damaged ") + stream_->kind() + " archive: " + reason);
}

void unpack(const File& file, Packing packing, const std::function<void(std::string_view)>& sink) {
    Unpacker unpacker(packing, file.name());
    std::vector<char> chunk(kRoom);
    for (std::uint64_t offset = 0;;) {
        const std::size_t got = file.read_at(offset, chunk.data(), chunk.size());
        offset += got;
        std::string_view bytes(chunk.data(), got);
        for (std::string_view out = unpacker.next(bytes); !out.empty() || !bytes.empty();
             out = unpacker.next(bytes)) {
            sink(out);
        }
        if (got < chunk.size()) break;
    }
    unpacker.finish();
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
    if (bytes.empty()) return before;  // zlib answers a null pointer with 0
    return static_cast<std::uint32_t>(
        ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string zstd_frame(std::string_view bytes, int level) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size =
        ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level);
    ASSAY_CHECK(ZSTD_isError(size) == 0);
    out.resize(size);
    return out;
}

struct ZstdFrames::Context {
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    ~Context() { ZSTD_freeDCtx(zstd); }

    ZSTD_DCtx* zstd = ZSTD_createDCtx();
};

ZstdFrames::ZstdFrames() : context_(std::make_unique<Context>()) {}

ZstdFrames::~ZstdFrames() = default;

bool ZstdFrames::unpack(std::string_view frame, std::size_t size, std::string& out) {
    out.resize(size);
    const std::size_t got =
        ZSTD_decompressDCtx(context_->zstd, out.data(), size, frame.data(), frame.size());
    return ZSTD_isError(got) == 0 && got == size;
}

}  // namespace assay
