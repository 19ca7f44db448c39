// A polyglot book maps keys of positions to weighted moves; it has neither lines nor a list of its
// positions. Pairs of games need openings that can be numbered, so the book is played out from the
// start position, breadth first: a position that several lines reach is met first by a shortest
// one, and a line that comes back to a position of an earlier ply ends, so that cycles end too.
// Within a ply the likeliest line goes first, where the probability of a line is the product of its
// moves' shares of the weight; of two lines to one position the likelier one stays.
//
// Depth first would need less memory but keep an arbitrary line to each position. A node holds its
// move and its parent, 24 bytes; positions are played again from the start when they are expanded,
// which costs `plies` moves a node and no memory. The number of lines is bounded by the caller.
#include "openings/read/polyglot_lines.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"
#include "rules/chess/chess_game.h"

namespace assay::openings {

namespace {

using rules::Notation;

constexpr std::uint32_t kRoot = 0;
constexpr std::size_t kLinesAtOnce = 65'536;

/// A position that the book reaches, by its first and likeliest way.
struct Node {
    std::uint32_t parent = kRoot;
    rules::Move move = rules::kNoMove;
    std::uint64_t key = 0;
    double share = 1;  // the probability of the line that leads here
};

/// Goes through the book ply by ply, so that each position is met on its shortest way first.
class Explorer {
public:
    Explorer(const PolyglotFile& book, const std::string& name, const rules::Game& game,
             const OnPolyglotRemark& on_remark)
        : book_(book), name_(name), game_(game), on_remark_(on_remark) {
        const auto start = game.start();
        nodes_.push_back({kRoot, rules::kNoMove, PolyglotPosition::of(start->text()).key(), 1});
        seen_.emplace(start->hash(), 0);
    }

    void explore(std::optional<int> plies, std::uint64_t most) {
        std::vector<std::uint32_t> layer{kRoot};
        for (int ply = 0; !layer.empty() && (!plies || ply < *plies); ++ply) {
            by_share(layer);
            std::vector<std::uint32_t> next;
            for (const std::uint32_t node : layer) {
                if (!expand(node, ply + 1, next)) ends_.push_back(node);
                // Nodes have numbers of 32 bits, of which the most lines is far below.
                if (ends_.size() + next.size() > most) throw too_many(most, ply + 1);
            }
            layer = std::move(next);
        }
        ends_.insert(ends_.end(), layer.begin(), layer.end());
        if (ends_.front() == kRoot) {
            throw about_file(name_, fmt::format("none of its {} entries is a move of weight above "
                                                "0 that can be played from the start position",
                                                book_.size()));
        }
        by_share(ends_);
    }

    void write(const std::function<void(std::string_view)>& sink) const {
        std::string lines;
        for (const std::uint32_t end : ends_) {
            bool is_first = true;
            const auto position = game_.start();
            for (const rules::Move move : moves_to(end)) {
                if (!is_first) lines += ' ';
                is_first = false;
                lines += position->name_of(move, Notation::Canonical);
                position->make(move);
            }
            lines += '\n';
            if (lines.size() < kLinesAtOnce) continue;
            sink(lines);
            lines.clear();
        }
        sink(lines);
    }

private:
    /// Adds what the book plays after `node` and is new; false where the line ends here.
    bool expand(std::uint32_t node, int ply, std::vector<std::uint32_t>& next) {
        const std::vector<PolyglotEntry> entries = book_.find(nodes_[node].key);
        if (entries.empty()) return false;
        const auto position = game_.start();
        std::string last;
        for (const rules::Move move : moves_to(node)) {
            last = position->name_of(move, Notation::Canonical);
            position->make(move);
        }
        const std::string text = position->text();
        const auto view = PolyglotPosition::of(text, last);
        std::vector<std::pair<rules::Move, double>> moves;
        double sum = 0;
        for (const PolyglotEntry& entry : entries) {
            if (entry.weight == 0 || entry.move == 0) continue;  // disabled, by the format's rules
            const std::string name = name_of_polyglot_move(entry.move, view, is_chess960_);
            const auto move = position->move_of(name, Notation::Canonical);
            if (!move) {
                on_remark_(entry.number, fmt::format("move {} is not legal in '{}': left out",
                                                     name.empty() ? "?" : name, text));
                continue;
            }
            moves.emplace_back(*move, entry.weight);
            sum += entry.weight;
        }
        bool goes_on = false;
        for (const auto& [move, weight] : moves) {
            goes_on |= add(node, *position, move, weight / sum, ply, next);
        }
        return goes_on;
    }

    bool add(std::uint32_t parent, rules::Position& position, rules::Move move, double share,
             int ply, std::vector<std::uint32_t>& next) {
        const std::string name = position.name_of(move, Notation::Canonical);
        position.make(move);
        bool is_on = false;
        if (!position.result()) {
            const auto [seen, is_new] = seen_.emplace(position.hash(), ply);
            is_on = seen->second == ply;
            if (is_new) {
                next.push_back(static_cast<std::uint32_t>(nodes_.size()));
                nodes_.push_back({parent, move, PolyglotPosition::of(position.text(), name).key(),
                                  nodes_[parent].share * share});
            }
        }
        position.undo();
        return is_on;
    }

    [[nodiscard]] std::vector<rules::Move> moves_to(std::uint32_t node) const {
        std::vector<rules::Move> moves;
        for (; node != kRoot; node = nodes_[node].parent) moves.push_back(nodes_[node].move);
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

    void by_share(std::vector<std::uint32_t>& nodes) const {
        std::stable_sort(nodes.begin(), nodes.end(), [this](std::uint32_t a, std::uint32_t b) {
            return nodes_[a].share > nodes_[b].share;
        });
    }

    [[nodiscard]] Error too_many(std::uint64_t most, int ply) const {
        return about_file(name_, fmt::format("more than {} lines of {} half-moves: expected "
                                             "'plies' of {} or fewer",
                                             most, ply, ply - 1));
    }

    const PolyglotFile& book_;
    const std::string& name_;
    const rules::Game& game_;
    const OnPolyglotRemark& on_remark_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, int> seen_;  // the ply that first reached a position
    std::vector<std::uint32_t> ends_;
    const bool is_chess960_ = rules::chess::variant_of(game_) == rules::chess::Variant::Chess960;
};

}  // namespace

void write_polyglot_lines(const PolyglotFile& book, const std::string& name,
                          std::optional<int> plies, const rules::Game& game, std::uint64_t most,
                          const OnPolyglotRemark& on_remark,
                          const std::function<void(std::string_view)>& sink) {
    if (!game.info().formats.polyglot) {
        throw about_file(name, fmt::format("a polyglot book is of chess, not of {}", game.name()));
    }
    Explorer explorer(book, name, game, on_remark);
    explorer.explore(plies, most);
    explorer.write(sink);
}

}  // namespace assay::openings
