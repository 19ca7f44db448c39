#include "reports/view/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "rules/game.h"

namespace assay::reports {

std::string grouped(std::int64_t number) {
    std::string digits = fmt::format("{}", number);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

std::string grouped(std::int64_t number, std::string_view noun, std::string_view many) {
    const std::string text = counted(number, noun, many);
    return grouped(number) + text.substr(text.find(' '));
}

std::string signed_number(double value, int decimals) {
    std::string text = fmt::format("{:+.{}f}", value, decimals);
    // Zero has no sign: "-0.0" and "+0.0" would suggest one.
    if (text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
    return text;
}

int decimals_for(const stats::Estimate& estimate) {
    if (!estimate.ci95.low || !estimate.ci95.high) return 0;
    const double width = *estimate.ci95.high - *estimate.ci95.low;
    if (width < 5) return 2;
    return width < 50 ? 1 : 0;
}

std::string estimate_text(const stats::Estimate& estimate, int decimals) {
    const auto& [low, high] = estimate.ci95;
    if (estimate.value && low && high) {
        return fmt::format("{} [{}, {}]", signed_number(*estimate.value, decimals),
                           signed_number(*low, decimals), signed_number(*high, decimals));
    }
    if (estimate.value && !low && !high)
        return fmt::format("{} (no limits yet)", signed_number(*estimate.value, decimals));
    if (estimate.value) {
        const auto end = [&](const std::optional<double>& limit) {
            return limit ? signed_number(*limit, decimals) : std::string("no limit");
        };
        return fmt::format("{} [{}, {}]", signed_number(*estimate.value, decimals), end(low),
                           end(high));
    }
    if (low) return fmt::format("> {} (one-sided)", signed_number(*low, decimals));
    if (high) return fmt::format("< {} (one-sided)", signed_number(*high, decimals));
    return "unknown";
}

std::string estimate_text(const stats::Estimate& estimate) {
    return estimate_text(estimate, decimals_for(estimate));
}

std::string interval_text(const stats::Interval& interval, int decimals) {
    if (!interval.low && !interval.high) return "";
    const auto end = [decimals](const std::optional<double>& limit) {
        return limit ? signed_number(*limit, decimals) : std::string("no limit");
    };
    return fmt::format("[{}, {}]", end(interval.low), end(interval.high));
}

std::string percent(double share) {
    return plain_number(share * 100, 3) + " %";
}

std::string percent(double share, int decimals) {
    return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string probability(double p) {
    if (p < 1e-6) return "< 1e-6";
    if (p >= 0.1) return fmt::format("{:.2f}", p);
    if (p < 1e-4) {
        const int power = static_cast<int>(std::floor(std::log10(p)));
        return fmt::format("{:.1f}e{}", p / std::pow(10.0, power), power);
    }
    const int decimals = std::min(7, 1 - static_cast<int>(std::floor(std::log10(p))));
    return fmt::format("{:.{}f}", p, decimals);
}

std::string p_value(double p) {
    return p < 1e-6 ? "p < 1e-6" : "p = " + probability(p);
}

std::string score_text(std::int64_t half_points) {
    return grouped(half_points / 2) + (half_points % 2 != 0 ? ".5" : "");
}

std::string time_text_utc(long long us) {
    return us <= 0 ? "" : utc_minute(us) + " UTC";
}

std::string score_text(const adapters::Score& score, const rules::ScoreUnit& unit) {
    const char sign = score.value < 0 ? '-' : '+';
    const long long size = std::abs(static_cast<long long>(score.value));
    if (score.is_mate) return fmt::format("{}M{}", score.value > 0 ? '+' : '-', size);
    if (unit.name.empty()) return fmt::format("{}{}", sign, size);
    return fmt::format("{}{}.{:02}", sign, size / unit.parts,
                       100 * (size % unit.parts) / unit.parts);
}

std::string milliseconds(double microseconds) {
    const double ms = microseconds / 1000;
    if (ms < 1) return fmt::format("{:.2f} ms", ms);
    return fmt::format("{:.{}f} ms", ms, ms < 10 ? 1 : 0);
}

std::string duration(Micros time) {
    const long long seconds = std::max(0LL, static_cast<long long>(time.count()) / 1'000'000);
    if (seconds < 60) return fmt::format("{} s", seconds);
    if (seconds < 3600) return fmt::format("{}:{:02} min", seconds / 60, seconds % 60);
    return fmt::format("{}:{:02} h", seconds / 3600, seconds / 60 % 60);
}

std::tm utc_of(long long us) {
    const auto time = static_cast<std::time_t>(us / 1'000'000);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    return parts;
}

std::string utc_minute(long long us) {
    const std::tm utc = utc_of(us);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", utc.tm_year + 1900, utc.tm_mon + 1,
                       utc.tm_mday, utc.tm_hour, utc.tm_min);
}

std::int64_t rough(double number) {
    if (!(number < 1e15)) return 1'000'000'000'000'000;
    if (number < 100) return std::llround(std::ceil(number));
    const double unit = std::pow(10.0, std::floor(std::log10(number)) - 1);
    return std::llround(std::round(number / unit) * unit);
}

std::string_view short_words(const harness::Termination& termination) {
    // By cause.
    constexpr std::array<std::string_view, harness::kCauses> kWords{
        "",         "adjudicated draw", "adjudicated win", "tablebase",  "length",
        "time",     "illegal move",     "crash",           "disconnect", "stall",
        "no start", "resignation",      "claimed draw",    "interrupted"};
    if (termination.cause == harness::Termination::Rules) return termination.word;
    return kWords[termination.cause];
}

std::size_t columns(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::array<std::string, 2> side_names(const harness::MatchPlan& plan) {
    try {
        const auto rules = harness::game_of(plan);
        const std::vector<std::string>& players = rules->info().players;
        if (players.size() >= 2) return {players[0], players[1]};
    } catch (const Error&) {
        // a game whose rules this version does not know
    }
    return {"first", "second"};
}

std::string score_units(const rules::GameInfo& game) {
    return game.score_unit.name.empty() ? "" : game.score_unit.name + "s";
}

}  // namespace assay::reports
