#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/plan/plan.h"
#include "rules/make_game.h"

namespace assay::configs {

/// What a command line says about a run. The files are merged first, from left to right, then the
/// programs, options, values and sets; each overrides what came before.
struct RunFlags {
    std::vector<std::string> files;
    std::vector<std::string> programs;  // --program COMMAND: a word; its file's stem is the name
    std::vector<std::string> options;   // --option NAME=VALUE, of every program
    std::vector<std::pair<std::string, std::string>> values;  // of shorthands: flag and value
    std::vector<std::string> sets;                            // --set match.pairs=20
    bool is_gate = false;  // the default of `stop` is `capped: no_regression`
    /// Also complain of programs, folders and books that do not exist; not of versions from git,
    /// which are not built yet.
    bool checks_files = false;
    /// Rules that a store has of a run that is to go on: they stand for files that are gone.
    std::vector<rules::GameSource> known_games;
};

/// A flag that is short for a --set.
struct Shorthand {
    std::string_view flag;  // without dashes
    std::string_view path;
    std::string_view help;
};

[[nodiscard]] std::span<const Shorthand> shorthands();

/// The resolved plan. Throws ConfigError with all that is wrong, and Error for a file that cannot
/// be read. Reads the config files, suites and queries; other files only where checks_files asks.
/// REQUIRES: every flag of `values` is a shorthand.
[[nodiscard]] harness::RunPlan plan_from_flags(const RunFlags& flags);

/// The same of files and --set alone.
[[nodiscard]] harness::RunPlan load_config(const std::vector<std::string>& files,
                                           const std::vector<std::string>& sets = {});

/// The same of one text: `path` is its name in messages, and relative paths start in `folder`.
[[nodiscard]] harness::RunPlan plan_from_text(const std::string& text, const std::string& path,
                                              const std::string& folder);

}  // namespace assay::configs
