// Reads one info line, without allocating: some programs write thousands a second, in each of many
// games. The words are looked up in a list with the most common first, and most words are moves,
// which no keyword looks like.
//
// A field whose value is missing or wrong is skipped with a warning, and the fields behind it still
// count. Of several lines with a score the one that is kept must say something about the best move:
// lines of a second variation are left out, and a bound does not replace an exact score of the same
// search (replaces()).
#include "adapters/uci/uci_info.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>

#include "base/text.h"

namespace assay::adapters {

namespace {

enum class Field : std::uint8_t {
    None,
    Depth,
    SelDepth,
    Time,
    Nodes,
    Pv,
    MultiPv,
    Score,
    CurrMove,
    CurrMoveNumber,
    HashFull,
    Nps,
    TbHits,
    SbHits,
    CpuLoad,
    String,
    Refutation,
    CurrLine,
    Wdl,
    Cp,
    Mate,
    LowerBound,
    UpperBound,
};

struct Keyword {
    std::string_view word;
    Field field;
};

// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is the table's
constexpr Keyword kKeywords[] = {
    {"depth", Field::Depth},
    {"seldepth", Field::SelDepth},
    {"time", Field::Time},
    {"nodes", Field::Nodes},
    {"pv", Field::Pv},
    {"multipv", Field::MultiPv},
    {"score", Field::Score},
    {"cp", Field::Cp},
    {"nps", Field::Nps},
    {"hashfull", Field::HashFull},
    {"tbhits", Field::TbHits},
    {"mate", Field::Mate},
    {"lowerbound", Field::LowerBound},
    {"upperbound", Field::UpperBound},
    {"currmove", Field::CurrMove},
    {"currmovenumber", Field::CurrMoveNumber},
    {"string", Field::String},
    {"wdl", Field::Wdl},
    {"cpuload", Field::CpuLoad},
    {"sbhits", Field::SbHits},
    {"refutation", Field::Refutation},
    {"currline", Field::CurrLine},
};

Field field_of(std::string_view word) {
    // A move is the common case, and no keyword has a digit.
    if (word.size() >= 4 && word[1] <= '9') return Field::None;
    for (const Keyword& keyword : kKeywords) {
        if (keyword.word == word) return keyword.field;
    }
    return Field::None;
}

// The word as a number, saturated; nullopt where it is none.
template <class Number>
std::optional<Number> saturated(std::string_view word) {
    Number value{};
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, value);
    if (stopped != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        return word.front() == '-' ? std::numeric_limits<Number>::min()
                                   : std::numeric_limits<Number>::max();
    }
    return value;
}

class InfoLine {
public:
    explicit InfoLine(std::string_view text) : text_(trim(text)), rest_(text_) {}

    InfoWarning read() {
        next();
        while (!word_.empty() && field_ != Field::String) read_field();
        return warning_;
    }

    void store(SearchInfo& info) const {
        if (multipv_.value_or(1) != 1) return;
        const bool is_kept = !score_ || replaces(*score_, info.score);
        const bool says_line = score_.has_value() || !pv_.empty();
        if (depth_ && is_kept && (says_line || !info.depth)) info.depth = depth_;
        if (seldepth_ && is_kept && (says_line || !info.seldepth)) info.seldepth = seldepth_;
        if (score_ && is_kept) info.score = score_;
        if (score_word_ != ScoreWord::Unsaid) info.score_word = score_word_;
        if (nodes_) info.nodes = nodes_;
        if (nps_) info.nps = nps_;
        if (tbhits_) info.tbhits = tbhits_;
        if (hashfull_) info.hashfull = hashfull_;
        if (time_) info.time = time_;
        if (!pv_.empty() && is_kept) info.pv.assign(pv_);
        if (says_line && (!pv_.empty() || info.moves_size == 0)) store_line(info);
    }

private:
    void store_line(SearchInfo& info) const {
        constexpr std::string_view kWord = "info ";
        info.line.assign(kWord).append(text_);
        info.line_score = score_;
        info.moves_size = pv_.size();
        info.moves_at =
            pv_.empty() ? 0 : kWord.size() + static_cast<std::size_t>(pv_.data() - text_.data());
    }

    void next() {
        word_ = take_word(rest_);
        field_ = field_of(word_);
    }

    void read_field() {
        const Field field = field_;
        field_word_ = word_;
        next();
        switch (field) {
            case Field::Depth:
                read_number(depth_);
                return;
            case Field::SelDepth:
                read_number(seldepth_);
                return;
            case Field::Nodes:
                read_number(nodes_);
                return;
            case Field::Nps:
                read_number(nps_);
                return;
            case Field::TbHits:
                read_number(tbhits_);
                return;
            case Field::HashFull:
                read_number(hashfull_);
                return;
            case Field::MultiPv:
                read_number(multipv_);
                return;
            case Field::Time:
                read_time();
                return;
            case Field::Score:
                read_score();
                return;
            case Field::Pv:
                read_pv();
                return;
            default:
                return;  // a field or word that is not ours: its values are skipped one by one
        }
    }

    void complain(std::string_view value) {
        if (warning_.field.empty()) warning_ = {field_word_, value};
    }

    template <class Number>
    void read_number(std::optional<Number>& into) {
        // Another field's name in place of the value: the value is missing, the field counts.
        if (word_.empty() || field_ != Field::None) return complain({});
        const auto value = saturated<Number>(word_);
        if (value) {
            into = value;
        } else {
            complain(word_);
        }
        next();
    }

    void read_time() {
        std::optional<std::int64_t> ms;
        read_number(ms);
        if (!ms) return;
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
        time_ = Micros(*ms > kMost / 1000 ? kMost : *ms < kLeast / 1000 ? kLeast : *ms * 1000);
    }

    void read_score() {
        Score score;
        std::optional<int> value;
        score_word_ = ScoreWord::Unreadable;
        if (field_ != Field::Cp && field_ != Field::Mate) {
            complain(field_ == Field::None ? word_ : std::string_view());
            return;
        }
        score.is_mate = field_ == Field::Mate;
        next();
        read_number(value);
        while (field_ == Field::LowerBound || field_ == Field::UpperBound) {
            score.bound = field_ == Field::LowerBound ? Score::Bound::Lower : Score::Bound::Upper;
            next();
        }
        if (!value) return;
        score.value = *value;
        score_ = score;
        score_word_ = ScoreWord::Read;
    }

    void read_pv() {
        const char* const begin = word_.data();
        const char* end = begin;
        while (!word_.empty() && field_ == Field::None) {
            end = word_.data() + word_.size();
            next();
        }
        if (end == begin) return complain({});
        pv_ = {begin, static_cast<std::size_t>(end - begin)};
    }

    std::string_view text_;
    std::string_view rest_;
    std::string_view word_;
    Field field_ = Field::None;  // of word_
    std::string_view field_word_;
    InfoWarning warning_;

    std::optional<int> depth_;
    std::optional<int> seldepth_;
    std::optional<int> hashfull_;
    std::optional<int> multipv_;
    std::optional<std::uint64_t> nodes_;
    std::optional<std::uint64_t> nps_;
    std::optional<std::uint64_t> tbhits_;
    std::optional<Micros> time_;
    std::optional<Score> score_;
    ScoreWord score_word_ = ScoreWord::Unsaid;
    std::string_view pv_;
};

}  // namespace

InfoWarning read_uci_info(std::string_view text, SearchInfo& info) {
    InfoLine line(text);
    const InfoWarning warning = line.read();
    line.store(info);
    return warning;
}

}  // namespace assay::adapters
