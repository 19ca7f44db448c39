#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "harness/build/rules_cache.h"
#include "rules/multigame/object/loader.h"

namespace assay::harness {

/// How the rules of files are played. The games are the same.
enum class RulesMode : std::uint8_t {
    Auto,         // compiled where a C compiler is there, else interpreted
    Compiled,     // or an error
    Interpreted,  // no compiler is started
};

struct CompiledRulesOptions {
    RulesMode mode = RulesMode::Auto;
    /// Gives the compiled rules of this hash that are a part of the process, or null. Looked at
    /// first.
    std::function<std::shared_ptr<const rules::multigame::CompiledProgram>(const std::string&)>
        shipped;
    std::string folder;  // of the objects; see usual_object_folder()
    std::vector<std::string> compilers = c_compilers();
    /// The command that tries an object: with the paths of the object and of a file that holds the
    /// rules behind it, it ends with 0 where both play the same. It is another process, so that an
    /// object that crashes or hangs harms only that. Empty: objects are not tried.
    std::vector<std::string> trial;
    Micros trial_time = std::chrono::minutes(2);  // after which it has failed
    /// Takes one sentence for each game whose rules are interpreted because they could not be
    /// compiled, and one where a compiler takes long, which another thread says.
    std::function<void(const std::string& sentence)> say;
};

/// From now on make_game() of this process plays files of rules by compiled rules. Objects are
/// built when they are first needed, on the calling thread, and kept in memory for the rest of the
/// process. In the mode Compiled, make_game() throws Error (exit code 4) where there is no object.
void compile_rules(CompiledRulesOptions options);

}  // namespace assay::harness
