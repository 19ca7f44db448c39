#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "adapters/process/command.h"
#include "base/clock.h"

namespace assay::harness {

/// What became of the C of a game's rules.
struct BuiltRules {
    std::string object;  // the shared object; empty: there is none, and `reason` says why
    std::string reason;  // a fragment: "there is no C compiler 'cc'"
};

/// Told once of a compiler that takes long, on another thread.
struct SayOfCompiler {
    std::function<void(const std::string& sentence)> say;  // null: nobody wants to know
    Micros after = std::chrono::seconds(5);
};

/// The C compilers that are looked for, in this order.
[[nodiscard]] const std::vector<std::string>& c_compilers();

/// Builds a shared object of one C file by the first of c_compilers() that is there. Returns why
/// there is none; empty: it was built.
[[nodiscard]] std::string build_object(adapters::CommandRunner& runner, const std::string& source,
                                       const std::string& object, const SayOfCompiler& say = {});

/// Objects that a C compiler made of games' rules, in a folder that only its user may read, under
/// the names of rules/multigame/object/object_files.h. An object is written beside, tried, and
/// renamed, so that assays that share the folder never see a part of one, nor one that fails. What
/// a killed assay left behind goes with the next build: the C file of a build that is under way is
/// locked, which also assays in other containers see. Whatever fails is a reason, no error: the
/// rules can be interpreted.
class RulesCache {
public:
    /// Tries an object before it is kept. Returns why it cannot be used; empty: it can.
    using Trial = std::function<std::string(const std::string& object)>;

    /// The folder is made when it is needed. REQUIRES: the runner outlives this.
    RulesCache(adapters::CommandRunner& runner, std::string folder,
               std::vector<std::string> compiler = {"cc"},
               Micros most_time = std::chrono::minutes(3), SayOfCompiler say = {});

    /// False where the compiler does not answer.
    [[nodiscard]] bool has_compiler() { return !key().empty(); }

    /// Builds the object of a C file. `hash`: the file's own, of letters and digits.
    [[nodiscard]] BuiltRules build(const std::string& c_text, const std::string& hash,
                                   const Trial& trial = {});

private:
    [[nodiscard]] const std::string& key();
    [[nodiscard]] std::string make_folder() const;
    void remove_leftovers() const;

    adapters::CommandRunner& runner_;
    std::string folder_;
    std::vector<std::string> compiler_;
    Micros most_time_;  // of one run of the compiler
    SayOfCompiler say_;
    std::string key_;      // empty: not asked yet
    std::string missing_;  // why there is no compiler
};

}  // namespace assay::harness
