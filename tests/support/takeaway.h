#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"
#include "rules/game.h"

namespace assay::test {

/// A game of three players: each in turn takes one or two of seven tokens, and who takes the last
/// one has won. Moves are "1" and "2"; the text is the tokens left and who moves, "7 0".
class Takeaway final : public rules::Game {
public:
    static constexpr int kPlayers = 3;

    class Tokens final : public rules::Position {
    public:
        Tokens(int tokens, int player) : tokens_(tokens), player_(player) {}

        [[nodiscard]] std::unique_ptr<rules::Position> clone() const override {
            return std::make_unique<Tokens>(*this);
        }

        [[nodiscard]] int to_move() const override {
            return tokens_ == 0 ? rules::kNobody : player_;
        }

        void moves(std::vector<rules::Move>& out) const override {
            out.clear();
            for (rules::Move taken = 1; taken <= 2; ++taken)
                if (is_legal(taken)) out.push_back(taken);
        }

        [[nodiscard]] bool is_legal(rules::Move move) const override {
            return move >= 1 && move <= 2 && static_cast<int>(move) <= tokens_;
        }

        void make(rules::Move move) override {
            tokens_ -= static_cast<int>(move);
            player_ = (player_ + 1) % kPlayers;
            made_.push_back(move);
        }

        void undo() override {
            tokens_ += static_cast<int>(made_.back());
            player_ = (player_ + kPlayers - 1) % kPlayers;
            made_.pop_back();
        }

        [[nodiscard]] int ply() const override { return static_cast<int>(made_.size()); }

        [[nodiscard]] std::optional<rules::Outcome> result() const override {
            if (tokens_ > 0) return std::nullopt;
            const int winner = (player_ + kPlayers - 1) % kPlayers;
            return rules::Outcome{rules::scores_with_winner(winner, kPlayers), "last token"};
        }

        [[nodiscard]] std::uint64_t hash() const override {
            return mix64(static_cast<std::uint64_t>(tokens_ * kPlayers + player_));
        }

        [[nodiscard]] std::string text() const override {
            return std::to_string(tokens_) + " " + std::to_string(player_);
        }

        [[nodiscard]] std::string name_of(rules::Move move, rules::Notation) const override {
            return std::to_string(move);
        }

        [[nodiscard]] std::optional<rules::Move> move_of(std::string_view text,
                                                         rules::Notation) const override {
            const auto move = to_number<rules::Move>(text);
            return move && is_legal(*move) ? move : std::nullopt;
        }

    private:
        int tokens_;
        int player_;
        std::vector<rules::Move> made_;
    };

    Takeaway() {
        info_.name = "takeaway";
        info_.players = {"Ann", "Ben", "Cy"};
        info_.endings = {{"last token", "taking the last token", ""}};
    }

    [[nodiscard]] const rules::GameInfo& info() const override { return info_; }

    [[nodiscard]] std::span<const rules::Notation> notations() const override { return kNotations; }

    [[nodiscard]] std::unique_ptr<rules::Position> start() const override {
        return std::make_unique<Tokens>(7, 0);
    }

    [[nodiscard]] std::unique_ptr<rules::Position> parse(std::string_view text) const override {
        const auto words = split_words(text);
        const auto tokens = words.size() == 2 ? to_number<int>(words[0]) : std::nullopt;
        const auto player = words.size() == 2 ? to_number<int>(words[1]) : std::nullopt;
        if (!tokens || !player || *tokens < 0 || *player < 0 || *player >= kPlayers)
            throw Error("no position of takeaway: '" + printable_utf8(text) + "'");
        return std::make_unique<Tokens>(*tokens, *player);
    }

private:
    static constexpr std::array kNotations{rules::Notation::Canonical};

    rules::GameInfo info_;
};

[[nodiscard]] inline std::unique_ptr<rules::Game> make_takeaway() {
    return std::make_unique<Takeaway>();
}

}  // namespace assay::test
