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

/// The same, from memory where the file's stamp is as it was when this process last hashed it. A
/// file that was written less than 2 s before is hashed each time: another write could leave the
/// same stamp. Regular files only. Any thread may call.
[[nodiscard]] std::string remembered_sha256_of_file(const std::string& path);

}  // namespace assay
