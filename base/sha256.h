#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace assay {

/// SHA-256 of bytes that come piece by piece.
class Sha256 {
public:
    Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    ~Sha256();

    void add(std::string_view bytes);
    /// 64 lower-case hex digits. Once, and nothing may be added after it.
    [[nodiscard]] std::string hex();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// SHA-256 of the bytes, as 64 lower-case hex digits.
[[nodiscard]] std::string sha256_of(std::string_view bytes);

/// SHA-256 of a file's content, read in pieces. Throws Error with the path and the system's reason.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace assay
