// One object a line, both ways (docs/protocols.md). A message is read leniently: an unknown key
// says nothing, a key of the wrong kind is complained of once and otherwise absent, and a number
// out of range is the largest of its type, so that a program of a later version still plays.
// Numbers are whole; one that is written as 1e3 or 5.0 is whole too, as JSON writers differ there.
#include "adapters/json/json_lines.h"

#include <cmath>
#include <limits>
#include <utility>

#include <boost/json.hpp>

#include "base/text.h"

namespace assay::adapters {

namespace {

namespace json = boost::json;

/// Takes fields out of an object; what is of another kind than expected is complained of once.
class Fields {
public:
    Fields(const json::object& object, std::string& complaint)
        : object_(object), complaint_(complaint) {}

    [[nodiscard]] std::string text(std::string_view key) const {
        const json::value* const value = find(key);
        if (value == nullptr) return {};
        if (const json::string* const found = value->if_string()) return std::string(*found);
        complain(key, "a text");
        return {};
    }

    [[nodiscard]] bool truth(std::string_view key) const {
        const json::value* const value = find(key);
        if (value == nullptr) return false;
        if (const bool* const found = value->if_bool()) return *found;
        complain(key, "true or false");
        return false;
    }

    /// A whole number; one that is too large is the type's largest.
    template <class Number>
    void number(std::string_view key, std::optional<Number>& into) const {
        const json::value* const value = find(key);
        if (value == nullptr) return;
        if (const auto found = saturated<Number>(*value)) {
            into = found;
        } else {
            complain(key, "a whole number");
        }
    }

    /// Texts in a list.
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const {
        std::vector<std::string> result;
        const json::value* const value = find(key);
        if (value == nullptr) return result;
        const json::array* const list = value->if_array();
        if (list == nullptr) {
            complain(key, "a list of texts");
            return result;
        }
        for (const json::value& one : *list) {
            if (const json::string* const found = one.if_string()) {
                result.emplace_back(*found);
            } else {
                complain(key, "a list of texts");
            }
        }
        return result;
    }

    [[nodiscard]] const json::object* object(std::string_view key) const {
        const json::value* const value = find(key);
        if (value == nullptr) return nullptr;
        if (const json::object* const found = value->if_object()) return found;
        complain(key, "an object");
        return nullptr;
    }

    void complain(std::string_view key, std::string_view expected) const {
        if (!complaint_.empty()) return;
        complaint_.append("'").append(key).append("' is not ").append(expected);
    }

private:
    template <class Number>
    static std::optional<Number> saturated(const json::value& value) {
        using Limits = std::numeric_limits<Number>;
        if (const std::int64_t* const whole = value.if_int64()) {
            if (std::cmp_greater(*whole, Limits::max())) return Limits::max();
            if (std::cmp_less(*whole, Limits::min())) return Limits::min();
            return static_cast<Number>(*whole);
        }
        if (const std::uint64_t* const large = value.if_uint64()) {
            return std::cmp_greater(*large, Limits::max()) ? Limits::max()
                                                           : static_cast<Number>(*large);
        }
        const double* const real = value.if_double();
        if (real == nullptr || std::floor(*real) != *real) return std::nullopt;
        if (*real >= static_cast<double>(Limits::max())) return Limits::max();
        if (*real <= static_cast<double>(Limits::min())) return Limits::min();
        return static_cast<Number>(*real);
    }

    [[nodiscard]] const json::value* find(std::string_view key) const {
        const json::value* const value = object_.if_contains(key);
        return value == nullptr || value->is_null() ? nullptr : value;
    }

    const json::object& object_;
    std::string& complaint_;
};

JsonMessage::Type option_type(std::string_view word) {
    using Type = JsonMessage::Type;
    if (word == "info") return Type::Info;
    if (word == "move") return Type::Move;
    if (word == "ready") return Type::Ready;
    if (word == "hello") return Type::Hello;
    if (word == "error") return Type::Error;
    return Type::Other;
}

std::optional<Score> score_of(const json::object& object, std::string& complaint) {
    const Fields fields(object, complaint);
    std::optional<int> cp;
    std::optional<int> mate;
    fields.number("cp", cp);
    fields.number("mate", mate);
    if (!cp && !mate) {
        fields.complain("score", "an object with 'cp' or 'mate'");
        return std::nullopt;
    }
    Score score;
    score.is_mate = mate.has_value();
    score.value = mate ? *mate : *cp;
    const std::string bound = fields.text("bound");
    if (bound == "lower") score.bound = Score::Bound::Lower;
    if (bound == "upper") score.bound = Score::Bound::Upper;
    if (fields.text("view") == "first") score.view = Score::View::FirstPlayer;
    return score;
}

void read_info(const Fields& fields, JsonMessage& message) {
    SearchInfo& info = message.info;
    fields.number("depth", info.depth);
    fields.number("seldepth", info.seldepth);
    fields.number("nodes", info.nodes);
    fields.number("nps", info.nps);
    fields.number("tbhits", info.tbhits);
    fields.number("hashfull", info.hashfull);
    std::optional<std::int64_t> time;
    fields.number("time_us", time);
    if (time) info.time = Micros(*time);
    if (const json::object* const score = fields.object("score")) {
        info.score = score_of(*score, message.complaint);
    }
    for (const std::string& move : fields.texts("pv")) {
        if (!info.pv.empty()) info.pv += ' ';
        info.pv += move;
    }
}

void read_move(const Fields& fields, JsonMessage& message) {
    message.move = fields.text("move");
    if (fields.truth("resign")) {
        message.kind = BestMove::Kind::Resign;
    } else if (fields.truth("win")) {
        message.kind = BestMove::Kind::ClaimWin;
    } else if (fields.truth("draw")) {
        message.kind = BestMove::Kind::ClaimDraw;
    } else if (fields.truth("pass")) {
        message.kind = BestMove::Kind::Pass;
    }
}

json::array words_of(std::string_view text) {
    json::array words;
    for (const std::string_view word : split_words(text)) words.emplace_back(word);
    return words;
}

std::string line_of(const json::object& object) {
    return json::serialize(object) + "\n";
}

}  // namespace

std::optional<JsonMessage> read_json_line(std::string_view line) {
    boost::system::error_code error;
    const json::value value = json::parse(line, error);
    const json::object* const object = error ? nullptr : value.if_object();
    if (object == nullptr) return std::nullopt;
    const json::value* const type = object->if_contains("type");
    if (type == nullptr || !type->is_string()) return std::nullopt;
    JsonMessage message;
    message.type = option_type(type->get_string());
    const Fields fields(*object, message.complaint);
    switch (message.type) {
        case JsonMessage::Type::Hello:
            message.name = fields.text("name");
            message.author = fields.text("author");
            message.options = fields.texts("options");
            break;
        case JsonMessage::Type::Info:
            read_info(fields, message);
            break;
        case JsonMessage::Type::Move:
            read_move(fields, message);
            break;
        case JsonMessage::Type::Error:
            message.text = fields.text("text");
            break;
        case JsonMessage::Type::Ready:
        case JsonMessage::Type::Other:
            break;
    }
    return message;
}

void merge(SearchInfo& info, SearchInfo said) {
    const bool is_kept = !said.score || replaces(*said.score, info.score);
    if (said.depth && is_kept) info.depth = said.depth;
    if (said.seldepth && is_kept) info.seldepth = said.seldepth;
    if (said.score && is_kept) info.score = said.score;
    if (said.nodes) info.nodes = said.nodes;
    if (said.nps) info.nps = said.nps;
    if (said.tbhits) info.tbhits = said.tbhits;
    if (said.hashfull) info.hashfull = said.hashfull;
    if (said.time) info.time = said.time;
    if (!said.pv.empty() && is_kept) info.pv = std::move(said.pv);
}

std::string json_hello_line() {
    return line_of({{"type", "hello"}, {"version", 1}});
}

std::string json_options_line(const std::string& game,
                              const std::vector<std::pair<std::string, std::string>>& values) {
    json::object options;
    for (const auto& [name, value] : values) options[printable_utf8(name)] = printable_utf8(value);
    return line_of({{"type", "options"}, {"game", game}, {"values", std::move(options)}});
}

std::string json_new_line(const GameStart& game) {
    json::object line{{"type", "new"}};
    if (!game.start.empty()) line["start"] = game.start;
    if (!game.moves.empty()) line["moves"] = words_of(game.moves);
    if (game.player >= 0) line["player"] = game.player;
    json::object time;
    if (game.time.base > Micros{0}) time["base_us"] = game.time.base.count();
    if (game.time.increment > Micros{0}) time["increment_us"] = game.time.increment.count();
    if (game.time.moves > 0) time["moves"] = game.time.moves;
    if (game.time.byoyomi > Micros{0}) time["byoyomi_us"] = game.time.byoyomi.count();
    if (game.time.stones > 0) time["stones"] = game.time.stones;
    if (game.time.move_time) time["move_us"] = game.time.move_time->count();
    if (game.time.nodes) time["nodes"] = *game.time.nodes;
    if (game.time.depth) time["depth"] = *game.time.depth;
    if (!time.empty()) line["time"] = std::move(time);
    return line_of(line);
}

std::string json_go_line(const SearchRequest& request) {
    json::object line{{"type", "go"}};
    if (!request.start.empty()) line["start"] = request.start;
    line["moves"] = words_of(request.moves);
    line["player"] = request.player;
    if (!request.clocks.empty()) {
        json::array left;
        json::array increment;
        for (const ClockSide& side : request.clocks) {
            left.emplace_back(side.left.count());
            increment.emplace_back(side.increment.count());
        }
        line["left_us"] = std::move(left);
        line["increment_us"] = std::move(increment);
    }
    if (request.moves_to_go) line["moves_to_go"] = *request.moves_to_go;
    if (request.byoyomi) line["byoyomi_us"] = request.byoyomi->count();
    if (request.move_time) line["move_us"] = request.move_time->count();
    if (request.nodes) line["nodes"] = *request.nodes;
    if (request.depth) line["depth"] = *request.depth;
    if (request.mate) line["mate"] = *request.mate;
    if (request.infinite) line["infinite"] = true;
    if (!request.search_moves.empty()) {
        json::array moves;
        for (const std::string& move : request.search_moves) moves.emplace_back(move);
        line["search_moves"] = std::move(moves);
    }
    return line_of(line);
}

}  // namespace assay::adapters
