#include "harness/record/move_codec.h"

#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include "tests/harness/store/sample_records.h"

namespace assay::harness {

namespace {

auto fields(const MoveRecord& m) {
    return std::tie(m.name, m.player, m.used, m.left, m.delay, m.score, m.depth, m.seldepth,
                    m.nodes, m.nps, m.tbhits, m.hashfull, m.said, m.pv);
}

bool is_same(const std::vector<MoveRecord>& a, const std::vector<MoveRecord>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (fields(a[i]) != fields(b[i])) return false;
    }
    return true;
}

void check_there_and_back(const std::vector<MoveRecord>& moves) {
    const auto decoded = decode_moves(encode_moves(moves));
    REQUIRE(decoded.has_value());
    CHECK(is_same(*decoded, moves));
}

}  // namespace

TEST_CASE("Move codec: every field goes there and back") {
    check_there_and_back({});
    check_there_and_back(test::sample_game(1, 0, 0).moves);
    check_there_and_back({MoveRecord{}, MoveRecord{}, MoveRecord{}});

    using Bound = adapters::Score::Bound;
    MoveRecord full;
    full.name = std::string(
        "a\0\xff"
        "b",
        4);
    full.used = Micros(-5);
    full.left = Micros(-1);
    full.delay = Micros(3);
    full.score = adapters::Score{true, -7, Bound::Upper};
    full.depth = 0;
    full.seldepth = -1;
    full.nodes = 0;
    full.nps = 1;
    full.tbhits = 2;
    full.hashfull = 1000;
    full.said = Micros(9);
    full.pv = std::string(1000, 'x');
    MoveRecord lower;
    lower.score = adapters::Score{false, 31, Bound::Lower};
    check_there_and_back({full, lower, full});
}

TEST_CASE("Move codec: the largest and smallest numbers go there and back") {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    std::vector<MoveRecord> moves;
    for (const std::int64_t time : {kMost, kLeast, kMost, kMost, kLeast, std::int64_t{0}}) {
        MoveRecord move;
        move.used = Micros(time);
        move.left = Micros(time == kMost ? kLeast : kMost);
        move.delay = Micros(time);
        move.score = adapters::Score{false, std::numeric_limits<int>::min(), {}};
        move.depth = std::numeric_limits<int>::max();
        move.nodes = std::numeric_limits<std::uint64_t>::max();
        moves.push_back(move);
    }
    check_there_and_back(moves);
}

TEST_CASE("Move codec: who moved goes there and back, whoever begins and whether or not in turn") {
    std::vector<MoveRecord> moves;
    for (const int player : {1, 1, 0, 2, 2, 0, 7, 0, 1}) {
        MoveRecord move;
        move.player = player;
        move.name = "m";
        move.used = Micros(1000);
        move.left = Micros(9'000'000);
        moves.push_back(move);
        check_there_and_back(moves);
    }
}

TEST_CASE("Move codec: that the second player begins costs three bytes a game") {
    std::vector<MoveRecord> moves = test::sample_game(1, 0, 0, 60).moves;
    const std::size_t size = encode_moves(moves).size();
    for (MoveRecord& move : moves) move.player = 1 - move.player;
    CHECK(encode_moves(moves).size() <= size + 3);
}

TEST_CASE("Move codec: in a blob of version 1 two players move in turn, from the one it is told") {
    std::vector<MoveRecord> moves = test::sample_game(1, 0, 0, 20).moves;
    // Moves in turn from player 0 have the same bytes in both versions.
    std::string body = encode_moves(moves);
    REQUIRE(body[1] == 2);
    body.resize(body.size() - 4);
    body.erase(1, 1);
    body[0] = 1;
    std::uint32_t hash = 2166136261U;
    for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::string blob = body;
    for (unsigned i = 0; i < 4; ++i) blob += static_cast<char>((hash >> (8 * i)) & 0xFFU);

    REQUIRE(decode_moves(blob, 0).has_value());
    CHECK(is_same(*decode_moves(blob, 0), moves));
    for (MoveRecord& move : moves) move.player = 1 - move.player;
    CHECK(is_same(decode_moves(blob, 1).value(), moves));
}

TEST_CASE("Move codec: a blob that is cut or longer is refused at every length") {
    const std::string blob = encode_moves(test::sample_game(1, 0, 0, 12).moves);
    for (std::size_t size = 0; size < blob.size(); ++size) {
        CAPTURE(size);
        const std::string cut = blob.substr(0, size);
        CHECK_FALSE(decode_moves(cut).has_value());
    }
    CHECK_FALSE(decode_moves(blob + '\0').has_value());
}

TEST_CASE("Move codec: any single changed byte is found") {
    const std::string blob = encode_moves(test::sample_game(1, 0, 0, 12).moves);
    for (std::size_t at = 0; at < blob.size(); ++at) {
        for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
            CAPTURE(at);
            std::string changed = blob;
            changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
            CHECK_FALSE(decode_moves(changed).has_value());
        }
    }
}

TEST_CASE("Move codec: a move with all that programs usually say costs less than thirty bytes") {
    const std::string blob = encode_moves(test::sample_game(1, 0, 0, 200).moves);
    CHECK(blob.size() < std::size_t{200} * 30);
}

}  // namespace assay::harness
