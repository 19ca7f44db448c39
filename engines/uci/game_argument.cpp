#include "engines/uci/game_argument.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/make_game.h"
#include "rules/multigame/object/object_files.h"
#include "rules/multigame/play/multigame_game.h"
#include "rules/multigame/shipped/shipped_rules.h"

namespace assay::engines {

namespace mg = rules::multigame;

RulesKind take_rules_flag(std::vector<std::string>& arguments) {
    const auto flag = std::ranges::find(arguments, "--rules");
    if (flag == arguments.end()) return RulesKind::Compiled;
    const std::string value = std::next(flag) == arguments.end() ? "" : *std::next(flag);
    if (value != "auto" && value != "interpreted") {
        throw Error("--rules: expected auto or interpreted, found '" + printable_utf8(value) + "'");
    }
    arguments.erase(flag, flag + 2);
    return value == "auto" ? RulesKind::Compiled : RulesKind::Interpreted;
}

bool prints_help(const std::vector<std::string>& arguments, const char* text) {
    if (arguments.empty() || (arguments[0] != "--help" && arguments[0] != "-h")) return false;
    std::fputs(text, stdout);
    return true;
}

std::unique_ptr<rules::Game> game_of(const std::string& argument, RulesKind rules) {
    if (rules == RulesKind::Compiled) {
        mg::use_compiled_rules([](const mg::Form& form) {
            const std::string hash = mg::hash_of_rules(form);
            if (auto shipped = mg::shipped_program(hash)) return shipped;
            return mg::load_object(mg::usual_object_folder(), hash);
        });
    }
    return rules::make_game(rules::find_game(argument));
}

}  // namespace assay::engines
