#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "openings/read/book_bytes.h"

namespace assay::openings {

enum class Packing : std::uint8_t { None, Gzip, Zstd };

/// By the first bytes, never by the file's name.
[[nodiscard]] Packing packing_of(std::string_view head);

/// By the suffixes .gz and .zst; for files that are to be written.
[[nodiscard]] Packing packing_of_name(std::string_view path);

/// Gives the unpacked content piece by piece; several gzip members or zstd frames are one content.
/// Holds no more than some 100 KiB and what the archive's window asks (at most 128 MiB). Throws
/// Error naming the file where it is damaged or cut short, after what came before the damage.
void unpack(const File& file, Packing packing, const std::function<void(std::string_view)>& sink);

[[nodiscard]] std::string pack(std::string_view content, Packing packing);

}  // namespace assay::openings
