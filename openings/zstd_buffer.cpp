#include "openings/zstd_buffer.h"

#include <zstd.h>

#include "base/check.h"

namespace assay::openings {

namespace {

constexpr int kLevel = 9;

}  // namespace

struct ZstdBuffer::State {
    State() : context(ZSTD_createCCtx()) { ASSAY_CHECK(context != nullptr); }

    State(const State&) = delete;
    State& operator=(const State&) = delete;

    ~State() { ZSTD_freeCCtx(context); }

    ZSTD_CCtx* context;
};

ZstdBuffer::ZstdBuffer(std::streambuf& target)
    : target_(target), state_(std::make_unique<State>()), out_(ZSTD_CStreamOutSize()) {
    ASSAY_CHECK(ZSTD_isError(
                    ZSTD_CCtx_setParameter(state_->context, ZSTD_c_compressionLevel, kLevel)) == 0);
    ASSAY_CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(state_->context, ZSTD_c_checksumFlag, 1)) == 0);
}

ZstdBuffer::~ZstdBuffer() = default;

bool ZstdBuffer::finish() {
    return take(nullptr, 0, true) && target_.pubsync() == 0;
}

ZstdBuffer::int_type ZstdBuffer::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return take(&one, 1, false) ? c : traits_type::eof();
}

std::streamsize ZstdBuffer::xsputn(const char* bytes, std::streamsize count) {
    return take(bytes, static_cast<std::size_t>(count), false) ? count : 0;
}

bool ZstdBuffer::take(const char* bytes, std::size_t count, bool is_last) {
    ZSTD_inBuffer in{bytes, count, 0};
    std::size_t left = 1;  // what the context still holds of the frame, where it is the last
    while (in.pos < in.size || (is_last && left != 0)) {
        ZSTD_outBuffer out{out_.data(), out_.size(), 0};
        left = ZSTD_compressStream2(state_->context, &out, &in,
                                    is_last ? ZSTD_e_end : ZSTD_e_continue);
        ASSAY_CHECK(ZSTD_isError(left) == 0);
        const auto ready = static_cast<std::streamsize>(out.pos);
        if (target_.sputn(out_.data(), ready) != ready) return false;
    }
    return true;
}

}  // namespace assay::openings
