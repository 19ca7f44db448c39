#include "rules/chess/notation.h"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "rules/chess/fen.h"
#include "rules/chess/movegen.h"

using namespace assay::rules;
using namespace assay::rules::chess;

namespace {

/// The SAN of a move given in UCI; "illegal" where it is none.
std::string san_of(std::string_view fen, std::string_view uci,
                   Variant variant = Variant::Standard) {
    const Board board = parse_fen(fen, variant);
    const auto move = read_uci(board, uci, variant);
    return move ? write_san(board, *move) : "illegal";
}

/// The UCI of a move given in SAN; "none" where nothing or several moves fit.
std::string uci_of(std::string_view fen, std::string_view san,
                   Variant variant = Variant::Standard) {
    const Board board = parse_fen(fen, variant);
    const auto move = read_san(board, san);
    return move ? write_uci(*move, variant) : "none";
}

constexpr std::string_view kStartText = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr std::string_view kCastling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
constexpr std::string_view kPromotion = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
constexpr std::string_view kEnPassant = "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1";

}  // namespace

TEST_CASE("Uci: the strict form of a legal move is read, all else is not") {
    struct Case {
        std::string_view fen;
        std::string_view text;
        std::string_view san;
    };

    const Case cases[] = {
        {kStartText, "e2e4", "e4"},        {kStartText, "g1f3", "Nf3"},
        {kStartText, "E2E4", "illegal"},   {kStartText, "e2-e4", "illegal"},
        {kStartText, "e2e5", "illegal"},   {kStartText, "e2e4 ", "illegal"},
        {kStartText, " e2e4", "illegal"},  {kStartText, "e2e4q", "illegal"},
        {kStartText, "e7e5", "illegal"},   {kStartText, "e4e5", "illegal"},
        {kStartText, "0000", "illegal"},   {kStartText, "a1a1", "illegal"},
        {kStartText, "(none)", "illegal"}, {kStartText, "e2e", "illegal"},
        {kStartText, "", "illegal"},       {kStartText, "e2e9", "illegal"},
        {kCastling, "e1g1", "O-O"},        {kCastling, "e1c1", "O-O-O"},
        {kCastling, "e1h1", "illegal"},    {kCastling, "e1a1", "illegal"},
        {kPromotion, "e7e8q", "e8=Q+"},    {kPromotion, "e7d8n", "exd8=N"},
        {kPromotion, "e7e8Q", "illegal"},  {kPromotion, "e7e8", "illegal"},
        {kPromotion, "e7e8k", "illegal"},  {kPromotion, "e7e8p", "illegal"},
        {kEnPassant, "d5e6", "dxe6"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.fen);
        CAPTURE(c.text);
        CHECK(san_of(c.fen, c.text) == c.san);
    }
}

TEST_CASE("Uci: chess960 castles by taking the own rook and in no other way") {
    CHECK(san_of(kCastling, "e1h1", Variant::Chess960) == "O-O");
    CHECK(san_of(kCastling, "e1a1", Variant::Chess960) == "O-O-O");
    CHECK(san_of(kCastling, "e1g1", Variant::Chess960) == "illegal");
    // A king one step from its castled square: the plain move and castling are two moves.
    constexpr std::string_view kNear = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    CHECK(san_of(kNear, "f1g1", Variant::Chess960) == "Kg1");
    CHECK(san_of(kNear, "f1h1", Variant::Chess960) == "O-O");
    CHECK(uci_of(kNear, "O-O", Variant::Chess960) == "f1h1");
    CHECK(uci_of(kNear, "Kg1", Variant::Chess960) == "f1g1");
}

TEST_CASE("San: the origin is written only as far as legal moves need it") {
    struct Case {
        const char* what;
        std::string_view fen;
        std::string_view uci;
        std::string_view expected;
    };

    const Case cases[] = {
        {"one knight", kStartText, "b1c3", "Nc3"},
        {"file", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2"},
        {"rank", "4k3/8/8/4N3/8/8/8/K3N3 w - - 0 1", "e5d3", "N5d3"},
        {"rank where the file is shared", "4k3/8/8/Q7/8/8/8/QK6 w - - 0 1", "a1a3", "Q1a3"},
        {"a pinned twin does not count", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
        {"file and rank, with three queens", "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
        {"pawn captures name their file", "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
        {"check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+"},
        {"mate", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
        {"castling with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"promotion with mate", "6k1/3P1ppp/8/8/8/8/8/4K3 w - - 0 1", "d7d8r", "d8=R#"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        CAPTURE(c.uci);
        CHECK(san_of(c.fen, c.uci) == c.expected);
    }
}

TEST_CASE("San: what people write is read where it means one move") {
    struct Case {
        std::string_view fen;
        std::string_view text;
        std::string_view expected;
    };

    const Case cases[] = {
        {kStartText, "e4", "e2e4"},        {kStartText, "e2e4", "e2e4"},
        {kStartText, "e2-e4", "e2e4"},     {kStartText, "Pe4", "e2e4"},
        {kStartText, "e4!?", "e2e4"},      {kStartText, "e4+", "e2e4"},
        {kStartText, " e4\r", "e2e4"},     {kStartText, "Nf3", "g1f3"},
        {kStartText, "Ngf3", "g1f3"},      {kStartText, "N1f3", "g1f3"},
        {kStartText, "Ng1f3", "g1f3"},     {kStartText, "Ng1-f3", "g1f3"},
        {kStartText, "Nxf3", "g1f3"},      {kStartText, "nf3", "none"},
        {kStartText, "Nf4", "none"},       {kStartText, "Nbf3", "none"},
        {kStartText, "e5", "none"},        {kStartText, "O-O", "none"},
        {kStartText, "", "none"},          {kStartText, "N", "none"},
        {kStartText, "!", "none"},         {kStartText, "--", "none"},
        {kStartText, "e", "none"},         {kStartText, "e44", "none"},
        {kStartText, "eee4", "none"},      {kCastling, "O-O", "e1g1"},
        {kCastling, "0-0", "e1g1"},        {kCastling, "0-0-0", "e1c1"},
        {kCastling, "O-O-O+!", "e1c1"},    {kCastling, "0-O", "none"},
        {kCastling, "Kg1", "none"},        {kPromotion, "e8=Q", "e7e8q"},
        {kPromotion, "e8Q", "e7e8q"},      {kPromotion, "e8=q+", "e7e8q"},
        {kPromotion, "e8(N)", "e7e8n"},    {kPromotion, "e8/R", "e7e8r"},
        {kPromotion, "exd8=B", "e7d8b"},   {kPromotion, "ed8B", "e7d8b"},
        {kPromotion, "e7xd8=R#", "e7d8r"}, {kPromotion, "e8", "none"},
        {kPromotion, "e8=K", "none"},      {kPromotion, "e8=", "none"},
        {kPromotion, "e8(Q", "none"},      {kPromotion, "e8Q)", "none"},
        {kPromotion, "Ke2=Q", "none"},     {kEnPassant, "dxe6", "d5e6"},
        {kEnPassant, "dxe6 e.p.", "d5e6"}, {kEnPassant, "dxe6e.p.", "d5e6"},
        {kEnPassant, "e6", "d5e6"},        {kEnPassant, "d6", "d5d6"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.fen);
        CAPTURE(c.text);
        CHECK(uci_of(c.fen, c.text) == c.expected);
    }
}

TEST_CASE("San: a text that two moves fit is refused") {
    // FIELD D13: two knights on the e-file reach c3.
    constexpr std::string_view kKnights = "4k3/8/8/8/4N3/8/4N3/K7 w - - 0 1";
    CHECK(uci_of(kKnights, "Nec3") == "none");
    CHECK(uci_of(kKnights, "Nc3") == "none");
    CHECK(uci_of(kKnights, "N4c3") == "e4c3");
    CHECK(san_of(kKnights, "e4c3") == "N4c3");
    constexpr std::string_view kQueens = "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1";
    CHECK(uci_of(kQueens, "Qhe1") == "none");
    CHECK(uci_of(kQueens, "Q4e1") == "none");
    CHECK(uci_of(kQueens, "Qh4e1") == "h4e1");
}
