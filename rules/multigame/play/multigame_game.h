#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "rules/game.h"
#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/form/form.h"
#include "rules/multigame/interpret/machine.h"
#include "rules/multigame/object/loader.h"

namespace assay::rules::multigame {

/// The ending of files of rules.
inline constexpr std::string_view kRulesEnding = ".mg";

/// Gives the compiled rules of a program, or null: it is interpreted. Any thread.
using FindCompiled = std::function<std::shared_ptr<const CompiledProgram>(const Form&)>;

/// A game whose rules are a Multigame program, behind the interface of all games. Positions play by
/// what `find` gives, or interpret the program; the answers are the same. Its moves are hashes of
/// what they change, folded to 32 bits, so that a move has the same value in other positions;
/// verdict-only outputs beside moves (claims) are not among them. What a program does against the
/// limits of the language throws RuleError (interpret/rule_error.h) from the call that finds it.
///
/// `name` is the game's, as records show it; `text` holds the whole rules (read_rules). Throws
/// SyntaxError with all errors of the text.
[[nodiscard]] std::unique_ptr<Game> make_game_of_rules(const std::string& name,
                                                       const std::string& path,
                                                       std::string_view text,
                                                       const FindCompiled& find = {});

/// From now on make_game() and find_game() of this process use it for files of rules.
void use_compiled_rules(FindCompiled find);

/// The first position of a program, behind `setup` where that draws nothing. Throws RuleError.
[[nodiscard]] FirstPosition first_position(const std::shared_ptr<const Tables>& tables);

/// The whole rules of a file in one text, with all that it is based on. Throws SyntaxError.
[[nodiscard]] std::string read_rules(const std::string& path);

/// "checkers" of "games/checkers.mg".
[[nodiscard]] std::string game_name_of(std::string_view path);

/// The form behind a game that was made here, or null for another.
[[nodiscard]] const Form* form_of(const Game& game);

/// The compiled rules by which a game that was made here is played; null for others.
[[nodiscard]] std::shared_ptr<const CompiledProgram> compiled_program_of(const Game& game);

}  // namespace assay::rules::multigame
