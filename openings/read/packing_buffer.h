#pragma once
#include <memory>
#include <streambuf>
#include <vector>

#include "openings/read/archive.h"

namespace assay::openings {

/// What is written to it arrives in another buffer as one gzip member or zstd frame, piece by
/// piece, so that a file of any size is packed within a few megabytes.
class PackingBuffer : public std::streambuf {
public:
    /// Null for Packing::None. REQUIRES: the target outlives it.
    [[nodiscard]] static std::unique_ptr<PackingBuffer> make(std::streambuf& target,
                                                             Packing packing);
    PackingBuffer(const PackingBuffer&) = delete;
    PackingBuffer& operator=(const PackingBuffer&) = delete;
    ~PackingBuffer() override = default;

    /// Ends the archive. Call it once, after all else. False where the target took not all.
    [[nodiscard]] bool finish();

protected:
    explicit PackingBuffer(std::streambuf& target);

    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;

    /// Packs; false where the target took not all.
    virtual bool take(const char* bytes, std::size_t count, bool is_last) = 0;

    [[nodiscard]] std::vector<char>& room() { return room_; }

    [[nodiscard]] bool pass_on(std::size_t size);

private:
    std::streambuf& target_;
    std::vector<char> room_;
};

}  // namespace assay::openings
