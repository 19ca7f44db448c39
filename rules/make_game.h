#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"

namespace assay::rules {

/// The most bytes of a text of rules; a run's store keeps the text.
inline constexpr std::size_t kLongestRules = 64 * 1024;

/// Where the rules of a game come from: a game that make_game() knows by name, or a text of rules.
/// A value that can be stored: with it a game is made years later, without the file.
struct GameSource {
    std::string name;  // of the game, also of one whose rules are a text
    std::string path;  // of the file of rules: tells its kind, and where messages point; or empty
    std::string text;  // the whole rules; empty: the name alone says which game

    friend bool operator==(const GameSource&, const GameSource&) = default;
};

/// Makes the game of a name, or of a text of rules where there is one; its name is not looked at
/// then. Reads no file. Throws Error with the nearest name for an unknown one, and with the place
/// in GameSource::path where the text is not understood.
[[nodiscard]] std::unique_ptr<Game> make_game(const GameSource& source);
/// The same for a game that needs no text: "chess", "chess960" (also "standard", "fischerandom"),
/// and what register_game() added.
[[nodiscard]] std::unique_ptr<Game> make_game(std::string_view name);

/// The source of a game that a user names: the name or alias of a known game, or the path of a file
/// of rules, which is read here. `folder`: what a relative path is relative to; empty: the current
/// one. Throws Error where it is neither, where the file cannot be read or has more than
/// kLongestRules bytes, and where its rules are not understood.
[[nodiscard]] GameSource find_game(std::string_view name_or_path, std::string_view folder = "");
/// The GameSource::path that find_game() gives a path.
[[nodiscard]] std::string rules_path(std::string_view path, std::string_view folder);

/// The names of all known games, each once and without aliases, in the order in which they were
/// added.
[[nodiscard]] std::vector<std::string> game_names();

/// The name of the game that a name or alias (GameInfo::aliases) stands for, or nullopt.
[[nodiscard]] std::optional<std::string> name_of_game(std::string_view name);

using GameMaker = std::function<std::unique_ptr<Game>(const GameSource&)>;

/// A kind of file that holds the rules of a game.
struct GameFileKind {
    std::string ending;  // of its files, with the dot: ".mg"
    /// The whole rules of a file in one text, with all that the file is based on. Reads files.
    /// Throws Error.
    std::function<std::string(const std::string& path)> read;
    /// Makes the game of such a text; reads no file. Throws Error with the place in the text.
    GameMaker make;
};

/// Adds a game to those that make_game() knows, for the rest of the process; a later one of the
/// same name replaces it. Any thread.
void register_game(std::string_view name, GameMaker maker);

/// The same for a kind of file, known by its ending.
void register_game_files(GameFileKind kind);

}  // namespace assay::rules
