#pragma once
#include <optional>
#include <span>
#include <string>

namespace assay::cli {

/// Plays a match for the command line of another runner, where the program was called by that
/// runner's name ("fastchess", "fastchess-ob", "cutechess-cli") or as `assay match` with its flags:
/// the exit code of that runner. nullopt: the words are for assay itself. `words`: argv.
[[nodiscard]] std::optional<int> match_as_runner(std::span<char* const> words);

}  // namespace assay::cli
