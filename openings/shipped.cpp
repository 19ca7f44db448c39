#include "openings/shipped.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/diagnostic.h"

namespace assay::openings {

std::string shipped_book_path(std::string_view name) {
    if (name == "default") name = "unbalanced";
    constexpr std::array<std::string_view, 2> kNames{"unbalanced", "balanced"};
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
        throw Error("no book named '" + std::string(name) + "' ships with assay" +
                    did_you_mean(name, kNames) + " (there are 'unbalanced' and 'balanced')");
    }
    namespace fs = std::filesystem;
    const std::string file = std::string(name) + ".epd.zst";
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / "share/assay/books" / file;
    if (!error && fs::exists(installed, error)) return installed.string();
    const fs::path source = fs::path(ASSAY_BOOKS_DIR) / file;
    if (fs::exists(source, error)) return source.string();
    throw Error("the book '" + std::string(name) + "' is missing: neither " + installed.string() +
                " nor " + source.string() + " is there; install assay whole, or name a book");
}

std::string book_path_of(const std::string& name) {
    const bool is_shipped = name == "unbalanced" || name == "balanced" || name == "default";
    std::error_code error;
    return is_shipped && !std::filesystem::exists(name, error) ? shipped_book_path(name) : name;
}

}  // namespace assay::openings
