#include "harness/hash.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"

namespace assay::harness {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const {
        std::fclose(file);  // NOLINT(cert-err33-c): only read from
    }
};

}  // namespace

std::string sha256_of(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
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
        hash.add({buffer->data(), got});
        if (got < kPiece) break;
    }
    if (std::ferror(file.get()) != 0) throw Error(path + ": " + system_reason(errno));
    return hash.hex();
}

}  // namespace assay::harness
