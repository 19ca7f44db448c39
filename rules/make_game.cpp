#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/chess/chess_game.h"
#include "rules/game.h"

namespace assay::rules {

namespace {

struct Registered {
    std::string name;
    GameMaker maker;
};

/// Games are known by name in one list of the process, so that a run that was stored by name can
/// be read by whatever program has added that game.
class Registry {
public:
    Registry() {
        add_chess({"chess", "standard"}, chess::Variant::Standard);
        add_chess({"chess960", "fischerandom"}, chess::Variant::Chess960);
    }

    void add(std::string_view name, GameMaker maker) {
        const std::lock_guard lock(mutex_);
        const auto found = find(name);
        if (found == games_.end()) {
            games_.push_back({std::string(name), std::move(maker)});
        } else {
            found->maker = std::move(maker);
        }
    }

    /// Null where there is none.
    [[nodiscard]] GameMaker maker_of(std::string_view name) {
        const std::lock_guard lock(mutex_);
        const auto found = find(name);
        return found == games_.end() ? GameMaker() : found->maker;
    }

    [[nodiscard]] std::string advice_on(std::string_view name) {
        const std::lock_guard lock(mutex_);
        std::vector<std::string_view> names;
        names.reserve(games_.size());
        for (const Registered& game : games_) names.push_back(game.name);
        return did_you_mean(name, names);
    }

    /// All of them, the one of this name first.
    [[nodiscard]] std::vector<Registered> with_first(std::string_view name) {
        const std::lock_guard lock(mutex_);
        std::vector<Registered> games = games_;
        std::stable_partition(games.begin(), games.end(),
                              [&](const Registered& each) { return each.name == name; });
        return games;
    }

private:
    void add_chess(std::initializer_list<std::string_view> names, chess::Variant variant) {
        for (const std::string_view name : names) {
            games_.push_back({std::string(name), [variant](const GameSource& source) {
                                  if (!source.text.empty()) {
                                      throw Error(source.name + " takes no text of rules");
                                  }
                                  return std::make_unique<chess::ChessGame>(variant);
                              }});
        }
    }

    [[nodiscard]] std::vector<Registered>::iterator find(std::string_view name) {
        return std::find_if(games_.begin(), games_.end(),
                            [&](const Registered& each) { return each.name == name; });
    }

    std::mutex mutex_;
    std::vector<Registered> games_;
};

Registry& registry() {
    static Registry games;
    return games;
}

}  // namespace

std::unique_ptr<Game> make_game(const GameSource& source) {
    const GameMaker maker = registry().maker_of(source.name);
    if (!maker) {
        throw Error("unknown game '" + printable_utf8(source.name) + "'" +
                    registry().advice_on(source.name));
    }
    return maker(source);
}

std::unique_ptr<Game> make_game(std::string_view name) {
    return make_game(GameSource{std::string(name), ""});
}

std::optional<std::string> name_of_game(std::string_view name) {
    for (const Registered& known : registry().with_first(name)) {
        try {
            const auto game = known.maker(GameSource{known.name, ""});
            const std::vector<std::string>& aliases = game->info().aliases;
            if (known.name == name ||
                std::find(aliases.begin(), aliases.end(), name) != aliases.end()) {
                return std::string(game->name());
            }
        } catch (const Error&) {
            continue;  // a language of rules, which makes no game without a text
        }
    }
    return std::nullopt;
}

void register_game(std::string_view name, GameMaker maker) {
    registry().add(name, std::move(maker));
}

}  // namespace assay::rules
