// One pass over the bytes with a table of classes; comments and lines are found with memchr. The
// grammar is the import format of the PGN standard (Edwards 1994, sections 5 to 8 and 18), with
// what real files need: recovery from a comment or variation that is never closed at the next tag
// that stands at the start of a line, and games that end without a result.
//
// Reading is written once for two callers. A scan for offsets needs only where each game begins and
// ends (skip()), at the speed at which the file is read; a reading of one game needs tags and
// moves. The difference is a template parameter, so that the scan has none of the branches.
#include "openings/read/pgn_reader.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace assay::openings {

namespace {

constexpr std::size_t kMostFaults = 20;  // a game; further ones are stepped over unsaid
constexpr std::string_view kNextGame = "\n[Event ";

enum class Class : std::uint8_t { Word, Blank, Special };

constexpr std::array<Class, 256> make_classes() {
    std::array<Class, 256> classes{};
    for (std::size_t c = 0; c <= 0x20; ++c) classes[c] = Class::Blank;
    for (const char c : {'{', '}', '(', ')', '[', ']', ';', '$'}) {
        classes[static_cast<unsigned char>(c)] = Class::Special;
    }
    return classes;
}

constexpr std::array<Class, 256> kClasses = make_classes();

Class class_of(char c) {
    return kClasses[static_cast<unsigned char>(c)];
}

/// Without white space of all kinds at its ends: also the wide blanks of Unicode and the byte order
/// mark, which get into a tag where its value was pasted.
std::string_view trim_all(std::string_view text) {
    constexpr std::array<std::string_view, 5> kWide{"\xc2\xa0", "\xe2\x80\x83", "\xe2\x80\xaf",
                                                    "\xe3\x80\x80", "\xef\xbb\xbf"};
    std::size_t size = 0;
    do {
        size = text.size();
        text = trim(text);
        for (const std::string_view wide : kWide) {
            if (text.starts_with(wide)) text.remove_prefix(wide.size());
            if (text.ends_with(wide)) text.remove_suffix(wide.size());
        }
    } while (text.size() != size);
    return text;
}

bool is_result(std::string_view word) {
    // Most words are moves: told by their first letter.
    switch (word.empty() ? '\0' : word.front()) {
        case '*':
            return word.size() == 1;
        case '0':
            return word == "0-1";
        case '1':
            return word == "1-0" || word == "1/2-1/2" || word == "1/2";
        default:
            return false;
    }
}

struct CommentEnd {
    std::size_t at = 0;  // its brace; if it has none, where reading goes on
    bool is_closed = false;
};

/// Of a comment whose text begins at `from`. Looks no farther than twice the way to the brace or to
/// the next game, so that a file full of comments that are never closed is still read in linear
/// time.
CommentEnd comment_end(std::string_view text, std::size_t from) {
    std::size_t reach = 512;
    while (true) {
        const std::string_view inside = text.substr(from, reach);
        const std::size_t brace = inside.find('}');
        const std::size_t game = inside.substr(0, brace).find(kNextGame);
        if (game != std::string_view::npos) return {from + game + 1, false};
        if (brace != std::string_view::npos) return {from + brace, true};
        if (inside.size() < reach) return {text.size(), false};
        reach *= 2;
    }
}

}  // namespace

const std::string_view* PgnGame::tag(std::string_view name) const {
    for (const PgnTag& each : tags) {
        if (each.name == name) return &each.value;
    }
    return nullptr;
}

PgnReader::PgnReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
}

bool PgnReader::next(PgnGame& game) {
    return read<true>(game);
}

bool PgnReader::skip(PgnGame& game) {
    return read<false>(game);
}

template <bool kCollect>
bool PgnReader::read(PgnGame& game) {
    game.tags.clear();
    game.moves.clear();
    game.faults.clear();
    game.result = {};
    game.is_complete = false;
    in_game_ = false;
    in_moves_ = false;
    while (at_ < text_.size()) {
        if (movetext<kCollect>(game) == Step::GameOver) {
            // A word that touches the end might go on in text that is yet to come.
            game.is_complete = at_ < text_.size();
            game.end = at_;
            return true;
        }
    }
    game.end = text_.size();
    return in_game_;
}

template <bool kCollect>
PgnReader::Step PgnReader::movetext(PgnGame& game) {
    skip_blanks();
    if (at_ == text_.size()) return Step::Going;
    const char c = text_[at_];
    switch (c) {
        case '[':
            // The result is missing: the next game's tags end this one.
            if (in_moves_ && at_tag_section()) return Step::GameOver;
            open(game, at_);
            tag<kCollect>(game);
            return Step::Going;
        case '{':
            comment<kCollect>(game);
            return Step::Going;
        case '(':
            return variation<kCollect>(game);
        case ';':
            skip_line();
            return Step::Going;
        case '$':
            ++at_;
            while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
            return Step::Going;
        case ')':
        case '}':
        case ']':
            fault<kCollect>(game, at_, "this closes nothing");
            ++at_;
            return Step::Going;
        case '%':
            if (at_line_start(at_)) {
                skip_line();
                return Step::Going;
            }
            break;
        default:
            break;
    }
    return word<kCollect>(game);
}

template <bool kCollect>
PgnReader::Step PgnReader::word(PgnGame& game) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && class_of(text_[at_]) == Class::Word) ++at_;
    std::string_view word = text_.substr(begin, at_ - begin);
    if (is_result(word)) {
        open(game, begin);
        if constexpr (kCollect) {
            game.result = word;
            game.result_offset = begin;
        }
        return Step::GameOver;
    }
    // A move number, alone or before its move: "12", "12.", "12...", "12.e4".
    std::size_t number = 0;
    while (number < word.size() && is_digit(word[number])) ++number;
    if (number == word.size()) {
        open(game, begin);
        in_moves_ = true;
        return Step::Going;
    }
    std::size_t skipped = word[number] == '.' ? number : 0;
    while (skipped < word.size() && word[skipped] == '.') ++skipped;
    word.remove_prefix(skipped);
    while (!word.empty() && (word.back() == '!' || word.back() == '?')) word.remove_suffix(1);
    if (is_result(word)) {
        open(game, begin);
        at_ = begin + skipped + word.size();
        if constexpr (kCollect) {
            game.result = word;
            game.result_offset = begin + skipped;
        }
        return Step::GameOver;
    }
    // Signs such as +- or = judge the position; "--" is a null move, and "e.p." belongs to its
    // move. A game never begins with a sign, or a '%' inside a line would be an escape to who reads
    // from there.
    const bool is_move = !word.empty() && (is_letter(word.front()) || is_digit(word.front()) ||
                                           word.front() == '@' || word == "--");
    if (!is_move && number == 0) return Step::Going;
    open(game, begin);
    in_moves_ = true;
    if constexpr (kCollect) {
        if (is_move && word != "e.p.") game.moves.push_back({word, {}, begin + skipped});
    }
    return Step::Going;
}

template <bool kCollect>
void PgnReader::tag(PgnGame& game) {
    const std::size_t begin = at_++;
    skip_blanks();
    const std::size_t name = at_;
    while (at_ < text_.size() && class_of(text_[at_]) == Class::Word && text_[at_] != '"') ++at_;
    const std::string_view name_text = text_.substr(name, at_ - name);
    skip_blanks();
    if (name_text.empty() || at_ == text_.size() || text_[at_] != '"') {
        fault<kCollect>(game, begin, "expected a tag: [Name \"value\"]");
        at_ = begin;
        skip_line();
        return;
    }
    const std::size_t value = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
        at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2U : 1U;
    }
    if (at_ >= text_.size() || text_[at_] != '"') {
        fault<kCollect>(game, value - 1, "this quote is never closed");
        at_ = value;
        skip_line();
        return;
    }
    if constexpr (kCollect)
        game.tags.push_back({name_text, trim_all(text_.substr(value, at_ - value)), begin});
    ++at_;
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (at_ < text_.size() && text_[at_] == ']') {
        ++at_;
    } else {
        fault<kCollect>(game, begin, "this tag is never closed");
        skip_line();
    }
}

template <bool kCollect>
void PgnReader::comment(PgnGame& game) {
    const std::size_t begin = at_ + 1;
    const CommentEnd end = comment_end(text_, begin);
    if (!end.is_closed) {
        fault<kCollect>(game, at_, "this comment is never closed");
        at_ = end.at;
        return;
    }
    if constexpr (kCollect) {
        if (!game.moves.empty()) game.moves.back().comment = text_.substr(begin, end.at - begin);
    }
    at_ = end.at + 1;
}

template <bool kCollect>
PgnReader::Step PgnReader::variation(PgnGame& game) {
    open(game, at_);
    in_moves_ = true;
    const std::size_t begin = at_;
    std::size_t depth = 0;
    while (at_ < text_.size()) {
        switch (text_[at_]) {
            case '(':
                ++depth;
                break;
            case ')':
                if (--depth == 0) {
                    ++at_;
                    return Step::Going;
                }
                break;
            case '{': {
                const CommentEnd end = comment_end(text_, at_ + 1);
                at_ = end.at;
                if (!end.is_closed) continue;
                break;
            }
            case ';':
                skip_line();
                continue;
            case '[':
                if (!at_tag_section()) break;
                fault<kCollect>(game, begin, "this variation is never closed");
                return Step::GameOver;
            default:
                break;
        }
        ++at_;
    }
    fault<kCollect>(game, begin, "this variation is never closed");
    return Step::Going;
}

template <bool kCollect>
void PgnReader::fault(PgnGame& game, std::size_t offset, const char* message) {
    if constexpr (kCollect) {
        if (game.faults.size() < kMostFaults) game.faults.push_back({offset, message});
    } else {
        (void)game;
        (void)offset;
        (void)message;
    }
}

void PgnReader::open(PgnGame& game, std::size_t begin) {
    if (in_game_) return;
    in_game_ = true;
    game.begin = begin;
}

void PgnReader::skip_blanks() {
    while (at_ < text_.size() && class_of(text_[at_]) == Class::Blank) ++at_;
}

void PgnReader::skip_line() {
    const std::size_t newline = text_.find('\n', at_);
    at_ = newline == std::string_view::npos ? text_.size() : newline + 1;
}

bool PgnReader::at_line_start(std::size_t offset) const {
    return offset == 0 || text_[offset - 1] == '\n' || text_[offset - 1] == '\r';
}

bool PgnReader::at_tag_section() const {
    return at_line_start(at_) && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]);
}

std::string unescape_tag(std::string_view value) {
    std::string out;
    out.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) ++i;
        out += value[i];
    }
    return out;
}

namespace {

std::optional<int> half_points_of(std::string_view result) {
    if (result == "1-0") return 2;
    if (result == "0-1") return 0;
    if (result == "1/2-1/2" || result == "1/2") return 1;
    return std::nullopt;
}

/// FEN and book moves; empty: the PGN does not say.
std::string opening_of(const PgnGame& game) {
    std::string key;
    if (const std::string_view* const fen = game.tag("FEN")) key = *fen;
    for (const PgnMove& move : game.moves) {
        if (!trim(move.comment).starts_with("book")) break;
        key += ' ';
        key += move.san;
    }
    return key;
}

/// N of a round that is written as N.M, else empty.
std::string round_of(const PgnGame& game) {
    const std::string_view* const round = game.tag("Round");
    if (round == nullptr) return "";
    const std::size_t dot = round->find('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == round->size()) return "";
    return std::string(round->substr(0, dot));
}

}  // namespace

std::optional<PgnResult> result_of(const PgnGame& game) {
    const std::string_view* const white = game.tag("White");
    const std::string_view* const black = game.tag("Black");
    const std::string_view* const tag = game.tag("Result");
    const std::optional<int> written = half_points_of(game.result);
    std::optional<int> half_points = tag != nullptr ? half_points_of(*tag) : std::nullopt;
    const bool is_contradiction = half_points && written && *half_points != *written;
    if (!half_points) half_points = written;
    if (white == nullptr || black == nullptr || *white == *black || !half_points)
        return std::nullopt;
    return PgnResult{unescape_tag(*white), unescape_tag(*black),
                     *half_points,         opening_of(game),
                     round_of(game),       is_contradiction ? game.result : std::string_view()};
}

}  // namespace assay::openings
