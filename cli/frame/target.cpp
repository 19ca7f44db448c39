#include "cli/frame/target.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/file.h"

namespace assay::cli {

namespace {

namespace fs = std::filesystem;

/// Of files that SQLite and runs keep beside a store; the last pairs may be in its journal alone.
constexpr std::array<std::string_view, 4> kBesideStore{"-wal", "-shm", "-journal", ".lock"};

/// What kind of file it is that no report may replace; empty: any may.
std::string_view precious_kind(const std::string& path) {
    constexpr std::size_t kHead = 16;
    const std::string head = read_start(path, kHead).value_or("");
    if (head.starts_with("SQLite format 3")) return "a database, such as a store";
    for (const std::string_view ending : kBesideStore)
        if (path.ends_with(ending)) return "kept beside a database";
    if (head.starts_with("\x7f\x45LF") || head.starts_with("#!")) return "a program";
    if (path.ends_with(".yaml") || path.ends_with(".yml")) return "a config";
    return "";
}

bool is_same(const std::string& one, const std::string& other) {
    std::error_code error;
    if (fs::equivalent(one, other, error)) return true;
    // Neither needs to be there yet.
    const fs::path whole = fs::weakly_canonical(one, error);
    return !error && whole == fs::weakly_canonical(other, error) && !error;
}

}  // namespace

void check_target(const std::string& path, const std::vector<std::string>& inputs) {
    if (path.empty() || path == "-") return;
    check_writable(path);
    const auto is_input = [&](const std::string& input) { return is_same(path, input); };
    if (std::ranges::any_of(inputs, is_input))
        throw Error(path + ": is read or written by this run; name another file for the output");
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return;
    if (const std::string_view kind = precious_kind(path); !kind.empty())
        throw Error(
            fmt::format("{}: is {}, which no output may replace; name another file", path, kind));
}

}  // namespace assay::cli
