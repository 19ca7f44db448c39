#include "tests/support/dice_race.h"

#include <array>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"

namespace assay::tests {

namespace {

using rules::Move;
using rules::Notation;

constexpr int kGoal = 8;
constexpr int kSides = 3;
constexpr Move kWalk = 4;  // 1 to 3 are rolls
constexpr Move kStay = 5;

struct State {
    std::array<int, 2> field{};
    int side = 0;
    int roll = 0;  // 0: chance rolls
};

class DiceRacePosition final : public rules::Position {
public:
    explicit DiceRacePosition(const State& state) : state_(state) {}

    [[nodiscard]] std::unique_ptr<Position> clone() const override {
        return std::make_unique<DiceRacePosition>(*this);
    }

    [[nodiscard]] int to_move() const override {
        if (result()) return rules::kNobody;
        return state_.roll == 0 ? rules::kChance : state_.side;
    }

    void moves(std::vector<Move>& out) const override {
        out.clear();
        if (to_move() >= 0) out = {kWalk, kStay};
    }

    void chances(std::vector<rules::ChanceMove>& out) const override {
        out.clear();
        if (to_move() != rules::kChance) return;
        for (Move roll = 1; roll <= kSides; ++roll) out.push_back({roll, 1.0 / kSides});
    }

    [[nodiscard]] bool is_legal(Move move) const override {
        return to_move() >= 0 && (move == kWalk || move == kStay);
    }

    void make(Move move) override {
        past_.push_back(state_);
        if (move <= kSides) {
            state_.roll = static_cast<int>(move);
            return;
        }
        if (move == kWalk) state_.field[static_cast<std::size_t>(state_.side)] += state_.roll;
        state_.side = 1 - state_.side;
        state_.roll = 0;
    }

    void undo() override {
        state_ = past_.back();
        past_.pop_back();
    }

    [[nodiscard]] int ply() const override { return static_cast<int>(past_.size()); }

    [[nodiscard]] std::optional<rules::Outcome> result() const override {
        for (const int player : {0, 1}) {
            if (state_.field[static_cast<std::size_t>(player)] >= kGoal)
                return rules::Outcome{rules::scores_with_winner(player, 2), "goal"};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::uint64_t hash() const override {
        std::uint64_t code = 0;
        for (const int part : {state_.field[0], state_.field[1], state_.side, state_.roll})
            code = mix64(code, static_cast<std::uint64_t>(part));
        return code;
    }

    [[nodiscard]] std::string text() const override {
        return std::to_string(state_.field[0]) + " " + std::to_string(state_.field[1]) +
               (state_.side == 0 ? " a " : " b ") +
               (state_.roll == 0 ? "?" : std::to_string(state_.roll));
    }

    [[nodiscard]] std::string name_of(Move move, Notation) const override {
        return move == kWalk ? "walk" : move == kStay ? "stay" : std::to_string(move);
    }

    [[nodiscard]] std::optional<Move> move_of(std::string_view text, Notation) const override {
        if (to_move() == rules::kChance) {
            const auto roll = to_number<Move>(text);
            return roll && *roll >= 1 && *roll <= kSides ? roll : std::nullopt;
        }
        if (to_move() == rules::kNobody) return std::nullopt;
        if (text == "walk") return kWalk;
        return text == "stay" ? std::optional(kStay) : std::nullopt;
    }

private:
    State state_;
    std::vector<State> past_;
};

class DiceRace final : public rules::Game {
public:
    [[nodiscard]] const rules::GameInfo& info() const override { return info_; }

    [[nodiscard]] std::span<const Notation> notations() const override { return kNotations; }

    [[nodiscard]] std::unique_ptr<rules::Position> start() const override {
        return std::make_unique<DiceRacePosition>(State{});
    }

    [[nodiscard]] std::unique_ptr<rules::Position> parse(std::string_view text) const override {
        const std::vector<std::string_view> words = split_words(text);
        const Error refused("no position of the dice race: '" + printable_utf8(text) + "'");
        if (words.size() != 4 || (words[2] != "a" && words[2] != "b")) throw refused;
        const auto first = to_number<int>(words[0]);
        const auto second = to_number<int>(words[1]);
        const auto roll = words[3] == "?" ? std::optional(0) : to_number<int>(words[3]);
        if (!first || !second || !roll || *roll < 0 || *roll > kSides) throw refused;
        return std::make_unique<DiceRacePosition>(
            State{{*first, *second}, words[2] == "a" ? 0 : 1, *roll});
    }

private:
    static rules::GameInfo make_info() {
        rules::GameInfo info;
        info.name = "dice race";
        info.players = {"Ann", "Ben"};
        info.endings = {{"goal", "reaching the goal", "the goal is reached"}};
        info.has_chance = true;
        return info;
    }

    static constexpr std::array<Notation, 1> kNotations{Notation::Canonical};
    rules::GameInfo info_ = make_info();
};

}  // namespace

std::unique_ptr<rules::Game> make_dice_race() {
    return std::make_unique<DiceRace>();
}

}  // namespace assay::tests
