#include "rules/make_game.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/chess/chess_game.h"
#include "rules/multigame/play/multigame_game.h"

namespace assay::rules {

namespace {

struct Registered {
    std::vector<std::string> names;  // the game's own first
    GameMaker maker;
};

/// Games are known by name in one list of the process, so that a run that was stored by name can
/// be read by whatever program has added that game.
class Registry {
public:
    Registry() {
        using chess::ChessGame;
        add_built_in({"chess", "standard"},
                     [] { return std::make_unique<ChessGame>(chess::Variant::Standard); });
        add_built_in({"chess960", "fischerandom"},
                     [] { return std::make_unique<ChessGame>(chess::Variant::Chess960); });
        kinds_.push_back({std::string(multigame::kRulesEnding), multigame::read_rules,
                          [](const GameSource& source) {
                              return multigame::make_game_of_rules(
                                  multigame::game_name_of(source.path), source.path, source.text);
                          }});
    }

    void add(std::string_view name, GameMaker maker) {
        const std::lock_guard lock(mutex_);
        const auto found = find(name);
        if (found == games_.end()) {
            games_.push_back({{std::string(name)}, std::move(maker)});
        } else {
            found->maker = std::move(maker);
        }
    }

    void add(GameFileKind kind) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(kinds_, kind.ending, &GameFileKind::ending);
        if (found == kinds_.end()) {
            kinds_.push_back(std::move(kind));
        } else {
            *found = std::move(kind);
        }
    }

    /// Null where there is none.
    [[nodiscard]] GameMaker maker_of(std::string_view name) {
        const std::lock_guard lock(mutex_);
        const auto found = find(name);
        return found == games_.end() ? GameMaker() : found->maker;
    }

    /// The kind of a path, or nullopt.
    [[nodiscard]] std::optional<GameFileKind> kind_of(std::string_view path) {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find_if(
            kinds_, [&](const GameFileKind& kind) { return path.ends_with(kind.ending); });
        return found == kinds_.end() ? std::nullopt : std::optional(*found);
    }

    /// The nearest name, or all there are.
    [[nodiscard]] std::string advice_on(std::string_view name) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string_view> names;
        std::string list;
        for (const Registered& game : games_) {
            names.insert(names.end(), game.names.begin(), game.names.end());
            list += (list.empty() ? "; the games are " : ", ") + game.names.front();
        }
        const std::string nearest = did_you_mean(name, names);
        return nearest.empty() ? list : nearest;
    }

    /// "files that end in .mg", or that there are none.
    [[nodiscard]] std::string kinds_text() {
        const std::lock_guard lock(mutex_);
        if (kinds_.empty()) return "this assay reads no files of rules";
        std::string endings;
        for (const GameFileKind& kind : kinds_)
            endings += (endings.empty() ? "" : ", ") + kind.ending;
        return "files of rules end in " + endings;
    }

    [[nodiscard]] std::vector<Registered> all() {
        const std::lock_guard lock(mutex_);
        return games_;
    }

private:
    void add_built_in(std::initializer_list<std::string> names,
                      std::function<std::unique_ptr<Game>()> make) {
        games_.push_back({names, [make = std::move(make)](const GameSource&) { return make(); }});
    }

    [[nodiscard]] std::vector<Registered>::iterator find(std::string_view name) {
        return std::ranges::find_if(games_, [&](const Registered& each) {
            return std::ranges::find(each.names, name) != each.names.end();
        });
    }

    std::mutex mutex_;
    std::vector<Registered> games_;
    std::vector<GameFileKind> kinds_;
};

Registry& registry() {
    static Registry games;
    return games;
}

GameFileKind kind_of(const std::string& path) {
    auto kind = registry().kind_of(path);
    if (!kind) throw Error(printable_utf8(path) + ": " + registry().kinds_text());
    return std::move(*kind);
}

std::string unknown(std::string_view game) {
    return "unknown game '" + printable_utf8(game) + "'" + registry().advice_on(game);
}

}  // namespace

std::unique_ptr<Game> make_game(const GameSource& source) {
    if (!source.text.empty()) return kind_of(source.path).make(source);
    const GameMaker maker = registry().maker_of(source.name);
    if (!maker) throw Error(unknown(source.name));
    return maker(source);
}

std::unique_ptr<Game> make_game(std::string_view name) {
    return make_game(GameSource{std::string(name), "", ""});
}

std::string rules_path(std::string_view path, std::string_view folder) {
    if (folder.empty() || path.starts_with('/')) return std::string(path);
    while (path.starts_with("./")) path.remove_prefix(2);
    return fmt::format("{}/{}", folder, path);
}

GameSource find_game(std::string_view name_or_path, std::string_view folder) {
    const bool is_path = name_or_path.find('/') != std::string_view::npos ||
                         registry().kind_of(name_or_path).has_value();
    if (!is_path) {
        auto name = name_or_path.empty() ? std::nullopt : name_of_game(name_or_path);
        if (!name) throw Error(unknown(name_or_path));
        return {std::move(*name), "", ""};
    }
    GameSource source{"", rules_path(name_or_path, folder), ""};
    source.text = kind_of(source.path).read(source.path);
    if (source.text.empty()) throw Error(printable_utf8(source.path) + ": holds no rules");
    if (source.text.size() > kLongestRules) {
        throw Error(fmt::format("{}: {} bytes of rules, and at most {} are allowed",
                                printable_utf8(source.path), source.text.size(), kLongestRules));
    }
    source.name = make_game(source)->name();
    return source;
}

std::vector<std::string> game_names() {
    std::vector<std::string> names;
    for (const Registered& game : registry().all()) names.push_back(game.names.front());
    return names;
}

std::optional<std::string> name_of_game(std::string_view name) {
    if (const GameMaker maker = registry().maker_of(name)) {
        return std::string(maker(GameSource{std::string(name), "", ""})->name());
    }
    for (const Registered& known : registry().all()) {
        const auto game = known.maker(GameSource{known.names.front(), "", ""});
        if (std::ranges::find(game->info().aliases, name) != game->info().aliases.end())
            return std::string(game->name());
    }
    return std::nullopt;
}

void register_game(std::string_view name, GameMaker maker) {
    registry().add(name, std::move(maker));
}

void register_game_files(GameFileKind kind) {
    registry().add(std::move(kind));
}

}  // namespace assay::rules
