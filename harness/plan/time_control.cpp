// Time controls as people write them. Two forms: a clock as tournaments announce it (40/60+0.5,
// 20/30; periods, moves, increments), and words with values for the rest (nodes 20k, main 600
// byoyomi 30). Times have several spellings (8, 0.5, 1:30, 100ms, 1h30m) and one meaning each: a
// bare number is seconds, where a bare number is allowed.
//
// All arithmetic is in whole microseconds and checked before it can overflow: two configs that say
// the same time give the same plan, byte for byte, on every machine, because a run is found again
// by the hash of its plan. to_text() writes a form that parse_time_control() reads again.
#include "harness/plan/time_control.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::harness {

namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kMostMicros = 1'000'000LL * 3600 * kMicrosPerSecond;
constexpr int kMostMoves = 1'000'000;
constexpr std::size_t kMostPeriods = 100;

struct Unit {
    std::string_view name;
    std::int64_t micros;
};

constexpr std::array<Unit, 8> kUnits{{
    {"us", 1},
    {"ms", 1'000},
    {"s", kMicrosPerSecond},
    {"sec", kMicrosPerSecond},
    {"m", 60 * kMicrosPerSecond},
    {"min", 60 * kMicrosPerSecond},
    {"h", 3600 * kMicrosPerSecond},
    {"hour", 3600 * kMicrosPerSecond},
}};

/// Takes `digits[.digits]` off the front of `text` as a multiple of `unit`, rounded to the nearest
/// microsecond. Integer arithmetic: 0.1 s is 100,000 microseconds on every machine.
std::optional<std::int64_t> scaled(std::string_view number, std::int64_t unit) {
    const std::size_t point = number.find('.');
    const std::string_view whole = number.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view() : number.substr(point + 1);
    if (whole.empty() && fraction.empty()) return std::nullopt;

    std::int64_t value = 0;
    for (const char c : whole) {
        if (!is_digit(c)) return std::nullopt;
        value = value * 10 + (c - '0');
        if (value > kMostMicros) return std::nullopt;
    }
    if (value > kMostMicros / unit) return std::nullopt;
    value *= unit;

    // Nine digits keep part * unit below 2^63; what they cut off is far below a microsecond.
    constexpr std::size_t kDigits = 9;
    std::int64_t part = 0;
    std::int64_t scale = 1;
    for (std::size_t i = 0; i < fraction.size(); ++i) {
        if (!is_digit(fraction[i])) return std::nullopt;
        if (i >= kDigits) continue;
        part = part * 10 + (fraction[i] - '0');
        scale *= 10;
    }
    value += (part * unit + scale / 2) / scale;
    if (value > kMostMicros) return std::nullopt;
    return value;
}

/// `1:30`, `1:30:00.5`: two or three numbers; all but the first are below 60.
std::optional<std::int64_t> colon_time(std::string_view text) {
    std::int64_t total = 0;
    int fields = 0;
    while (true) {
        const std::size_t colon = text.find(':');
        const bool is_last = colon == std::string_view::npos;
        const std::string_view field = text.substr(0, colon);
        if (field.empty() || !is_digit(field[0])) return std::nullopt;
        if (!is_last && field.find('.') != std::string_view::npos) return std::nullopt;
        const auto value = scaled(field, kMicrosPerSecond);
        if (!value || (fields > 0 && *value >= 60 * kMicrosPerSecond)) return std::nullopt;
        if (total > kMostMicros / 60) return std::nullopt;
        total = total * 60 + *value;
        ++fields;
        if (is_last) break;
        text.remove_prefix(colon + 1);
    }
    if (fields < 2 || fields > 3 || total > kMostMicros) return std::nullopt;
    return total;
}

/// `100ms`, `1h30m`: numbers with units, each unit smaller than the one before.
std::optional<std::int64_t> unit_time(std::string_view text) {
    std::int64_t total = 0;
    std::int64_t previous = kMostMicros;
    while (!text.empty()) {
        const std::size_t digits = text.find_first_not_of("0123456789.");
        if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
        const std::string_view number = text.substr(0, digits);
        text.remove_prefix(digits);
        if (text.front() == ' ') text.remove_prefix(1);
        const std::string_view name = text.substr(0, text.find_first_of("0123456789. "));
        const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) {
            return equal_ignoring_case(u.name, name);
        });
        // "30m1h" is rather a slip than a time.
        if (unit == kUnits.end() || unit->micros >= previous) return std::nullopt;
        previous = unit->micros;
        text.remove_prefix(name.size());
        if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
        const auto value = scaled(number, unit->micros);
        if (!value) return std::nullopt;
        total += *value;
        if (total > kMostMicros) return std::nullopt;
    }
    return total;
}

std::string not_a_time(std::string_view text) {
    return fmt::format(
        "expected a time such as 8, 0.5, 1:30, 1:30:00, 100ms or 2min, at most 1000000 hours, "
        "found '{}'",
        text);
}

/// One `[moves/]time[+increment]`.
std::optional<Period> parse_period(std::string_view text, std::string& why) {
    Period period;
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
        const std::string_view moves = trim(text.substr(0, slash));
        period.moves = to_number<int>(moves).value_or(0);
        if (period.moves < 1 || period.moves > kMostMoves) {
            why = fmt::format("expected a number of moves from 1 to {} before '/', found '{}'",
                              kMostMoves, moves);
            return std::nullopt;
        }
        text.remove_prefix(slash + 1);
    }
    const std::size_t plus = text.find('+');
    const std::string_view time = trim(text.substr(0, plus));
    const auto main = parse_duration(time, true);
    if (!main) {
        why = not_a_time(time);
        if (time.find('/') != std::string_view::npos)
            why += "; periods are separated by commas, as in 40/60, 20/30";
        return std::nullopt;
    }
    period.time = *main;
    if (plus == std::string_view::npos) return period;
    const std::string_view more = trim(text.substr(plus + 1));
    const auto increment = parse_duration(more, true);
    if (!increment) {
        why = not_a_time(more);
        return std::nullopt;
    }
    period.increment = *increment;
    return period;
}

std::optional<TimeControl> parse_periods(std::string_view text, std::string& why) {
    TimeControl control;
    while (true) {
        const std::size_t comma = text.find(',');
        const auto period = parse_period(trim(text.substr(0, comma)), why);
        if (!period) return std::nullopt;
        if (period->time.count() == 0 && period->increment.count() == 0) {
            why = "a clock without time and increment allows no move";
            return std::nullopt;
        }
        control.periods.push_back(*period);
        if (control.periods.size() > kMostPeriods) {
            why = fmt::format("more than {} periods", kMostPeriods);
            return std::nullopt;
        }
        if (comma == std::string_view::npos) return control;
        if (period->moves == 0) {
            why = "only the last period may be without a number of moves";
            return std::nullopt;
        }
        text.remove_prefix(comma + 1);
    }
}

/// Takes clock words in any order and finds out which kind they make.
class WordReader {
public:
    WordReader(std::span<const ClockWord> words, std::size_t& wrong, std::string& why)
        : words_(words), wrong_(wrong), why_(why) {}

    std::optional<TimeControl> read() {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            at_ = i;
            if (!take(words_[i].first, words_[i].second)) {
                wrong_ = i;
                return std::nullopt;
            }
        }
        return finish();
    }

private:
    using Kind = TimeControl::Kind;

    bool take(std::string_view word, std::string_view value) {
        for (std::size_t i = 0; i < at_; ++i)
            if (words_[i].first == word) return fail(fmt::format("'{}' stands twice", word));
        if (word == "move") return time(value, control_.move_time) && set_kind(Kind::MoveTime);
        if (word == "hourglass") return time(value, control_.main) && set_kind(Kind::Hourglass);
        if (word == "main") {
            has_main_ = true;
            return time_or_zero(value, control_.main);
        }
        if (word == "byoyomi") return time(value, control_.byoyomi) && set_kind(Kind::Byoyomi);
        if (word == "nodes") return nodes(value) && set_kind(Kind::Nodes);
        if (word == "depth") return whole(value, 1, 1000, control_.depth) && set_kind(Kind::Depth);
        if (word == "periods") return whole(value, 1, 1000, periods_);
        if (word == "stones") return whole(value, 1, 1000, control_.stones);
        if (word == "infinite") {
            if (value != "true" && !time(value, control_.wall_limit)) return false;
            return set_kind(Kind::Infinite);
        }
        return fail(fmt::format("unknown word '{}'{}", word, did_you_mean(word, kClockWords)));
    }

    bool fail(std::string why) {
        why_ = std::move(why);
        return false;
    }

    bool set_kind(Kind kind) {
        if (has_kind_)
            return fail(fmt::format("'{}' and '{}' exclude each other", words_[kind_at_].first,
                                    words_[at_].first));
        has_kind_ = true;
        kind_at_ = at_;
        control_.kind = kind;
        return true;
    }

    bool time_or_zero(std::string_view value, Micros& out) {
        const auto read = parse_duration(value, true);
        if (!read) return fail(not_a_time(value));
        out = *read;
        return true;
    }

    bool time(std::string_view value, Micros& out) {
        if (!time_or_zero(value, out)) return false;
        return out.count() > 0 || fail("expected a time above 0");
    }

    bool whole(std::string_view value, int least, int most, int& out) {
        const auto read = to_number<int>(value);
        if (!read || *read < least || *read > most)
            return fail(fmt::format("expected a whole number from {} to {}, found '{}'", least,
                                    most, value));
        out = *read;
        return true;
    }

    bool nodes(std::string_view value) {
        constexpr std::uint64_t kMostNodes = 1'000'000'000'000'000;
        std::string_view digits = value;
        std::uint64_t scale = 1;
        if (!digits.empty() && !is_digit(digits.back())) {
            const char suffix = to_lower(digits.back());
            scale = suffix == 'k' ? 1'000 : suffix == 'm' ? 1'000'000 : 0;
            digits.remove_suffix(1);
        }
        const auto read = to_number<std::uint64_t>(digits);
        if (scale == 0 || !read || *read == 0 || *read > kMostNodes / scale)
            return fail(fmt::format(
                "expected a number of nodes such as 20000, 20k or 50M, at most 10^15, found '{}'",
                value));
        control_.nodes = *read * scale;
        return true;
    }

    std::optional<TimeControl> finish() {
        wrong_ = 0;
        if (!has_kind_) {
            why_ = has_main_ ? "'main' needs 'byoyomi' too"
                             : fmt::format(
                                   "expected one of move, nodes, depth, infinite, "
                                   "hourglass, byoyomi");
            return std::nullopt;
        }
        const bool is_byoyomi = control_.kind == Kind::Byoyomi;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::string& word = words_[i].first;
            if (is_byoyomi || (word != "main" && word != "periods" && word != "stones")) continue;
            wrong_ = i;
            why_ = fmt::format("'{}' is allowed with 'byoyomi' only", word);
            return std::nullopt;
        }
        if (control_.stones > 0 && periods_ > 0) {
            why_ = "'periods' and 'stones' exclude each other";
            return std::nullopt;
        }
        if (control_.stones > 0) control_.kind = Kind::Canadian;
        if (periods_ > 0) control_.byoyomi_periods = periods_;
        return control_;
    }

    std::span<const ClockWord> words_;
    std::size_t& wrong_;
    std::string& why_;
    TimeControl control_;
    std::size_t at_ = 0;
    std::size_t kind_at_ = 0;
    int periods_ = 0;
    bool has_kind_ = false;
    bool has_main_ = false;
};

/// `nodes 20000`, `nodes=20000`, `main 600 byoyomi 30` as pairs.
std::vector<ClockWord> pairs_of(std::string_view text) {
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '=', ' ');
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    const auto words = split_words(spaced);
    std::vector<ClockWord> pairs;
    for (std::size_t i = 0; i < words.size(); i += 2)
        pairs.emplace_back(lower(words[i]), i + 1 < words.size() ? words[i + 1] : "");
    return pairs;
}

std::string periods_text(const std::vector<Period>& periods) {
    std::string out;
    for (const Period& period : periods) {
        if (!out.empty()) out += ", ";
        out += to_text(period);
    }
    return out;
}

}  // namespace

std::optional<Micros> parse_duration(std::string_view text, bool bare_seconds) {
    std::optional<std::int64_t> micros;
    if (text.empty()) return std::nullopt;
    if (text.find(':') != std::string_view::npos)
        micros = colon_time(text);
    else if (text.find_first_not_of("0123456789.") != std::string_view::npos)
        micros = unit_time(text);
    else if (bare_seconds)
        micros = scaled(text, kMicrosPerSecond);
    if (!micros) return std::nullopt;
    return Micros(*micros);
}

std::optional<TimeControl> time_control_of(std::span<const ClockWord> words, std::size_t& wrong,
                                           std::string& why) {
    return WordReader(words, wrong, why).read();
}

std::string foreign_clock_advice(std::string_view word) {
    struct Foreign {
        std::string_view word;
        std::string_view ours;
    };

    constexpr std::array<Foreign, 8> kForeign{{
        {"st", "{move: 100ms}"},
        {"mt", "{move: 100ms}"},
        {"movetime", "{move: 100ms}"},
        {"tc", "the clock alone, as in 10+0.1"},
        {"hg", "{hourglass: 60}"},
        {"n", "{nodes: 20000}"},
        {"d", "{depth: 8}"},
        {"plies", "{depth: 8}"},
    }};
    const std::string_view name = word.substr(0, word.find_first_of("0123456789."));
    const auto* const found = std::find_if(
        kForeign.begin(), kForeign.end(),
        [name](const Foreign& foreign) { return equal_ignoring_case(foreign.word, name); });
    return found == kForeign.end() ? "" : fmt::format("; assay says {}", found->ours);
}

std::optional<TimeControl> parse_time_control(std::string_view text, std::string& why) {
    text = trim(text);
    if (equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinite")) {
        TimeControl control;
        control.kind = TimeControl::Kind::Infinite;
        return control;
    }
    const auto words = pairs_of(text);
    const bool starts_with_word =
        !words.empty() &&
        std::find(kClockWords.begin(), kClockWords.end(), words[0].first) != kClockWords.end();
    if (!starts_with_word) {
        const auto control = parse_periods(text, why);
        if (!control && !words.empty()) why += foreign_clock_advice(words[0].first);
        return control;
    }
    std::size_t wrong = 0;
    return time_control_of(words, wrong, why);
}

std::string seconds_text(Micros time) {
    const auto whole = time.count() / kMicrosPerSecond;
    const auto part = time.count() % kMicrosPerSecond;
    if (part == 0) return std::to_string(whole);
    std::string out = fmt::format("{}.{:06}", whole, part);
    out.erase(out.find_last_not_of('0') + 1);
    return out;
}

std::string to_text(const Period& period) {
    std::string out = period.moves > 0 ? fmt::format("{}/", period.moves) : "";
    out += seconds_text(period.time);
    if (period.increment.count() > 0) out += "+" + seconds_text(period.increment);
    return out;
}

std::string to_text(const TimeControl& control) {
    using Kind = TimeControl::Kind;
    switch (control.kind) {
        case Kind::Clock:
            return periods_text(control.periods);
        case Kind::MoveTime:
            return "move " + duration_text(control.move_time);
        case Kind::Nodes:
            return fmt::format("nodes {}", control.nodes);
        case Kind::Depth:
            return fmt::format("depth {}", control.depth);
        case Kind::Infinite:
            return "infinite";
        case Kind::Hourglass:
            return "hourglass " + duration_text(control.main);
        case Kind::Byoyomi:
            return fmt::format("main {} byoyomi {} periods {}", duration_text(control.main),
                               duration_text(control.byoyomi), control.byoyomi_periods);
        case Kind::Canadian:
            return fmt::format("main {} byoyomi {} stones {}", duration_text(control.main),
                               duration_text(control.byoyomi), control.stones);
    }
    return "";
}

std::string duration_text(Micros duration) {
    constexpr std::int64_t kMinute = 60 * kMicrosPerSecond;
    constexpr std::int64_t kHour = 60 * kMinute;
    const std::int64_t micros = duration.count();
    if (micros % 1000 != 0 && micros < kMicrosPerSecond) return fmt::format("{}us", micros);
    if (micros > 0 && micros < kMicrosPerSecond) return fmt::format("{}ms", micros / 1000);
    if (micros < kMinute) return seconds_text(duration) + "s";
    if (micros % kHour == 0) return fmt::format("{}h", micros / kHour);
    if (micros % kMinute == 0 && micros < 2 * kHour) return fmt::format("{}min", micros / kMinute);
    const std::string rest = seconds_text(Micros(micros % kMinute));
    const std::string seconds = (micros % kMinute < 10 * kMicrosPerSecond ? "0" : "") + rest;
    if (micros < kHour) return fmt::format("{}:{}", micros / kMinute, seconds);
    return fmt::format("{}:{:02}:{}", micros / kHour, micros % kHour / kMinute, seconds);
}

}  // namespace assay::harness
