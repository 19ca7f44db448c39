#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "adapters/process/command.h"
#include "base/clock.h"

namespace assay::harness {

/// What became of the C of a game's rules.
struct BuiltRules {
    std::string object;      // the shared object; empty: there is none, and `reason` says why
    std::string reason;      // a fragment: "there is no C compiler 'cc'"
    bool was_built = false;  // now; else it was in the cache
};

/// Objects that a C compiler made of games' rules, in a folder that only its user may read:
///     FOLDER/HASH-KEY.so
/// HASH is that of the C file, which holds the text of the rules and the version of the interface;
/// KEY is of compiler, its version, and flags. An object is written beside and renamed, so that
/// assays that share the folder never see a part of one. Whatever fails is a reason, no error: the
/// rules can be interpreted.
class RulesCache {
public:
    /// The folder is made when it is needed. REQUIRES: the runner outlives this.
    RulesCache(adapters::CommandRunner& runner, std::string folder,
               std::vector<std::string> compiler = {"cc"},
               Micros most_time = std::chrono::minutes(1));

    /// `hash`: the file's own, of letters and digits.
    [[nodiscard]] BuiltRules object_of(const std::string& c_text, const std::string& hash);

    /// $XDG_CACHE_HOME/assay/rules, or ~/.cache/assay/rules; empty where neither is set.
    [[nodiscard]] static std::string usual_folder();

private:
    [[nodiscard]] const std::string& key();
    [[nodiscard]] std::string make_folder() const;
    [[nodiscard]] std::string build(const std::string& c_text, const std::string& object);

    adapters::CommandRunner& runner_;
    std::string folder_;
    std::vector<std::string> compiler_;
    Micros most_time_;     // of one run of the compiler
    std::string key_;      // empty: not asked yet
    std::string missing_;  // why there is no compiler
};

}  // namespace assay::harness
