// A player that speaks JSON lines (docs/protocols.md) and draws its moves from the position's hash.
// Options: Seed; ResignAt N and DrawAt N, the search of a game at which it resigns, or from which
// on it claims a draw with each move; Noise true: it says lines that are no JSON, too.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "base/random.h"
#include "base/text.h"
#include "rules/game.h"
#include "rules/make_game.h"

namespace {

namespace json = boost::json;

class JsonPlayer {
public:
    /// False: it was told to quit.
    bool handle(const json::object& line) {
        const json::string& type = line.at("type").as_string();
        if (type == "hello") {
            say({{"type", "hello"},
                 {"name", "assay json player"},
                 {"author", "the assay authors"},
                 {"options", {"Seed", "ResignAt", "DrawAt", "Noise", "Threads"}}});
        } else if (type == "options") {
            game_ = assay::rules::make_game(std::string(line.at("game").as_string()));
            for (const auto& [name, value] : line.at("values").as_object()) {
                set(std::string(name), std::string(value.as_string()));
            }
        } else if (type == "new") {
            searches_ = 0;
            say({{"type", "ready"}});
        } else if (type == "go") {
            ++searches_;
            set_position(line);
            is_waiting_ = line.contains("infinite");
            if (!is_waiting_) answer();
        } else if (type == "stop" && is_waiting_) {
            is_waiting_ = false;
            answer();
        }
        return type != "quit";
    }

private:
    static void say(const json::object& line) { std::cout << json::serialize(line) << std::endl; }

    void set(const std::string& name, const std::string& value) {
        const int number = assay::to_number<int>(value).value_or(0);
        if (name == "Seed") seed_ = static_cast<std::uint64_t>(number);
        if (name == "ResignAt") resign_at_ = number;
        if (name == "DrawAt") draw_at_ = number;
        if (name == "Noise") is_noisy_ = value == "true";
    }

    void set_position(const json::object& line) {
        const auto* const start = line.if_contains("start");
        position_ =
            start == nullptr ? game_->start() : game_->parse(std::string(start->as_string()));
        for (const json::value& name : line.at("moves").as_array()) {
            const auto move = position_->move_of(std::string_view(name.as_string()),
                                                 assay::rules::Notation::Canonical);
            if (move) position_->make(*move);
        }
    }

    void answer() {
        if (is_noisy_) std::cout << "not JSON\n{\"type\":\"info\",\"depth\":\"deep\"}\n[]\n";
        if (resign_at_ > 0 && searches_ >= resign_at_) {
            say({{"type", "move"}, {"resign", true}});
            return;
        }
        std::vector<assay::rules::Move> moves;
        position_->moves(moves);
        if (moves.empty()) {
            say({{"type", "move"}});
            return;
        }
        const auto move = moves[assay::mix64(position_->hash(), seed_) % moves.size()];
        // The score is the first player's view, to be turned where it moves second.
        say({{"type", "info"},
             {"depth", 1},
             {"nodes", moves.size()},
             {"score", {{"cp", 10}, {"view", "first"}}}});
        json::object line{{"type", "move"},
                          {"move", position_->name_of(move, assay::rules::Notation::Canonical)}};
        if (draw_at_ > 0 && searches_ >= draw_at_) line["draw"] = true;
        say(line);
    }

    std::unique_ptr<assay::rules::Game> game_;
    std::unique_ptr<assay::rules::Position> position_;
    std::uint64_t seed_ = 0;
    int searches_ = 0;
    int resign_at_ = 0;
    int draw_at_ = 0;
    bool is_noisy_ = false;
    bool is_waiting_ = false;
};

}  // namespace

int main() {
    JsonPlayer player;
    for (std::string line; std::getline(std::cin, line);) {
        if (!player.handle(json::parse(line).as_object())) return 0;
    }
    return 0;
}
