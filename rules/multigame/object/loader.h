#pragma once
#include <memory>
#include <string>

#include "base/unique_fd.h"
#include "rules/multigame/multigame.h"

namespace assay::rules::multigame {

/// Null, or why a table of functions cannot be used for the rules of this hash.
[[nodiscard]] const char* problem_of(const mg_game& game, const std::string& hash);

/// A compiled program in memory: part of this process, or a shared object that stays open.
class CompiledProgram {
public:
    /// Loads a shared object. The code in it runs with all rights of this process, so it is loaded
    /// only if the file and its folder are owned by the user and nobody else may write to them, if
    /// the file is a regular one and no link, and if it was made for this interface and for the
    /// program's text, whose hash is `hash`. `sum`: of its bytes (object_files.h); empty: not
    /// looked at. Throws Error with the reason.
    [[nodiscard]] static std::unique_ptr<CompiledProgram> load(const std::string& path,
                                                               const std::string& hash,
                                                               const std::string& sum = "");

    /// REQUIRES: `game` outlives this.
    explicit CompiledProgram(const mg_game& game) : game_(&game) {}

    CompiledProgram(const CompiledProgram&) = delete;
    CompiledProgram& operator=(const CompiledProgram&) = delete;
    ~CompiledProgram();

    [[nodiscard]] const mg_game& game() const { return *game_; }

private:
    const mg_game* game_;
    void* object_ = nullptr;
    UniqueFd file_;  // open as long as the object: its number is the name that dlopen() knows it by
};

}  // namespace assay::rules::multigame
