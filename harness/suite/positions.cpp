#include "harness/suite/positions.h"

#include <map>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/packing.h"
#include "base/text.h"
#include "harness/suite/epd_moves.h"
#include "openings/read/epd_line.h"
#include "openings/read/opening_reader.h"
#include "rules/game.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostComplaints = 20;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_mark(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return text;
}

class PositionReader {
public:
    PositionReader(std::string_view text, const std::string& path, const rules::Game& game,
                   bool needs_solutions)
        : source_(path, without_mark(text)), game_(game), needs_solutions_(needs_solutions) {}

    [[nodiscard]] std::vector<SuitePosition> read() {
        std::string_view rest = source_.text();
        if (rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF"))
            throw SyntaxError(source_.at_line(1, 1, 2, "this is UTF-16; save the file as UTF-8"));
        for (std::size_t line = 1; !rest.empty(); ++line) read_line(take_line(rest), line);
        if (!wrong_.empty()) throw SyntaxError(wrong_);
        if (positions_.empty()) throw Error(source_.path() + ": there is no position in it");
        return std::move(positions_);
    }

private:
    void read_line(std::string_view line, std::size_t number) {
        const std::string_view shown = trim(line);
        if (shown.empty() || shown.front() == '#') return;
        const openings::Reading reading = openings::read_position(line, game_);
        if (!reading.opening) {
            complain(number, reading.remarks.back());
            return;
        }
        if (positions_.size() == kMostPositions) {
            complain(number, 1, 1, fmt::format("more than {} positions", kMostPositions));
            return;
        }
        SuitePosition position;
        position.text = reading.opening->start;
        if (!read_operations(line, number, position)) return;
        if (position.id.empty()) position.id = std::to_string(positions_.size() + 1);
        const auto [before, is_new] = lines_.emplace(position.id, number);
        if (!is_new) {
            complain(
                number, 1, 1,
                fmt::format("the id '{}' is that of line {} too", position.id, before->second));
            return;
        }
        positions_.push_back(std::move(position));
    }

    /// False where something is wrong.
    [[nodiscard]] bool read_operations(std::string_view line, std::size_t number,
                                       SuitePosition& position) {
        std::string_view operations;
        if (game_.info().formats.epd) operations = openings::split_epd(line).operations;
        const auto remarks =
            read_epd_operations(line, operations, *game_.parse(position.text), position);
        for (const openings::Remark& remark : remarks) complain(number, remark);
        if (!remarks.empty()) return false;
        if (!needs_solutions_ || position.has_solution()) return true;
        const std::string_view shown = trim(line);
        complain(number, openings::offset_in(line, shown) + shown.size() + 1, 1,
                 "expected a solution after the position, such as 'bm Nf3;' or 'am Qxb2;'" +
                     nearest_solution_opcode(operations));
        return false;
    }

    void complain(std::size_t line, const openings::Remark& remark) {
        complain(line, remark.offset + 1, remark.width, remark.message);
    }

    void complain(std::size_t line, std::size_t column, std::size_t width, std::string message) {
        if (wrong_.size() < kMostComplaints)
            wrong_.push_back(source_.at_line(line, column, width, std::move(message)));
    }

    Source source_;
    const rules::Game& game_;
    bool needs_solutions_;
    std::vector<SuitePosition> positions_;
    std::map<std::string, std::size_t> lines_;
    std::vector<Diagnostic> wrong_;
};

}  // namespace

std::vector<SuitePosition> suite_positions_of(std::string_view text, const std::string& path,
                                              const rules::Game& game, bool needs_solutions) {
    return PositionReader(text, path, game, needs_solutions).read();
}

std::vector<SuitePosition> read_suite_positions(const std::string& path, const rules::Game& game,
                                                bool needs_solutions) {
    return suite_positions_of(read_text(path, kMostTextBytes), path, game, needs_solutions);
}

}  // namespace assay::harness
