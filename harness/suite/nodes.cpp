#include "harness/suite/nodes.h"

#include <algorithm>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/exec/node_view.h"
#include "rules/line.h"
#include "rules/make_game.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostPathBytes = 4000;

std::string path_of(std::span<const std::string> moves) {
    std::string path;
    for (const std::string& move : moves) {
        if (path.size() >= kMostPathBytes) break;
        if (!path.empty()) path += ' ';
        path += rules::is_no_move(move) ? "--" : printable_utf8(move);
    }
    return path;
}

/// Null where the log names a game that is not known here.
std::unique_ptr<rules::Game> other_game(const std::string& name) {
    try {
        return rules::make_game(name);
    } catch (const Error&) {
        return nullptr;
    }
}

std::string position_of(const gtql::TreeInfo& info, std::span<const std::string> moves,
                        const rules::Game& game) {
    try {
        return rules::text_after(game, info.position, moves).value_or("");
    } catch (const Error&) {
        return "";  // the log names a position that is none of the game
    }
}

}  // namespace

std::vector<FoundNode> look_up_nodes(const gtql::TreeSource& tree,
                                     std::span<const std::uint64_t> ids, const rules::Game& game) {
    std::vector<std::uint64_t> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    const bool has_moves = tree.schema().move_attribute() >= 0;
    const std::string& name = tree.info().game;
    const std::unique_ptr<rules::Game> other = name == game.name() ? nullptr : other_game(name);
    const rules::Game* const logged = name == game.name() ? &game : other.get();
    std::vector<FoundNode> found;
    for (const gtql::NodeView& view : gtql::look_at(tree, sorted, {.size = true})) {
        FoundNode node;
        node.id = view.node.id;
        node.size = view.size;
        node.path = path_of(view.moves);
        // Without moves in the log only the root's position is known.
        if (logged != nullptr && (has_moves || node.id == 1)) {
            node.position = position_of(tree.info(), view.moves, *logged);
        }
        found.push_back(std::move(node));
    }
    return found;
}

}  // namespace assay::harness
