#include "harness/suite/positions.h"

#include <map>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/packing.h"
#include "base/text.h"
#include "openings/read/opening_reader.h"
#include "rules/game.h"

namespace assay::harness {

namespace {

constexpr std::size_t kMostComplaints = 20;

class PositionReader {
public:
    PositionReader(std::string_view text, const std::string& path, const rules::Game& game)
        : source_(path, text), game_(game) {}

    [[nodiscard]] std::vector<SuitePosition> read() {
        std::string_view rest = source_.text();
        for (std::size_t line = 1; !rest.empty(); ++line) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            read_line(rest.substr(0, end), line);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (!wrong_.empty()) throw SyntaxError(wrong_);
        if (positions_.empty()) throw Error(source_.path() + ": there is no position in it");
        return std::move(positions_);
    }

private:
    void read_line(std::string_view line, std::size_t number) {
        const std::string_view shown = trim(line);
        if (shown.empty() || shown.front() == '#') return;
        openings::Reading reading = openings::read_position(line, game_);
        if (!reading.opening) {
            const openings::Remark& why = reading.remarks.back();
            complain(number, why.offset + 1, why.width, why.message);
            return;
        }
        if (positions_.size() == kMostPositions) {
            complain(number, 1, 1, fmt::format("more than {} positions", kMostPositions));
            return;
        }
        std::string id = trim(reading.name).empty() ? std::to_string(positions_.size() + 1)
                                                    : std::string(trim(reading.name));
        const auto [before, is_new] = lines_.emplace(id, number);
        if (!is_new) {
            complain(number, 1, 1,
                     fmt::format("the id '{}' is that of line {} too", id, before->second));
            return;
        }
        positions_.push_back({std::move(id), std::move(reading.opening->start)});
    }

    void complain(std::size_t line, std::size_t column, std::size_t width, std::string message) {
        if (wrong_.size() < kMostComplaints)
            wrong_.push_back(source_.at_line(line, column, width, std::move(message)));
    }

    Source source_;
    const rules::Game& game_;
    std::vector<SuitePosition> positions_;
    std::map<std::string, std::size_t> lines_;
    std::vector<Diagnostic> wrong_;
};

}  // namespace

std::vector<SuitePosition> suite_positions_of(std::string_view text, const std::string& path,
                                              const rules::Game& game) {
    return PositionReader(text, path, game).read();
}

std::vector<SuitePosition> read_suite_positions(const std::string& path, const rules::Game& game) {
    return suite_positions_of(read_text(path), path, game);
}

}  // namespace assay::harness
