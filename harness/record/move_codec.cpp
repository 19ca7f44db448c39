// Moves of a game as bytes. A long run stores some hundred million moves, and their statistics fill
// most of the file; general compression of single games gains little, because a game is short. So
// the format predicts instead: numbers take as many bytes as their size needs (LEB128), fields that
// a program does not report cost one bit, the mover is predicted by turn and its clock by
// arithmetic, and only what differs from a prediction is written. Encoding and decoding take one
// pass and no memory beside the result. JSON or a row a move would take five to ten times the room.
//
// A blob is trusted only after its checksum: SQLite does not check pages. FNV-1a multiplies by an
// odd number and XORs, both bijections of its state, so two blobs that differ in one byte never
// have the same checksum. The decoder also bounds every length by the bytes that are left, for
// blobs whose checksum was made to fit.
#include "harness/record/move_codec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/check.h"
#include "gtql/log/bytes.h"

namespace assay::harness {

namespace {

constexpr char kVersion = 2;
constexpr char kVersionInTurn = 1;  // two players in turn, who are not stored
constexpr std::size_t kChecksumSize = 4;
constexpr std::size_t kChancePlayer = rules::kMostPlayers;  // an event that no player made
constexpr std::size_t kSmallestMove = 3;                    // flags, an empty name, used

// Which fields a move has, and the kind of its score.
constexpr std::uint32_t kLeft = 1U << 0U;
constexpr std::uint32_t kDelay = 1U << 1U;
constexpr std::uint32_t kScore = 1U << 2U;
constexpr std::uint32_t kMate = 1U << 3U;
constexpr std::uint32_t kLower = 1U << 4U;
constexpr std::uint32_t kUpper = 1U << 5U;
constexpr std::uint32_t kDepth = 1U << 6U;
constexpr std::uint32_t kSeldepth = 1U << 7U;
constexpr std::uint32_t kNodes = 1U << 8U;
constexpr std::uint32_t kNps = 1U << 9U;
constexpr std::uint32_t kTbhits = 1U << 10U;
constexpr std::uint32_t kHashfull = 1U << 11U;
constexpr std::uint32_t kSaid = 1U << 12U;
constexpr std::uint32_t kPv = 1U << 13U;
constexpr std::uint32_t kPlayer = 1U << 14U;  // the highest: rare, so that flags fit two bytes
constexpr std::uint32_t kAll = (1U << 15U) - 1;
constexpr std::uint32_t kAllInTurn = kPlayer - 1;

std::uint32_t fnv1a(std::string_view bytes) {
    std::uint32_t hash = 2166136261U;
    for (const char c : bytes) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 16777619U;
    }
    return hash;
}

std::uint64_t bits_of(Micros time) {
    return static_cast<std::uint64_t>(std::int64_t{time.count()});
}

class Writer {
public:
    void number(std::uint64_t value) {
        while (value >= 0x80) {
            out_ += static_cast<char>(value | 0x80U);
            value >>= 7U;
        }
        out_ += static_cast<char>(value);
    }

    void integer(std::int64_t value) { number(gtql::zigzag(value)); }

    void text(std::string_view value) {
        number(value.size());
        out_ += value;
    }

    [[nodiscard]] std::string& out() { return out_; }

private:
    std::string out_{kVersion};
};

/// After malformed input is_good() is false and every result is zero or empty.
class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (rest_.empty()) return fail();
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            const std::uint64_t part = byte & 0x7FU;
            if ((part << shift) >> shift != part) return fail();
            value |= part << shift;
            if (byte < 0x80) return value;
        }
        return fail();
    }

    std::int64_t integer() { return gtql::unzigzag(number()); }

    template <class Small>
    Small small() {
        const std::int64_t value = integer();
        if (value != static_cast<Small>(value)) fail();
        return static_cast<Small>(value);
    }

    std::string text() {
        const std::uint64_t size = number();
        if (size > rest_.size()) {
            fail();
            return {};
        }
        std::string value(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return value;
    }

    [[nodiscard]] bool is_good() const { return good_; }

    [[nodiscard]] std::size_t left() const { return rest_.size(); }

private:
    std::uint64_t fail() {
        good_ = false;
        rest_ = {};
        return 0;
    }

    std::string_view rest_;
    bool good_ = true;
};

std::uint32_t score_flags(const adapters::Score& score) {
    using Bound = adapters::Score::Bound;
    return kScore | (score.is_mate ? kMate : 0U) | (score.bound == Bound::Lower ? kLower : 0U) |
           (score.bound == Bound::Upper ? kUpper : 0U);
}

std::uint32_t flags_of(const MoveRecord& move, bool has_left, bool is_in_turn) {
    return (has_left ? kLeft : 0U) | (is_in_turn ? 0U : kPlayer) |
           (move.delay != Micros{0} ? kDelay : 0U) | (move.score ? score_flags(*move.score) : 0U) |
           (move.depth ? kDepth : 0U) | (move.seldepth ? kSeldepth : 0U) |
           (move.nodes ? kNodes : 0U) | (move.nps ? kNps : 0U) | (move.tbhits ? kTbhits : 0U) |
           (move.hashfull ? kHashfull : 0U) | (move.said ? kSaid : 0U) |
           (move.pv.empty() ? 0U : kPv);
}

/// Predicts who moves next, and a mover's clock from its clock after its previous move, by
/// arithmetic that may wrap, so that every value can be restored.
class Predictor {
public:
    Predictor(std::size_t players, std::size_t first) : players_(players), mover_(first) {}

    [[nodiscard]] std::size_t mover() const { return mover_; }

    [[nodiscard]] std::uint64_t left(std::size_t player, Micros used) const {
        return before_[player] - bits_of(used);
    }

    void moved(std::size_t player, Micros left) {
        before_[player] = bits_of(left);
        if (player == kChancePlayer) return;  // who was to move still is
        mover_ = (player + 1) % players_;
    }

private:
    std::array<std::uint64_t, kChancePlayer + 1> before_{};  // by player
    std::size_t players_;
    std::size_t mover_;
};

std::size_t players_of(const std::vector<MoveRecord>& moves) {
    std::size_t players = 1;
    for (const MoveRecord& move : moves) {
        if (move.player == rules::kChance) continue;
        ASSAY_CHECK(move.player >= 0 && move.player < static_cast<int>(rules::kMostPlayers));
        players = std::max(players, static_cast<std::size_t>(move.player) + 1);
    }
    return players;
}

void write_move(Writer& out, const MoveRecord& move, Predictor& predictor) {
    const bool has_left = move.left != Micros{0};
    const std::size_t player =
        move.player == rules::kChance ? kChancePlayer : static_cast<std::size_t>(move.player);
    const bool is_in_turn = player == predictor.mover();
    out.number(flags_of(move, has_left, is_in_turn));
    if (!is_in_turn) out.number(player);
    out.text(move.name);
    out.integer(move.used.count());
    if (has_left) {
        const std::uint64_t off = bits_of(move.left) - predictor.left(player, move.used);
        out.integer(static_cast<std::int64_t>(off));
    }
    predictor.moved(player, move.left);
    if (move.delay != Micros{0}) out.integer(move.delay.count());
    if (move.score) out.integer(move.score->value);
    if (move.depth) out.integer(*move.depth);
    if (move.seldepth) out.integer(*move.seldepth);
    if (move.nodes) out.number(*move.nodes);
    if (move.nps) out.number(*move.nps);
    if (move.tbhits) out.number(*move.tbhits);
    if (move.hashfull) out.integer(*move.hashfull);
    if (move.said) out.integer(move.said->count());
    if (!move.pv.empty()) out.text(move.pv);
}

std::optional<adapters::Score> read_score(Reader& in, std::uint64_t flags) {
    using Bound = adapters::Score::Bound;
    if ((flags & kScore) == 0) return std::nullopt;
    const Bound bound = (flags & kLower) != 0   ? Bound::Lower
                        : (flags & kUpper) != 0 ? Bound::Upper
                                                : Bound::Exact;
    return adapters::Score{(flags & kMate) != 0, in.small<int>(), bound};
}

/// REQUIRES: `player` is at most kChancePlayer.
MoveRecord read_move(Reader& in, std::uint64_t flags, std::size_t player, Predictor& predictor) {
    MoveRecord move;
    move.player = player == kChancePlayer ? rules::kChance : static_cast<int>(player);
    move.name = in.text();
    move.used = Micros(in.integer());
    if ((flags & kLeft) != 0) {
        const std::uint64_t left =
            predictor.left(player, move.used) + static_cast<std::uint64_t>(in.integer());
        move.left = Micros(static_cast<std::int64_t>(left));
    }
    predictor.moved(player, move.left);
    if ((flags & kDelay) != 0) move.delay = Micros(in.integer());
    move.score = read_score(in, flags);
    if ((flags & kDepth) != 0) move.depth = in.small<int>();
    if ((flags & kSeldepth) != 0) move.seldepth = in.small<int>();
    if ((flags & kNodes) != 0) move.nodes = in.number();
    if ((flags & kNps) != 0) move.nps = in.number();
    if ((flags & kTbhits) != 0) move.tbhits = in.number();
    if ((flags & kHashfull) != 0) move.hashfull = in.small<int>();
    if ((flags & kSaid) != 0) move.said = Micros(in.integer());
    if ((flags & kPv) != 0) move.pv = in.text();
    return move;
}

}  // namespace

std::string encode_moves(const std::vector<MoveRecord>& moves) {
    Writer out;
    const std::size_t players = players_of(moves);
    out.number(players);
    out.number(moves.size());
    Predictor predictor(players, 0);
    for (const MoveRecord& move : moves) write_move(out, move, predictor);
    std::string& bytes = out.out();
    const std::uint32_t checksum = fnv1a(bytes);
    for (std::size_t i = 0; i < kChecksumSize; ++i) {
        bytes += static_cast<char>((checksum >> (8 * i)) & 0xFFU);
    }
    return std::move(bytes);
}

std::optional<std::vector<MoveRecord>> decode_moves(std::string_view bytes, int first_mover) {
    if (bytes.size() < 1 + kChecksumSize) return std::nullopt;
    const bool is_in_turn = bytes.front() == kVersionInTurn;
    if (!is_in_turn && bytes.front() != kVersion) return std::nullopt;
    const std::string_view body = bytes.substr(0, bytes.size() - kChecksumSize);
    std::uint32_t checksum = 0;
    for (std::size_t i = 0; i < kChecksumSize; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[body.size() + i]);
        checksum |= std::uint32_t{byte} << (8 * i);
    }
    if (checksum != fnv1a(body)) return std::nullopt;

    Reader in(body.substr(1));
    const std::uint64_t players = is_in_turn ? 2 : in.number();
    const std::uint64_t count = in.number();
    if (players < 1 || players > rules::kMostPlayers) return std::nullopt;
    if (count > in.left() / kSmallestMove) return std::nullopt;
    std::vector<MoveRecord> moves;
    moves.reserve(count);
    Predictor predictor(players, is_in_turn ? static_cast<std::size_t>(first_mover) : 0);
    for (std::uint64_t ply = 0; ply < count; ++ply) {
        const std::uint64_t flags = in.number();
        if (flags > (is_in_turn ? kAllInTurn : kAll)) return std::nullopt;
        const std::uint64_t player = (flags & kPlayer) != 0 ? in.number() : predictor.mover();
        if (player >= players && player != kChancePlayer) return std::nullopt;
        moves.push_back(read_move(in, flags, player, predictor));
        if (!in.is_good()) return std::nullopt;
    }
    if (!in.is_good() || in.left() != 0) return std::nullopt;
    return moves;
}

}  // namespace assay::harness
