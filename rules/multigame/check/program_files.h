#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

inline constexpr std::size_t kLongestFile = 64 * 1024;
inline constexpr std::size_t kMostFiles = 16;

/// The text of a file, or nullopt where it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

/// The program's file and those it is based on, the lowest first. Throws SyntaxError where one is
/// missing or too long, where the chain is a cycle or longer than kMostFiles.
[[nodiscard]] std::vector<FormFile> files_of(const std::string& path, const FileReader& read);

/// All files as one text, for hashes and records: the file itself where it is based on nothing,
/// else each after a line `#file "PATH"`.
[[nodiscard]] std::string joined_text(const std::vector<FormFile>& files);

/// The files of a joined text; of any other text: one file of this path. Throws SyntaxError for a
/// text that is based on a file which it does not hold.
[[nodiscard]] std::vector<FormFile> files_of_text(const std::string& path, std::string_view text);

/// The file system's: relative paths from the current folder.
[[nodiscard]] std::optional<std::string> read_rules_file(const std::string& path);

}  // namespace assay::rules::multigame
