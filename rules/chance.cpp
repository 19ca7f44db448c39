// Draws events of chance. A deal has to be uniform, and the same for two games of a pair that turn
// their pieces in different orders. The second game may also begin its deal a piece later or with
// another piece gone, so that a shuffle of a list would have nothing in common with the first one.
//
// So each pair of a place and a kind of piece has a key, a word that depends on the seed and the
// two names. Pairs are taken in the order of their keys, as long as the place is free and the kind
// is not used up. The keys of all places are alike, so each assignment is as likely as any other.
// And without a place and the piece on it the same pairs are taken for all other places: what is
// read off the rest of a deal is what the whole deal said.
#include "rules/chance.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/random.h"

namespace assay::rules {

namespace {

constexpr std::uint64_t kDealWord = 0xd1b54a32d192ed03;
constexpr double kRounding = 1e-6;  // of a number of pieces

/// How many of so many places have an outcome of this probability; nullopt: not a whole number.
std::optional<int> count_of_pieces(double probability, std::size_t places) {
    const double pieces = probability * static_cast<double>(places);
    const double whole = std::round(pieces);
    if (whole < 1 || std::abs(pieces - whole) > kRounding) return std::nullopt;
    return static_cast<int>(whole);
}

std::uint64_t hashed(std::uint64_t seed, std::string_view name) {
    for (const char c : name) seed = mix64(seed, static_cast<unsigned char>(c));
    return mix64(seed, name.size());
}

}  // namespace

std::vector<ChanceSource::Event> ChanceSource::events_of(const Position& position) {
    std::vector<ChanceMove> chances;
    position.chances(chances);
    return named(position, chances);
}

std::vector<ChanceSource::Event> ChanceSource::named(const Position& position,
                                                     const std::vector<ChanceMove>& chances) {
    std::vector<Event> events;
    events.reserve(chances.size());
    for (const ChanceMove& each : chances) {
        events.push_back(
            {each.move, each.probability, position.name_of(each.move, Notation::Canonical)});
    }
    std::ranges::sort(events, {}, &Event::name);
    return events;
}

/// Whether chance moves and has these events. Names are made last, because they are dear.
bool ChanceSource::has_events(const Position& position, const std::vector<Event>& events) {
    if (position.to_move() != kChance) return false;
    std::vector<ChanceMove> chances;
    position.chances(chances);
    if (chances.size() != events.size()) return false;
    return std::ranges::equal(named(position, chances), events, [](const Event& a, const Event& b) {
        return a.name == b.name && std::abs(a.probability - b.probability) < kRounding;
    });
}

/// The names of the moves with such an event behind them; none as soon as their number can be none
/// over which all probabilities are whole. Most dice are refused before a move is made.
std::vector<std::string> ChanceSource::places_of(Position& before,
                                                 const std::vector<Event>& events) {
    std::vector<Move> moves;
    before.moves(moves);
    std::vector<std::size_t> possible;  // numbers of places, in order
    for (std::size_t number = 2; number <= moves.size(); ++number) {
        const bool is_whole = std::ranges::all_of(events, [&](const Event& event) {
            return count_of_pieces(event.probability, number).has_value();
        });
        if (is_whole) possible.push_back(number);
    }
    std::vector<Move> found;
    for (std::size_t looked = 0; looked <= moves.size(); ++looked) {
        const auto next = std::ranges::lower_bound(possible, found.size());
        if (next == possible.end() || *next > found.size() + moves.size() - looked) return {};
        if (looked == moves.size()) break;
        before.make(moves[looked]);
        if (has_events(before, events)) found.push_back(moves[looked]);
        before.undo();
    }
    std::vector<std::string> places;
    for (const Move move : found) places.push_back(before.name_of(move, Notation::Canonical));
    return places;
}

bool ChanceSource::has_dealt(std::string_view place, const std::vector<Event>& events) const {
    if (!dealt_.contains(place)) return false;
    std::size_t pieces = 0;
    for (const Event& event : events) {
        const auto left = left_.find(event.name);
        if (left == left_.end()) return false;
        if (count_of_pieces(event.probability, dealt_.size()) != left->second) return false;
        pieces += static_cast<std::size_t>(left->second);
    }
    return pieces == dealt_.size();
}

/// Begins a deal; false, and nothing happens, where the event is none of a bag.
bool ChanceSource::deal(std::string_view place, const std::vector<std::string>& places,
                        const std::vector<Event>& events) {
    if (places.size() < 2 || std::ranges::find(places, place) == places.end()) return false;
    Counts pieces;
    for (const Event& event : events) {
        const auto count = count_of_pieces(event.probability, places.size());
        if (!count) return false;
        pieces.emplace(event.name, *count);
    }
    left_ = std::move(pieces);
    dealt_.clear();
    assign(places);
    ++deals_;
    return true;
}

void ChanceSource::assign(const std::vector<std::string>& places) {
    struct Wish {
        std::uint64_t key = 0;
        std::string_view place;
        std::string_view piece;
    };

    const std::uint64_t seed = mix64(seed_ ^ kDealWord, deals_);
    std::vector<Wish> wishes;
    for (const std::string& place : places) {
        const std::uint64_t word = hashed(seed, place);
        for (const auto& [piece, count] : left_)
            wishes.push_back({hashed(word, piece), place, piece});
    }
    std::ranges::sort(wishes, {}, &Wish::key);
    Counts free = left_;
    for (const Wish& wish : wishes) {
        int& pieces = free.find(wish.piece)->second;
        if (pieces == 0 || dealt_.contains(wish.place)) continue;
        dealt_.emplace(wish.place, wish.piece);
        --pieces;
    }
}

Move ChanceSource::draw(Position& position, Move last) {
    if (drawing_ == Drawing::Deal && last != kNoMove && position.ply() > 0) {
        const std::vector<Event> events = events_of(position);
        position.undo();  // a copy would cost what the game has become
        std::string place;
        bool is_dealt = false;
        if (position.to_move() >= 0) {
            place = position.name_of(last, Notation::Canonical);
            is_dealt = has_dealt(place, events) || deal(place, places_of(position, events), events);
        }
        position.make(last);
        if (is_dealt) {
            const auto dealt = dealt_.find(place);
            const auto event = std::ranges::find(events, dealt->second, &Event::name);
            ASSAY_CHECK(event != events.end());
            --left_.find(dealt->second)->second;
            dealt_.erase(dealt);
            return event->move;
        }
    }
    return drawn_event(position, mix64(seed_, events_++));
}

}  // namespace assay::rules
