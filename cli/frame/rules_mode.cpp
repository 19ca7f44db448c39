#include "cli/frame/rules_mode.h"

#include <cstdio>
#include <utility>

#include "base/file.h"
#include "cli/frame/values.h"
#include "harness/build/compiled_rules.h"
#include "rules/multigame/object/object_files.h"
#include "rules/multigame/shipped/shipped_rules.h"

namespace assay::cli {

Option* add_rules_mode(Command& command, std::string& mode) {
    return command
        .add_option(
            "--rules", mode,
            "files of rules are compiled where they ship compiled or a C compiler is there (auto), or must be, "
            "or are interpreted; the games are the same")
        ->transform(one_of({"auto", "compiled", "interpreted"}))
        ->capture_default_str();
}

void use_rules_mode(const std::string& mode) {
    harness::CompiledRulesOptions options;
    options.mode = mode == "compiled"      ? harness::RulesMode::Compiled
                   : mode == "interpreted" ? harness::RulesMode::Interpreted
                                           : harness::RulesMode::Auto;
    options.shipped = rules::multigame::shipped_program;
    options.folder = rules::multigame::usual_object_folder();
    if (const std::string program = own_program(); !program.empty()) {
        options.trial = {program, "rules", "try-object"};
    }
    options.say = [](const std::string& sentence) {
        std::fprintf(stderr, "assay: %s\n", sentence.c_str());
    };
    harness::compile_rules(std::move(options));
}

}  // namespace assay::cli
