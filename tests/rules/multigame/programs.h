#pragma once
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/interpret/machine.h"

namespace assay::tests {

/// A compiled program; the tables hold views into the form.
struct LoadedProgram {
    std::unique_ptr<rules::multigame::Form> form;
    std::shared_ptr<const rules::multigame::Tables> tables;
};

inline LoadedProgram loaded(std::vector<rules::multigame::FormFile> files) {
    LoadedProgram made;
    made.form =
        std::make_unique<rules::multigame::Form>(rules::multigame::compiled(std::move(files)));
    made.tables = std::make_shared<rules::multigame::Tables>(*made.form);
    return made;
}

/// "chess.mg" among the programs that are shipped.
inline std::string program_path(std::string_view name) {
    return std::string(ASSAY_SOURCE_DIR "/rules/multigame/programs/") + std::string(name);
}

/// The file names of all programs that are shipped.
inline std::vector<std::string> shipped_programs() {
    std::vector<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(program_path(""))) {
        if (each.path().extension() == ".mg") names.push_back(each.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

inline LoadedProgram loaded_file(const std::string& path) {
    return loaded(rules::multigame::files_of(path, rules::multigame::read_rules_file));
}

inline LoadedProgram loaded_program(std::string_view name) {
    return loaded_file(program_path(name));
}

inline LoadedProgram loaded_text(std::string_view text) {
    return loaded({{"t.mg", std::string(text)}});
}

/// The names of the moves of a position, in order, claims in brackets.
inline std::vector<std::string> move_names(const LoadedProgram& program,
                                           const rules::multigame::State& state) {
    rules::multigame::Machine machine(program.tables);
    machine.load(state);
    rules::multigame::MoveList list;
    machine.moves(list, true);
    std::vector<std::string> names;
    for (std::size_t n = 0; n < list.moves.size(); ++n) {
        names.push_back(list.moves[n].is_claim ? "(" + list.names[n] + ")" : list.names[n]);
    }
    return names;
}

}  // namespace assay::tests
