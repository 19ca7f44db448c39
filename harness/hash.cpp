#include "harness/hash.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <openssl/evp.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::harness {

namespace {

class Sha256 {
public:
    Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        ASSAY_CHECK(context_ != nullptr);
        ASSAY_CHECK(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
    }

    void add(const void* bytes, std::size_t size) {
        ASSAY_CHECK(EVP_DigestUpdate(context_.get(), bytes, size) == 1);
    }

    [[nodiscard]] std::string hex() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned int size = 0;
        ASSAY_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string text;
        text.reserve(std::size_t{2} * size);
        for (unsigned int i = 0; i < size; ++i) {
            text += kDigits[digest[i] >> 4U];
            text += kDigits[digest[i] & 15U];
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

struct CloseFile {
    void operator()(std::FILE* file) const {
        std::fclose(file);  // NOLINT(cert-err33-c): only read from
    }
};

}  // namespace

std::string sha256_of(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
    if (!file) throw Error(path + ": " + system_reason(errno));
    constexpr std::size_t kPiece = std::size_t{64} * 1024;
    const auto buffer = std::make_unique<std::array<char, kPiece>>();
    Sha256 hash;
    while (true) {
        errno = 0;
        const std::size_t got = std::fread(buffer->data(), 1, kPiece, file.get());
        hash.add(buffer->data(), got);
        if (got < kPiece) break;
    }
    if (std::ferror(file.get()) != 0) throw Error(path + ": " + system_reason(errno));
    return hash.hex();
}

}  // namespace assay::harness
