#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "configs/dropin/command_words.h"
#include "configs/dropin/cutechess_engine.h"
#include "configs/dropin/runner_settings.h"

namespace assay::configs::dropin {

/// A flag of cutechess-cli as it was typed.
struct CuteTyped {
    std::string name;
    std::vector<std::string> words;
};

/// The values of keys; each at most once.
using CuteValues = std::map<std::string, std::string>;

/// `wanted`: keys with '|' between them, those with a default after '='. Every key must be there or
/// have one. Throws BadWord.
[[nodiscard]] CuteValues cutechess_values(const CuteTyped& flag, std::string_view wanted);

/// That the flag's words are none that it takes.
[[nodiscard]] std::string refused_cutechess_value(const CuteTyped& flag);

/// Throws that as BadWord.
[[noreturn]] void refuse_cutechess_value(const CuteTyped& flag);

/// Throws BadWord where the text is no such number.
template <class Number>
[[nodiscard]] Number cutechess_number(const CuteTyped& flag, const std::string& text) {
    const auto number = to_number<Number>(text.starts_with('+') ? text.substr(1) : text);
    if (!number) refuse_cutechess_value(flag);
    if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(*number)) refuse_cutechess_value(flag);
    }
    return *number;
}

/// Reads the flags one by one, each by a function of its own. Throws BadWord.
class CutechessParser {
public:
    explicit CutechessParser(const Surroundings& surroundings) : surroundings_(surroundings) {
        settings_.runner = Runner::Cutechess;
        settings_.games = 1;
        settings_.rounds = 1;
        settings_.rating_interval = 0;
        settings_.has_penta = false;
        settings_.has_cutechess_output = true;
        settings_.event.clear();
        settings_.seeds = 0;
        settings_.sprt.model = "logistic";
    }

    [[nodiscard]] RunnerSettings& settings() { return settings_; }

    [[nodiscard]] std::vector<Message>& messages() { return messages_; }

    // A function a flag.
    void engine(const CuteTyped& flag) {
        read_engine(flag.words, settings_.engines.emplace_back());
    }

    /// What is bad in it is told before what check() finds.
    void each(const CuteTyped& flag) {
        try {
            for (EngineSettings& engine : settings_.engines) read_engine(flag.words, engine);
        } catch (const BadWord& bad) {
            problems_ = bad.what();
        }
    }

    void event(const CuteTyped& flag) { settings_.event = flag.words.front(); }

    void site(const CuteTyped& flag) { settings_.site = flag.words.front(); }

    void epd_out(const CuteTyped& flag) { settings_.epd.file = flag.words.front(); }

    void no_swap(const CuteTyped& /*flag*/) { settings_.swaps = false; }

    void reverse(const CuteTyped& /*flag*/) { settings_.is_reversed = true; }

    void recover(const CuteTyped& /*flag*/) { settings_.recovers = true; }

    void games(const CuteTyped& flag) { settings_.games = positive_in(flag); }

    void seed(const CuteTyped& flag) {
        settings_.seed = cutechess_number<std::uint64_t>(flag, flag.words.front());
    }

    void seeds(const CuteTyped& flag) {
        const auto seeds = cutechess_number<std::uint32_t>(flag, flag.words.front());
        settings_.seeds = static_cast<int>(std::min<std::uint32_t>(seeds, 1'000'000));
    }

    void rating_interval(const CuteTyped& flag) {
        settings_.rating_interval = cutechess_number<std::int64_t>(flag, flag.words.front());
    }

    void outcome_interval(const CuteTyped& flag) {
        settings_.outcome_interval = cutechess_number<std::int64_t>(flag, flag.words.front());
    }

    void wait(const CuteTyped& flag) { settings_.wait = natural_in(flag); }

    void max_moves(const CuteTyped& flag) {
        settings_.most_moves =
            static_cast<int>(std::min<std::int64_t>(natural_in(flag), 1'000'000));
    }

    void tb(const CuteTyped& flag) {
        settings_.tablebase.is_on = true;
        settings_.tablebase.folders = flag.words.front();
        if (settings_.tablebase.folders.empty()) refuse_cutechess_value(flag);
    }

    void tb_pieces(const CuteTyped& flag) {
        constexpr int kFewest = 3;
        const std::int64_t pieces = positive_in(flag);
        if (pieces < kFewest) refuse_cutechess_value(flag);
        settings_.tablebase.pieces = static_cast<int>(std::min<std::int64_t>(pieces, 1'000));
    }

    void tb_ignore_50(const CuteTyped& /*flag*/) { settings_.tablebase.ignores_fifty = true; }

    void result_format(const CuteTyped& flag) { settings_.result_format = flag.words.front(); }

    void debug(const CuteTyped& flag) {
        if (!flag.words.empty() && flag.words.front() != "all") refuse_cutechess_value(flag);
        settings_.shows_engine_lines = true;
    }

    void book_mode(const CuteTyped& flag) {
        if (flag.words != std::vector<std::string>{"ram"} &&
            flag.words != std::vector<std::string>{"disk"})
            refuse_cutechess_value(flag);
    }

    void concurrency(const CuteTyped& flag);
    void rounds(const CuteTyped& flag);
    void repeat(const CuteTyped& flag);
    void tournament(const CuteTyped& flag);
    void variant(const CuteTyped& flag);
    void draw(const CuteTyped& flag);
    void resign(const CuteTyped& flag);
    void sprt(const CuteTyped& flag);
    void openings(const CuteTyped& flag);
    void pgn_out(const CuteTyped& flag);

    /// All flags have been read.
    void check();

private:
    void lack(std::string_view flag, std::string_view instead) {
        settings_.refused.push_back(fmt::format("{} is not available in assay: {}", flag, instead));
    }

    [[nodiscard]] static std::int64_t natural_in(const CuteTyped& flag) {
        const auto number = cutechess_number<std::int64_t>(flag, flag.words.front());
        if (number < 0) refuse_cutechess_value(flag);
        return number;
    }

    [[nodiscard]] static std::int64_t positive_in(const CuteTyped& flag) {
        const auto number = cutechess_number<std::int64_t>(flag, flag.words.front());
        if (number <= 0 || number > std::numeric_limits<int>::max()) refuse_cutechess_value(flag);
        return number;
    }

    void read_engine(const std::vector<std::string>& words, EngineSettings& engine) {
        read_cutechess_engine(words, surroundings_, engine, settings_.refused);
    }

    const Surroundings& surroundings_;
    RunnerSettings settings_;
    std::vector<Message> messages_;
    std::string problems_;
};

}  // namespace assay::configs::dropin
