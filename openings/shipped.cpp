#include "openings/shipped.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/sha256.h"

namespace assay::openings {

namespace {

struct Text {
    std::uint64_t size;
    std::string_view sha256;
};

constexpr std::string_view kDefaultBook = "unbalanced";

/// Of openings/books, unpacked.
constexpr std::array kShipped{
    Text{863'639, "abb49fc25a3c2a33bb0822d2e669c435e2aeb6d665ee53c87ba4c39079a67674"},
    Text{171'950, "85bbba0760c1ec99f5fd550aac11f217c6dc97dcf67f4a16ffe0d1126d652fad"}};

std::string sha256_of(const File& content) {
    Sha256 hash;
    std::array<char, 65'536> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
    std::uint64_t at = 0;
    while (const std::size_t got = content.read_at(at, piece.data(), piece.size())) {
        hash.add({piece.data(), got});
        at += got;
    }
    return hash.hex();
}

}  // namespace

std::optional<std::string> book_in_sources_of(const std::string& program, const std::string& file) {
    namespace fs = std::filesystem;
    constexpr int kMostFolders = 4;  // build/PRESET/assay and two more
    fs::path folder = fs::path(program).parent_path();
    std::error_code error;
    for (int i = 0; i < kMostFolders && folder.has_relative_path(); ++i) {
        const fs::path book = folder / "openings/books" / file;
        if (fs::exists(book, error)) return book.string();
        folder = folder.parent_path();
    }
    return std::nullopt;
}

std::string missing_book_text(std::string_view name, const std::string& installed,
                              const std::string& source) {
    const std::string what = name == "default"
                                 ? fmt::format("the default book ('{}')", kDefaultBook)
                                 : fmt::format("the book '{}'", name);
    return fmt::format(
        "{} is missing: neither {} nor {} is there; install assay whole, or name a book", what,
        installed, source);
}

std::string shipped_book_path(std::string_view name) {
    const bool is_default = name == "default";
    if (is_default) name = kDefaultBook;
    constexpr std::array kNames{kDefaultBook, std::string_view("balanced")};
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
        throw Error("no book named '" + std::string(name) + "' ships with assay" +
                    did_you_mean(name, kNames) + " (there are 'unbalanced' and 'balanced')");
    }
    namespace fs = std::filesystem;
    const std::string file = std::string(name) + ".epd.zst";
    std::error_code error;
    const fs::path program = own_program();
    const fs::path installed = program.parent_path().parent_path() / "share/assay/books" / file;
    if (!program.empty() && fs::exists(installed, error)) return installed.string();
    if (const auto found = book_in_sources_of(program.string(), file)) return *found;
    const fs::path source = fs::path(ASSAY_BOOKS_DIR) / file;
    if (fs::exists(source, error)) return source.string();
    throw Error(
        missing_book_text(is_default ? "default" : name, installed.string(), source.string()));
}

std::string book_path_of(const std::string& name) {
    const bool is_shipped = name == "unbalanced" || name == "balanced" || name == "default";
    std::error_code error;
    return is_shipped && !std::filesystem::exists(name, error) ? shipped_book_path(name) : name;
}

bool is_shipped_text(const File& content) {
    const std::uint64_t size = content.stamp().size;
    const auto* const found = std::find_if(kShipped.begin(), kShipped.end(),
                                           [size](const Text& text) { return text.size == size; });
    return found != kShipped.end() && sha256_of(content) == found->sha256;
}

}  // namespace assay::openings
