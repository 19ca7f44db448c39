#pragma once
#include <memory>
#include <streambuf>
#include <vector>

namespace assay::openings {

/// What is written to it arrives in another buffer as one zstd frame, piece by piece, so that a
/// file of any size is packed within a few megabytes. REQUIRES: the target outlives it.
class ZstdBuffer final : public std::streambuf {
public:
    explicit ZstdBuffer(std::streambuf& target);
    ZstdBuffer(const ZstdBuffer&) = delete;
    ZstdBuffer& operator=(const ZstdBuffer&) = delete;
    ~ZstdBuffer() override;

    /// Ends the frame. Call it once, after all else. False where the target took not all.
    [[nodiscard]] bool finish();

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;

private:
    struct State;

    bool take(const char* bytes, std::size_t count, bool is_last);

    std::streambuf& target_;
    std::unique_ptr<State> state_;
    std::vector<char> out_;
};

}  // namespace assay::openings
