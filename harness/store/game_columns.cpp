// Values from a store are checked as any other input: it may come from elsewhere, and a guilty
// player of 77 would be an index out of range later. What fails is StoreDamage, named by what it
// is.
//
// Lists of scores and programs are JSON that is written and read by hand, "[1,0.5]": a run of 10^5
// games has 2 x 10^5 of them, and each is read whenever the run is.
#include "harness/store/game_columns.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/store/sql.h"
#include "harness/store/store_parts.h"

namespace assay::harness {

namespace {

/// Visits the numbers of "[1,0.5]"; false where the text is something else.
template <class Number, class Visit>
bool for_each_number(std::string_view text, const Visit& visit) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto number = to_number<Number>(text.substr(0, comma));
        if (!number || !visit(*number)) return false;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return true;
}

/// A win, a draw, a loss, or a share of them.
bool read_scores(std::string_view text, rules::Scores& scores) {
    return for_each_number<float>(text, [&](float score) {
        const bool is_score = score >= 0 && score <= 1;
        if (scores.players == rules::kMostPlayers || !is_score) return false;
        scores.value[scores.players++] = score;
        return true;
    });
}

/// As many as there are scores, and of a match's entrants.
bool read_programs(std::string_view text, std::size_t players, Lineup& programs) {
    programs = {};
    return for_each_number<int>(text,
                                [&](int program) {
                                    if (programs.size() == players || program < 0 ||
                                        program >= static_cast<int>(players))
                                        return false;
                                    programs.push_back(program);
                                    return true;
                                }) &&
           programs.size() == players && players > 0;
}

}  // namespace

std::string scores_text(const rules::Scores& scores) {
    std::string text = "[";
    for (std::size_t player = 0; player < scores.players; ++player) {
        std::array<char, 32> digits{};
        char* const end =
            std::to_chars(digits.data(), digits.data() + digits.size(), scores[player]).ptr;
        if (player > 0) text += ',';
        text.append(digits.data(), end);
    }
    return text + "]";
}

std::string programs_text(const Lineup& programs) {
    std::string text = "[";
    for (std::size_t player = 0; player < programs.size(); ++player) {
        text += fmt::format("{}{}", player > 0 ? "," : "", programs[player]);
    }
    return text + "]";
}

GameDigest read_digest(SQLite::Statement& row, int first) {
    GameDigest digest;
    const auto termination = termination_of(view_of(row.getColumn(first + 2)));
    if (!read_scores(view_of(row.getColumn(first + 1)), digest.scores) ||
        !read_programs(view_of(row.getColumn(first)), digest.scores.players, digest.program) ||
        !termination) {
        throw StoreDamage{"a game's result"};
    }
    digest.termination = *termination;
    read_columns(row, first + 3, digest.guilty, digest.plies, digest.used_us, digest.moves_hash,
                 digest.harness_caused, digest.number);
    const bool is_possible = digest.guilty >= -1 &&
                             digest.guilty < static_cast<int>(digest.scores.players) &&
                             digest.plies >= 0 && digest.used_us >= 0 && digest.number >= 0;
    if (!is_possible) throw StoreDamage{"a game's result"};
    return digest;
}

void check_two(const rules::Scores& scores) {
    if (scores.players != 2) throw StoreDamage{"a pair of games that are not of two players"};
}

}  // namespace assay::harness
