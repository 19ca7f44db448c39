#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::openings {

struct PgnTag {
    std::string_view name;
    std::string_view value;  // between the quotes, without blanks at its ends; see unescape_tag()
    std::size_t offset = 0;  // of the '['
};

struct PgnMove {
    std::string_view san;      // without number, NAG and the suffixes ! and ?; not checked
    std::string_view comment;  // the last comment in braces behind it, without them; or empty
    std::size_t offset = 0;    // of the SAN
};

/// A piece of text that is not PGN. The reader has skipped it.
struct PgnFault {
    std::size_t offset = 0;
    std::string message;
};

/// One game as it stands in the text. Views into the reader's text; reused by next().
struct PgnGame {
    std::size_t begin = 0;  // of the first tag or move
    std::size_t end = 0;    // behind the result, or where the next game begins
    /// False where the text ended before the game did, so that more text could belong to it.
    bool is_complete = false;
    std::vector<PgnTag> tags;
    std::vector<PgnMove> moves;  // the main line
    std::string_view result;     // "1-0", "0-1", "1/2-1/2", "1/2", "*", or empty: none written
    std::size_t result_offset = 0;
    std::vector<PgnFault> faults;

    /// The raw value of the first tag of that name (case matters), or null.
    [[nodiscard]] const std::string_view* tag(std::string_view name) const;
};

/// Reads PGN (import format of the 1994 standard) game by game out of a text in memory. Comments,
/// variations, NAGs, escape lines and a byte order mark are stepped over; CR LF and LF are alike;
/// bytes of any encoding pass in tags and comments. It knows no rules: moves are words. It never
/// fails: what it cannot read becomes a fault, and it goes on at the next word, line or game.
/// Linear in the text. One thread at a time.
class PgnReader {
public:
    /// The text must outlive the reader and what next() gives.
    explicit PgnReader(std::string_view text);

    /// The next game, or false at the end of the text (blanks and comments alone are no game).
    [[nodiscard]] bool next(PgnGame& game);

    /// As next(), with only begin, end and is_complete set: for counting and indexing.
    [[nodiscard]] bool skip(PgnGame& game);

private:
    enum class Step { Going, GameOver };

    template <bool kCollect>
    bool read(PgnGame& game);
    template <bool kCollect>
    Step movetext(PgnGame& game);
    template <bool kCollect>
    Step word(PgnGame& game);
    template <bool kCollect>
    void tag(PgnGame& game);
    template <bool kCollect>
    void comment(PgnGame& game);
    template <bool kCollect>
    Step variation(PgnGame& game);
    template <bool kCollect>
    void fault(PgnGame& game, std::size_t offset, const char* message);

    void open(PgnGame& game, std::size_t begin);
    void skip_blanks();
    void skip_line();
    [[nodiscard]] bool at_line_start(std::size_t offset) const;
    [[nodiscard]] bool at_tag_section() const;

    std::string_view text_;
    std::size_t at_ = 0;
    bool in_game_ = false;
    bool in_moves_ = false;
};

/// The value with \" and \\ resolved.
[[nodiscard]] std::string unescape_tag(std::string_view value);

/// Who played a game of a PGN, how it ended, and what it can be paired by.
struct PgnResult {
    std::string first;  // had the first move
    std::string second;
    int half_points = 0;  // of the first
    std::string opening;  // FEN and moves marked as book; empty: the PGN does not say
    std::string round;    // N of a round that is written as N.M, else empty
    /// The word behind the moves where it contradicts the Result tag, which counts; else empty.
    std::string_view contradiction;
};

/// Nullopt for a game without a result or without two names.
[[nodiscard]] std::optional<PgnResult> result_of(const PgnGame& game);

}  // namespace assay::openings
