#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "harness/record/move_codec.h"

namespace {

/// Gives the bytes the checksum that lets them past the door, as move_codec.h defines it.
std::string with_checksum(std::string_view body) {
    std::uint32_t hash = 2166136261U;
    for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::string bytes(body);
    for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>((hash >> (8 * i)) & 0xFFU);
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    (void)assay::harness::decode_moves(bytes);
    const auto moves = assay::harness::decode_moves(with_checksum(bytes));
    // What is read can be written and read again.
    if (moves && !assay::harness::decode_moves(assay::harness::encode_moves(*moves))) std::abort();
    return 0;
}
