#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/replaced_file.h"
#include "cli/book/program_rules.h"
#include "harness/build/rules_cache.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/check/program_files.h"
#include "rules/multigame/compile/interface_text.h"
#include "rules/multigame/compile/write_c.h"
#include "rules/multigame/object/agreement.h"
#include "rules/multigame/object/loader.h"
#include "rules/multigame/play/multigame_game.h"

namespace assay::cli {

namespace {

namespace mg = rules::multigame;

constexpr int kTriedPositions = 200;

/// A link of that name is replaced, not followed: others may have put it into the folder.
void write_whole(const std::string& path, std::string_view text) {
    TemporaryFile file(path);
    file.file().write(text);
    (void)file.replace(path);
    fmt::print("{}\n", path);
}

void say(const std::string& sentence) {
    fmt::print(stderr, "assay: {}\n", sentence);
}

}  // namespace

void build_program(const RulesOptions& options) {
    const mg::Form form = mg::compiled(mg::files_of(options.game, mg::read_rules_file));
    const auto tables = std::make_shared<const mg::Tables>(form);
    const std::string text = mg::write_c(form, mg::first_position(tables));
    std::error_code failed;
    std::filesystem::create_directories(options.output, failed);
    const std::string stem = options.output + "/" + mg::game_name_of(options.game);
    write_whole(stem + ".c", text);
    write_whole(options.output + "/multigame.h", mg::interface_text());
    if (options.c_alone) return;
    adapters::CommandRunner runner;
    TemporaryFile object(stem + ".so");
    const std::string reason = harness::build_object(runner, stem + ".c", object.name(), {say});
    if (!reason.empty()) throw Error("build: " + reason, 4);
    (void)object.replace(stem + ".so");
    fmt::print("{}.so\n", stem);
}

void try_object(const RulesOptions& options, Exit& exit) {
    const mg::Form form = mg::compiled(mg::files_of_text(options.game, read_file(options.game)));
    const std::shared_ptr<const mg::CompiledProgram> program =
        mg::CompiledProgram::load(options.object, mg::hash_of_rules(form));
    const auto tables = std::make_shared<const mg::Tables>(form);
    const std::string found = mg::disagreement(tables, program, kTriedPositions, 1);
    if (found.empty()) return;
    fmt::print("{}\n", found);
    exit.code = 1;
}

}  // namespace assay::cli
