// Names of chess openings: a small table of well-known lines, of our own making. A game has the
// name of the last of its positions that ends a line here, however it came about, so that
// transpositions and games that begin from a position have names too.
//
// A code (ECO, "B90") stands for a family, and its name here for the family's usual main line.
#include <array>
#include <string_view>
#include <unordered_map>

#include "base/check.h"
#include "base/text.h"
#include "rules/chess/chess_game.h"

namespace assay::rules::chess {

namespace {

struct NamedLine {
    std::string_view code;
    std::string_view name;
    std::string_view moves;
};

// clang-format off
constexpr std::array kLines{
    NamedLine{"A00", "Grob Opening", "g4"},
    NamedLine{"A00", "Polish Opening", "b4"},
    NamedLine{"A00", "Hungarian Opening", "g3"},
    NamedLine{"A00", "Van Geet Opening", "Nc3"},
    NamedLine{"A00", "Van 't Kruijs Opening", "e3"},
    NamedLine{"A00", "Mieses Opening", "d3"},
    NamedLine{"A00", "Saragossa Opening", "c3"},
    NamedLine{"A00", "Anderssen Opening", "a3"},
    NamedLine{"A01", "Nimzo-Larsen Attack", "b3"},
    NamedLine{"A02", "Bird Opening", "f4"},
    NamedLine{"A02", "Bird Opening: From Gambit", "f4 e5"},
    NamedLine{"A03", "Bird Opening: Dutch Variation", "f4 d5"},
    NamedLine{"A04", "Reti Opening", "Nf3"},
    NamedLine{"A05", "Reti Opening: Knights Variation", "Nf3 Nf6"},
    NamedLine{"A06", "Reti Opening: Closed", "Nf3 d5"},
    NamedLine{"A07", "King's Indian Attack", "Nf3 d5 g3"},
    NamedLine{"A09", "Reti Opening: Advance", "Nf3 d5 c4"},
    NamedLine{"A10", "English Opening", "c4"},
    NamedLine{"A13", "English Opening: Agincourt Defense", "c4 e6"},
    NamedLine{"A15", "English Opening: Anglo-Indian Defense", "c4 Nf6"},
    NamedLine{"A20", "English Opening: King's English", "c4 e5"},
    NamedLine{"A22", "English Opening: King's English, Two Knights", "c4 e5 Nc3 Nf6"},
    NamedLine{"A28", "English Opening: Four Knights", "c4 e5 Nc3 Nf6 Nf3 Nc6"},
    NamedLine{"A30", "English Opening: Symmetrical", "c4 c5"},
    NamedLine{"A40", "Queen's Pawn Game", "d4"},
    NamedLine{"A41", "Queen's Pawn Game: Modern", "d4 d6"},
    NamedLine{"A43", "Benoni Defense: Old Benoni", "d4 c5"},
    NamedLine{"A45", "Indian Defense", "d4 Nf6"},
    NamedLine{"A45", "Trompowsky Attack", "d4 Nf6 Bg5"},
    NamedLine{"A46", "Indian Defense: Knights Variation", "d4 Nf6 Nf3"},
    NamedLine{"A48", "London System against the King's Indian", "d4 Nf6 Nf3 g6 Bf4"},
    NamedLine{"A50", "Indian Defense: Normal", "d4 Nf6 c4"},
    NamedLine{"A51", "Budapest Gambit", "d4 Nf6 c4 e5"},
    NamedLine{"A53", "Old Indian Defense", "d4 Nf6 c4 d6"},
    NamedLine{"A56", "Benoni Defense", "d4 Nf6 c4 c5"},
    NamedLine{"A57", "Benko Gambit", "d4 Nf6 c4 c5 d5 b5"},
    NamedLine{"A60", "Benoni Defense: Modern", "d4 Nf6 c4 c5 d5 e6"},
    NamedLine{"A80", "Dutch Defense", "d4 f5"},
    NamedLine{"A82", "Dutch Defense: Staunton Gambit", "d4 f5 e4"},
    NamedLine{"A87", "Dutch Defense: Leningrad", "d4 f5 c4 Nf6 g3 g6 Bg2 Bg7 Nf3"},
    NamedLine{"A90", "Dutch Defense: Classical", "d4 f5 c4 Nf6 g3 e6 Bg2"},
    NamedLine{"B00", "King's Pawn Game", "e4"},
    NamedLine{"B00", "Nimzowitsch Defense", "e4 Nc6"},
    NamedLine{"B00", "Owen Defense", "e4 b6"},
    NamedLine{"B01", "Scandinavian Defense", "e4 d5"},
    NamedLine{"B01", "Scandinavian Defense: Main Line", "e4 d5 exd5 Qxd5 Nc3 Qa5"},
    NamedLine{"B02", "Alekhine Defense", "e4 Nf6"},
    NamedLine{"B04", "Alekhine Defense: Modern", "e4 Nf6 e5 Nd5 d4 d6 Nf3"},
    NamedLine{"B06", "Modern Defense", "e4 g6"},
    NamedLine{"B07", "Pirc Defense", "e4 d6 d4 Nf6"},
    NamedLine{"B08", "Pirc Defense: Classical", "e4 d6 d4 Nf6 Nc3 g6 Nf3"},
    NamedLine{"B09", "Pirc Defense: Austrian Attack", "e4 d6 d4 Nf6 Nc3 g6 f4"},
    NamedLine{"B10", "Caro-Kann Defense", "e4 c6"},
    NamedLine{"B12", "Caro-Kann Defense: Advance", "e4 c6 d4 d5 e5"},
    NamedLine{"B13", "Caro-Kann Defense: Exchange", "e4 c6 d4 d5 exd5 cxd5"},
    NamedLine{"B14", "Caro-Kann Defense: Panov Attack", "e4 c6 d4 d5 exd5 cxd5 c4 Nf6 Nc3 e6"},
    NamedLine{"B15", "Caro-Kann Defense: Main Line", "e4 c6 d4 d5 Nc3"},
    NamedLine{"B17", "Caro-Kann Defense: Karpov", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nd7"},
    NamedLine{"B18", "Caro-Kann Defense: Classical", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5"},
    NamedLine{"B20", "Sicilian Defense", "e4 c5"},
    NamedLine{"B21", "Sicilian Defense: Smith-Morra Gambit", "e4 c5 d4 cxd4 c3"},
    NamedLine{"B22", "Sicilian Defense: Alapin", "e4 c5 c3"},
    NamedLine{"B23", "Sicilian Defense: Closed", "e4 c5 Nc3"},
    NamedLine{"B27", "Sicilian Defense: Open Systems", "e4 c5 Nf3"},
    NamedLine{"B30", "Sicilian Defense: Old Sicilian", "e4 c5 Nf3 Nc6"},
    NamedLine{"B31", "Sicilian Defense: Rossolimo, Fianchetto", "e4 c5 Nf3 Nc6 Bb5 g6"},
    NamedLine{"B32", "Sicilian Defense: Open, 2...Nc6", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4"},
    NamedLine{"B33", "Sicilian Defense: Sveshnikov", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5"},
    NamedLine{"B34", "Sicilian Defense: Accelerated Dragon", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 g6"},
    NamedLine{"B40", "Sicilian Defense: French Variation", "e4 c5 Nf3 e6"},
    NamedLine{"B41", "Sicilian Defense: Kan", "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6"},
    NamedLine{"B44", "Sicilian Defense: Taimanov", "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6"},
    NamedLine{"B50", "Sicilian Defense: Modern", "e4 c5 Nf3 d6"},
    NamedLine{"B51", "Sicilian Defense: Moscow", "e4 c5 Nf3 d6 Bb5+"},
    NamedLine{"B54", "Sicilian Defense: Open, 2...d6", "e4 c5 Nf3 d6 d4 cxd4 Nxd4"},
    NamedLine{"B56", "Sicilian Defense: Classical", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6"},
    NamedLine{"B60", "Sicilian Defense: Richter-Rauzer", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 Nc6 Bg5"},
    NamedLine{"B70", "Sicilian Defense: Dragon", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6"},
    NamedLine{"B76", "Sicilian Defense: Dragon, Yugoslav Attack", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3"},
    NamedLine{"B80", "Sicilian Defense: Scheveningen", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6"},
    NamedLine{"B81", "Sicilian Defense: Keres Attack", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 e6 g4"},
    NamedLine{"B90", "Sicilian Defense: Najdorf", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"},
    NamedLine{"B90", "Sicilian Defense: Najdorf, English Attack", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3"},
    NamedLine{"B92", "Sicilian Defense: Najdorf, Opocensky", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2"},
    NamedLine{"B94", "Sicilian Defense: Najdorf, 6.Bg5", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5"},
    NamedLine{"C00", "French Defense", "e4 e6"},
    NamedLine{"C01", "French Defense: Exchange", "e4 e6 d4 d5 exd5 exd5"},
    NamedLine{"C02", "French Defense: Advance", "e4 e6 d4 d5 e5"},
    NamedLine{"C03", "French Defense: Tarrasch", "e4 e6 d4 d5 Nd2"},
    NamedLine{"C10", "French Defense: Paulsen", "e4 e6 d4 d5 Nc3"},
    NamedLine{"C10", "French Defense: Rubinstein", "e4 e6 d4 d5 Nc3 dxe4"},
    NamedLine{"C11", "French Defense: Classical", "e4 e6 d4 d5 Nc3 Nf6"},
    NamedLine{"C11", "French Defense: Steinitz", "e4 e6 d4 d5 Nc3 Nf6 e5"},
    NamedLine{"C12", "French Defense: MacCutcheon", "e4 e6 d4 d5 Nc3 Nf6 Bg5 Bb4"},
    NamedLine{"C15", "French Defense: Winawer", "e4 e6 d4 d5 Nc3 Bb4"},
    NamedLine{"C20", "King's Pawn Game: Open", "e4 e5"},
    NamedLine{"C21", "Center Game", "e4 e5 d4 exd4"},
    NamedLine{"C21", "Danish Gambit", "e4 e5 d4 exd4 c3"},
    NamedLine{"C23", "Bishop's Opening", "e4 e5 Bc4"},
    NamedLine{"C25", "Vienna Game", "e4 e5 Nc3"},
    NamedLine{"C26", "Vienna Game: Falkbeer", "e4 e5 Nc3 Nf6"},
    NamedLine{"C29", "Vienna Gambit", "e4 e5 Nc3 Nf6 f4 d5"},
    NamedLine{"C30", "King's Gambit", "e4 e5 f4"},
    NamedLine{"C31", "King's Gambit Declined: Falkbeer Countergambit", "e4 e5 f4 d5"},
    NamedLine{"C33", "King's Gambit Accepted", "e4 e5 f4 exf4"},
    NamedLine{"C34", "King's Gambit Accepted: King's Knight", "e4 e5 f4 exf4 Nf3"},
    NamedLine{"C40", "King's Knight Opening", "e4 e5 Nf3"},
    NamedLine{"C40", "Latvian Gambit", "e4 e5 Nf3 f5"},
    NamedLine{"C40", "Elephant Gambit", "e4 e5 Nf3 d5"},
    NamedLine{"C41", "Philidor Defense", "e4 e5 Nf3 d6"},
    NamedLine{"C42", "Petrov Defense", "e4 e5 Nf3 Nf6"},
    NamedLine{"C43", "Petrov Defense: Steinitz Attack", "e4 e5 Nf3 Nf6 d4"},
    NamedLine{"C44", "King's Knight Opening: Normal", "e4 e5 Nf3 Nc6"},
    NamedLine{"C44", "Ponziani Opening", "e4 e5 Nf3 Nc6 c3"},
    NamedLine{"C44", "Scotch Game", "e4 e5 Nf3 Nc6 d4"},
    NamedLine{"C44", "Scotch Gambit", "e4 e5 Nf3 Nc6 d4 exd4 Bc4"},
    NamedLine{"C45", "Scotch Game: Main Line", "e4 e5 Nf3 Nc6 d4 exd4 Nxd4"},
    NamedLine{"C46", "Three Knights Opening", "e4 e5 Nf3 Nc6 Nc3"},
    NamedLine{"C47", "Four Knights Game", "e4 e5 Nf3 Nc6 Nc3 Nf6"},
    NamedLine{"C48", "Four Knights Game: Spanish", "e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5"},
    NamedLine{"C50", "Italian Game", "e4 e5 Nf3 Nc6 Bc4"},
    NamedLine{"C50", "Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5"},
    NamedLine{"C51", "Evans Gambit", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4"},
    NamedLine{"C53", "Giuoco Piano: 4.c3", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3"},
    NamedLine{"C54", "Giuoco Pianissimo", "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3"},
    NamedLine{"C55", "Two Knights Defense", "e4 e5 Nf3 Nc6 Bc4 Nf6"},
    NamedLine{"C57", "Two Knights Defense: Knight Attack", "e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5"},
    NamedLine{"C60", "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5"},
    NamedLine{"C61", "Ruy Lopez: Bird Defense", "e4 e5 Nf3 Nc6 Bb5 Nd4"},
    NamedLine{"C62", "Ruy Lopez: Steinitz Defense", "e4 e5 Nf3 Nc6 Bb5 d6"},
    NamedLine{"C63", "Ruy Lopez: Schliemann Defense", "e4 e5 Nf3 Nc6 Bb5 f5"},
    NamedLine{"C64", "Ruy Lopez: Classical Defense", "e4 e5 Nf3 Nc6 Bb5 Bc5"},
    NamedLine{"C65", "Ruy Lopez: Berlin Defense", "e4 e5 Nf3 Nc6 Bb5 Nf6"},
    NamedLine{"C67", "Ruy Lopez: Berlin Defense, Open", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4"},
    NamedLine{"C68", "Ruy Lopez: Exchange", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6"},
    NamedLine{"C70", "Ruy Lopez: Morphy Defense", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"},
    NamedLine{"C77", "Ruy Lopez: Morphy Defense, 4...Nf6", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6"},
    NamedLine{"C80", "Ruy Lopez: Open", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4"},
    NamedLine{"C84", "Ruy Lopez: Closed", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"},
    NamedLine{"C89", "Ruy Lopez: Marshall Attack", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5"},
    NamedLine{"C92", "Ruy Lopez: Closed, 9.h3", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3"},
    NamedLine{"D00", "Queen's Pawn Game: Closed", "d4 d5"},
    NamedLine{"D00", "Queen's Pawn Game: London System", "d4 d5 Bf4"},
    NamedLine{"D00", "Blackmar-Diemer Gambit", "d4 d5 e4"},
    NamedLine{"D01", "Richter-Veresov Attack", "d4 d5 Nc3 Nf6 Bg5"},
    NamedLine{"D02", "Queen's Pawn Game: Zukertort", "d4 d5 Nf3"},
    NamedLine{"D04", "Colle System", "d4 d5 Nf3 Nf6 e3"},
    NamedLine{"D06", "Queen's Gambit", "d4 d5 c4"},
    NamedLine{"D07", "Chigorin Defense", "d4 d5 c4 Nc6"},
    NamedLine{"D08", "Albin Countergambit", "d4 d5 c4 e5"},
    NamedLine{"D10", "Slav Defense", "d4 d5 c4 c6"},
    NamedLine{"D13", "Slav Defense: Exchange", "d4 d5 c4 c6 cxd5 cxd5 Nf3"},
    NamedLine{"D15", "Slav Defense: Three Knights", "d4 d5 c4 c6 Nf3 Nf6 Nc3"},
    NamedLine{"D17", "Slav Defense: Czech Variation", "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5"},
    NamedLine{"D20", "Queen's Gambit Accepted", "d4 d5 c4 dxc4"},
    NamedLine{"D30", "Queen's Gambit Declined", "d4 d5 c4 e6"},
    NamedLine{"D32", "Tarrasch Defense", "d4 d5 c4 e6 Nc3 c5"},
    NamedLine{"D35", "Queen's Gambit Declined: Exchange", "d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5"},
    NamedLine{"D37", "Queen's Gambit Declined: Three Knights", "d4 d5 c4 e6 Nc3 Nf6 Nf3"},
    NamedLine{"D38", "Queen's Gambit Declined: Ragozin", "d4 d5 c4 e6 Nc3 Nf6 Nf3 Bb4"},
    NamedLine{"D43", "Semi-Slav Defense", "d4 d5 c4 e6 Nc3 Nf6 Nf3 c6"},
    NamedLine{"D45", "Semi-Slav Defense: Main Line", "d4 d5 c4 e6 Nc3 Nf6 Nf3 c6 e3 Nbd7"},
    NamedLine{"D50", "Queen's Gambit Declined: 4.Bg5", "d4 d5 c4 e6 Nc3 Nf6 Bg5"},
    NamedLine{"D58", "Queen's Gambit Declined: Tartakower", "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 h6 Bh4 b6"},
    NamedLine{"D70", "Neo-Gruenfeld Defense", "d4 Nf6 c4 g6 g3 d5"},
    NamedLine{"D80", "Gruenfeld Defense", "d4 Nf6 c4 g6 Nc3 d5"},
    NamedLine{"D85", "Gruenfeld Defense: Exchange", "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5"},
    NamedLine{"D97", "Gruenfeld Defense: Russian", "d4 Nf6 c4 g6 Nc3 d5 Nf3 Bg7 Qb3 dxc4 Qxc4 O-O e4"},
    NamedLine{"E00", "Catalan Opening", "d4 Nf6 c4 e6 g3"},
    NamedLine{"E01", "Catalan Opening: Closed", "d4 Nf6 c4 e6 g3 d5 Bg2"},
    NamedLine{"E04", "Catalan Opening: Open", "d4 Nf6 c4 e6 g3 d5 Bg2 dxc4 Nf3"},
    NamedLine{"E10", "Indian Defense: Anti-Nimzo-Indian", "d4 Nf6 c4 e6 Nf3"},
    NamedLine{"E11", "Bogo-Indian Defense", "d4 Nf6 c4 e6 Nf3 Bb4+"},
    NamedLine{"E12", "Queen's Indian Defense", "d4 Nf6 c4 e6 Nf3 b6"},
    NamedLine{"E15", "Queen's Indian Defense: Fianchetto", "d4 Nf6 c4 e6 Nf3 b6 g3"},
    NamedLine{"E20", "Nimzo-Indian Defense", "d4 Nf6 c4 e6 Nc3 Bb4"},
    NamedLine{"E32", "Nimzo-Indian Defense: Classical", "d4 Nf6 c4 e6 Nc3 Bb4 Qc2"},
    NamedLine{"E40", "Nimzo-Indian Defense: Normal", "d4 Nf6 c4 e6 Nc3 Bb4 e3"},
    NamedLine{"E60", "King's Indian Defense", "d4 Nf6 c4 g6"},
    NamedLine{"E61", "King's Indian Defense: 3.Nc3", "d4 Nf6 c4 g6 Nc3"},
    NamedLine{"E62", "King's Indian Defense: Fianchetto", "d4 Nf6 c4 g6 Nc3 Bg7 Nf3 d6 g3"},
    NamedLine{"E70", "King's Indian Defense: Normal", "d4 Nf6 c4 g6 Nc3 Bg7 e4"},
    NamedLine{"E76", "King's Indian Defense: Four Pawns Attack", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f4"},
    NamedLine{"E80", "King's Indian Defense: Saemisch", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 f3"},
    NamedLine{"E90", "King's Indian Defense: Classical", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3"},
    NamedLine{"E97", "King's Indian Defense: Mar del Plata", "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6"},
};
// clang-format on

using NamesByHash = std::unordered_map<std::uint64_t, OpeningName>;

NamesByHash names_by_hash() {
    NamesByHash names;
    const ChessGame game(Variant::Standard);
    for (const NamedLine& line : kLines) {
        const auto position = game.start();
        for (const std::string_view name : split_words(line.moves)) {
            const auto move = position->move_of(name, Notation::Text);
            ASSAY_CHECK(move.has_value());
            position->make(*move);
        }
        names[position->hash()] = {line.code, line.name};
    }
    return names;
}

}  // namespace

std::optional<OpeningName> ChessGame::opening_name(const Position& position) const {
    if (variant_ != Variant::Standard) return std::nullopt;
    static const NamesByHash names = names_by_hash();
    const auto found = names.find(position.hash());
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace assay::rules::chess
