// The plain functions, which OpenSSL 3 calls deprecated: those in their place read a configuration
// and load providers first, which a digest of bytes has no use for.
#define OPENSSL_SUPPRESS_DEPRECATED  // NOLINT(readability-identifier-naming): OpenSSL's

#include "base/sha256.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <openssl/sha.h>
#include <vector>

#include "base/check.h"
#include "base/file.h"

namespace assay {

struct Sha256::Context {
    SHA256_CTX state;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    ASSAY_CHECK(SHA256_Init(&context_->state) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
    ASSAY_CHECK(SHA256_Update(&context_->state, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    ASSAY_CHECK(SHA256_Final(digest.data(), &context_->state) == 1);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

std::string sha256_of(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    return hash.hex();
}

std::string sha256_of_file(const std::string& path) {
    const File file = File::open(path);
    std::vector<char> piece(std::size_t{64} * 1024);
    Sha256 hash;
    while (const std::size_t got = file.read_next(piece.data(), piece.size())) {
        hash.add({piece.data(), got});
    }
    return hash.hex();
}

std::string remembered_sha256_of_file(const std::string& path) {
    struct Known {
        FileStamp stamp;
        std::string hash;
    };

    static std::mutex mutex;  // held while a file is hashed, so that nobody hashes it a second time
    static std::map<std::string, Known> all;
    // A file system may not tell two writes apart that are closer than this (FAT: 2 s).
    constexpr std::chrono::nanoseconds kTick = std::chrono::seconds(2);

    const std::lock_guard lock(mutex);
    // The stamp comes first: a write while the file is hashed is seen at the next look.
    const FileStamp stamp = File::open_regular(path).stamp();
    const auto found = all.find(path);
    if (found != all.end() && found->second.stamp == stamp) return found->second.hash;
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    std::string hash = sha256_of_file(path);
    all.erase(path);
    if (now.count() - stamp.changed_ns > kTick.count()) all[path] = {stamp, hash};
    return hash;
}

}  // namespace assay
