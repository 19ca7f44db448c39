#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/game.h"

namespace assay::test {

/// A game of two players in which the second always moves twice; its only move is "step", and it
/// never ends.
class MovesInRow final : public rules::Game {
public:
    class Place final : public rules::Position {
    public:
        [[nodiscard]] std::unique_ptr<rules::Position> clone() const override {
            return std::make_unique<Place>(*this);
        }

        [[nodiscard]] int to_move() const override { return ply_ % 3 == 0 ? 0 : 1; }

        void moves(std::vector<rules::Move>& out) const override { out = {1}; }

        [[nodiscard]] bool is_legal(rules::Move move) const override { return move == 1; }

        void make(rules::Move) override { ++ply_; }

        void undo() override { --ply_; }

        [[nodiscard]] int ply() const override { return ply_; }

        [[nodiscard]] std::optional<rules::Outcome> result() const override { return {}; }

        [[nodiscard]] std::uint64_t hash() const override {
            return static_cast<std::uint64_t>(ply_ % 3);
        }

        [[nodiscard]] std::string text() const override { return std::to_string(ply_ % 3); }

        [[nodiscard]] std::string name_of(rules::Move, rules::Notation) const override {
            return "step";
        }

        [[nodiscard]] std::optional<rules::Move> move_of(std::string_view text,
                                                         rules::Notation) const override {
            return text == "step" ? std::optional<rules::Move>(1) : std::nullopt;
        }

    private:
        int ply_ = 0;
    };

    MovesInRow() {
        info_.name = "moves-in-row";
        info_.players = {"First", "Second"};
    }

    [[nodiscard]] const rules::GameInfo& info() const override { return info_; }

    [[nodiscard]] std::span<const rules::Notation> notations() const override { return kNotations; }

    [[nodiscard]] std::unique_ptr<rules::Position> start() const override {
        return std::make_unique<Place>();
    }

    [[nodiscard]] std::unique_ptr<rules::Position> parse(std::string_view) const override {
        return start();
    }

private:
    static constexpr std::array kNotations{rules::Notation::Canonical};

    rules::GameInfo info_;
};

[[nodiscard]] inline std::unique_ptr<rules::Game> make_moves_in_row() {
    return std::make_unique<MovesInRow>();
}

}  // namespace assay::test
