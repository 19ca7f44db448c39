#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"

namespace assay {

enum class Packing : std::uint8_t { None, Gzip, Zstd };

/// By a file's first bytes (four are enough), never by its name.
[[nodiscard]] Packing packing_of(std::string_view head);

/// By the suffixes .gz and .zst, for files that are to be written.
[[nodiscard]] Packing packing_of_name(std::string_view path);

/// What a file is that no reader of text can use, and what to do, told by its first bytes (262 are
/// enough): "is a zip archive: unpack it first". Empty where it may be text.
[[nodiscard]] std::string_view foreign_kind(std::string_view head);

/// Of texts that people write: configs, suites, queries.
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20U;

/// The whole file as text, without a byte order mark. Throws Error where it is of another kind
/// (foreign_kind), or packed.
[[nodiscard]] std::string read_text(const std::string& path, std::size_t most = kMostFileBytes);

/// Packs what is given piece by piece into one gzip member or zstd frame. Packing::None gives all
/// back unchanged.
class Packer {
public:
    explicit Packer(Packing packing);
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    ~Packer();

    /// What is ready to be written by now. The view lives until the next call.
    [[nodiscard]] std::string_view add(std::string_view bytes);
    /// The rest. Call it once, after all else.
    [[nodiscard]] std::string_view finish();

private:
    struct Stream;
    struct Gzip;
    struct Zstd;
    std::unique_ptr<Stream> stream_;  // null: Packing::None
};

/// All at once; in zstd with the most effort, some 2 MB a second.
[[nodiscard]] std::string pack(std::string_view content, Packing packing);

/// Unpacks bytes that come piece by piece; several gzip members or zstd frames, one after the
/// other, are one content. Holds no more than 64 KiB and what the archive's window asks for (at
/// most 128 MiB). Packing::None gives all back unchanged.
class Unpacker {
public:
    /// `name`: of the file, for messages.
    Unpacker(Packing packing, std::string name);
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;
    ~Unpacker();

    /// Unpacks from the front of `bytes`, and takes off it what has been used. Call it until it
    /// gives nothing and `bytes` is empty. The view lives until the next call. Throws Error where
    /// the archive is damaged, after what came before the damage.
    [[nodiscard]] std::string_view next(std::string_view& bytes);
    /// Throws Error where the archive is not whole.
    void finish() const;

private:
    struct Stream;
    struct Gzip;
    struct Zstd;

    [[noreturn]] void fail(const std::string& reason) const;

    std::unique_ptr<Stream> stream_;  // null: Packing::None
    std::string name_;
};

/// Gives a file's unpacked content piece by piece. Throws as Unpacker does.
void unpack(const File& file, Packing packing, const std::function<void(std::string_view)>& sink);

/// CRC-32 as zip and zlib have it. The sum of no bytes is 0; that of more bytes goes on from
/// `before`.
[[nodiscard]] std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

/// One zstd frame, for formats that hold many and keep their sizes.
[[nodiscard]] std::string zstd_frame(std::string_view bytes, int level);

/// Unpacks such frames, one after the other.
class ZstdFrames {
public:
    ZstdFrames();
    ZstdFrames(const ZstdFrames&) = delete;
    ZstdFrames& operator=(const ZstdFrames&) = delete;
    ~ZstdFrames();

    /// False where the frame is damaged or does not hold exactly `size` bytes.
    [[nodiscard]] bool unpack(std::string_view frame, std::size_t size, std::string& out);

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

}  // namespace assay
