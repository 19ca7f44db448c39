#include "openings/book_survey.h"

#include <algorithm>
#include <limits>

#include "openings/read/book_format.h"
#include "rules/line.h"

namespace assay::openings {

namespace {

constexpr std::size_t kMostRemarks = 20;

}  // namespace

Survey survey(const Book& book, const rules::Game& game) {
    Survey out;
    out.remarks = book.warnings();
    out.skipped = book.skipped();
    out.fewest_plies = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> hashes;
    std::vector<Diagnostic> remarks;
    for (std::uint64_t i = 0; i < book.size(); ++i) {
        remarks.clear();
        const Opening opening = book.at(i, &remarks);
        if (out.remarks.size() < kMostRemarks) {
            out.remarks.insert(out.remarks.end(), remarks.begin(), remarks.end());
        }
        if (opening.index != i) {
            ++out.skipped;
            continue;
        }
        ++out.openings;
        const std::uint64_t plies = opening.moves.size();
        out.fewest_plies = std::min(out.fewest_plies, plies);
        out.most_plies = std::max(out.most_plies, plies);
        const auto position = position_after(opening, game);
        hashes.push_back(position->hash());
        const std::vector<std::string_view> moves(opening.moves.begin(), opening.moves.end());
        if (const auto name = rules::opening_name_of(game, opening.start, moves))
            ++out.names[std::string(name->code) + " " + std::string(name->name)];
        if (position->to_move() >= 0) ++out.to_move[static_cast<std::size_t>(position->to_move())];
    }
    std::sort(hashes.begin(), hashes.end());
    const auto distinct = std::unique(hashes.begin(), hashes.end());
    out.duplicates = static_cast<std::uint64_t>(std::distance(distinct, hashes.end()));
    return out;
}

}  // namespace assay::openings
