#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "cli/book/program_rules.h"
#include "rules/multigame/syntax/formatter.h"

namespace assay::cli {

void format_program(const RulesOptions& options, Exit& exit) {
    if (!is_rules_file(options.game)) {
        throw Error("format: expected a file of rules (.mg), found '" +
                    printable_utf8(options.game) + "'");
    }
    const std::string text = read_file(options.game);
    const std::string made = rules::multigame::formatted(options.game, text);
    if (options.checks) {
        if (made == text) return;
        fmt::print("{}: not formatted; 'assay rules format --write' does it\n", options.game);
        exit.code = 1;
    } else if (!options.writes) {
        fmt::print("{}", made);
    } else if (made != text) {
        ReplacedFile file(options.game);
        file.write(made);
        file.commit();
    }
}

}  // namespace assay::cli
