#include <algorithm>
#include <optional>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/log/import/import.h"
#include "gtql/log/import/line_source.h"
#include "gtql/log/raw/raw_blocks.h"

namespace assay::gtql {

namespace {

constexpr std::string_view kFruitHeader =
    "node_id,parent_id,ply,depth,alpha,beta,value,last_move,type,type_exp,type_res,flags";

class CsvImport {
public:
    CsvImport(const RandomAccess& file, const ImportOptions& options)
        : file_(file), options_(options), lines_(file) {
        info_.name = file.name();
        info_.game = kGameWhereUnnamed;
    }

    std::unique_ptr<Tree> run(std::vector<std::string>& warnings) {
        while (lines_.next(line_)) {
            if (line_.starts_with('#')) {
                remark();
            } else if (is_ended_) {
                fail(0, line_.size(), "rows after the line '#end'");
            } else if (!table_) {
                take_header();
            } else {
                add_row();
            }
        }
        if (!table_) throw Error(file_.name() + ": expected a line that names the columns");
        if (table_->rows() == 0) throw Error(file_.name() + ": the table has no row");
        for (const Constant& each : constants_) table_->set_constant(each.name, each.value);
        for (const Constant& each : options_.constants) table_->set_constant(each.name, each.value);
        if (!options_.position.empty()) table_->info().position = options_.position;
        table_->expect_rows(nodes_);
        for (const std::string& each : table_->warnings())
            warnings.push_back(file_.name() + ": " + each);
        return table_->take();
    }

private:
    [[noreturn]] void fail(std::size_t begin, std::size_t width, std::string what) const {
        Diagnostic diagnostic;
        diagnostic.path = file_.name();
        diagnostic.line = lines_.number();
        diagnostic.column = begin + 1;
        diagnostic.width = std::max<std::size_t>(1, width);
        diagnostic.message = std::move(what);
        diagnostic.source_line = line_;
        throw SyntaxError(diagnostic);
    }

    /// Cells of the line; a cell in double quotes may hold commas and doubled quotes.
    void split() {
        cells_.clear();
        unquoted_.clear();
        std::size_t at = 0;
        while (true) {
            if (at < line_.size() && line_[at] == '"') {
                at = split_quoted(at);
            } else {
                const std::size_t end = std::min(line_.find(',', at), line_.size());
                cells_.push_back(line_.substr(at, end - at));
                at = end;
            }
            if (at == line_.size()) return;
            ++at;
        }
    }

    std::size_t split_quoted(std::size_t begin) {
        auto text = std::make_unique<std::string>();
        for (std::size_t at = begin + 1; at < line_.size(); ++at) {
            if (line_[at] != '"') {
                *text += line_[at];
            } else if (at + 1 < line_.size() && line_[at + 1] == '"') {
                *text += '"';
                ++at;
            } else if (at + 1 == line_.size() || line_[at + 1] == ',') {
                cells_.emplace_back(*text);
                unquoted_.push_back(std::move(text));
                return at + 1;
            } else {
                fail(at + 1, 1, "expected ',' after the closing quote");
            }
        }
        fail(begin, line_.size() - begin, "a quote is not closed");
    }

    [[nodiscard]] std::pair<std::size_t, std::size_t> place_of(int cell) const {
        if (cell < 0 || !unquoted_.empty()) return {0, line_.size()};
        const std::string_view text = cells_[static_cast<std::size_t>(cell)];
        return {static_cast<std::size_t>(text.data() - line_.data()), text.size()};
    }

    void take_header() {
        if (trim(line_).empty()) return;
        split();
        if (line_ == kFruitHeader) {
            for (const Constant& each : fruit_constants()) {
                if (std::none_of(constants_.begin(), constants_.end(),
                                 [&](const Constant& known) { return known.name == each.name; }))
                    constants_.push_back(each);
            }
        }
        try {
            table_.emplace(std::move(info_),
                           std::vector<std::string>(cells_.begin(), cells_.end()));
        } catch (const TableFault& fault) {
            const auto [begin, width] = place_of(fault.cell);
            fail(begin, width, fault.what);
        }
    }

    void add_row() {
        split();
        try {
            table_->add_row(cells_);
        } catch (const TableFault& fault) {
            const auto [begin, width] = place_of(fault.cell);
            fail(begin, width, fault.what);
        }
    }

    void remark() {
        std::string_view rest = line_.substr(1);
        const std::string_view word = take_word(rest);
        if (word == "end") return check_end(trim(rest));
        if (table_ && (word == "const" || word == "position" || word == "iteration"))
            fail(0, line_.size(), "'#" + std::string(word) + "' comes before the header");
        if (table_) return;
        if (word == "const") return take_constants(rest);
        if (word == "position") info_.position = printable_utf8(trim(rest));
        if (word == "game") info_.game = printable_utf8(trim(rest));
        if (word == "search") info_.search = number_of(trim(rest));
        if (word == "iteration") info_.iteration = number_of(trim(rest));
        if (word == "nodes") nodes_ = number_of(trim(rest));
        if (word == "incomplete") info_.complete = false;
        if (word == "parameter") {
            const std::string_view text = trim(rest);
            const std::size_t equals = std::min(text.find('='), text.size());
            info_.parameters.emplace_back(
                printable_utf8(text.substr(0, equals)),
                printable_utf8(text.substr(std::min(equals + 1, text.size()))));
        }
    }

    std::uint64_t number_of(std::string_view text) {
        const auto value = to_number<std::uint64_t>(text);
        if (!value) fail(0, line_.size(), "expected a number");
        return *value;
    }

    void take_constants(std::string_view rest) {
        for (const std::string_view word : split_words(rest)) {
            const std::size_t equals = std::min(word.find('='), word.size());
            const std::string_view name = word.substr(0, equals);
            const auto value =
                to_number<std::int64_t>(word.substr(std::min(equals + 1, word.size())));
            if (!is_log_name(name) || !value) {
                fail(static_cast<std::size_t>(word.data() - line_.data()), word.size(),
                     "expected NAME=NUMBER, found '" + printable_utf8(word) + "'");
            }
            constants_.push_back({std::string(name), *value});
        }
    }

    void check_end(std::string_view text) {
        const std::uint64_t rows = table_ ? table_->rows() : 0;
        if (number_of(text) != rows) {
            fail(
                0, line_.size(),
                "the file says " + printable_utf8(text) + " nodes and has " + std::to_string(rows));
        }
        is_ended_ = true;
    }

    const RandomAccess& file_;
    const ImportOptions& options_;
    LineSource lines_;
    std::string_view line_;
    std::vector<std::string_view> cells_;
    std::vector<std::unique_ptr<std::string>> unquoted_;  // what cells_ views where quotes were
    TreeInfo info_;
    std::uint64_t nodes_ = 0;  // that the head says; 0: it does not
    std::vector<Constant> constants_;
    std::optional<TreeTable> table_;
    bool is_ended_ = false;
};

}  // namespace

const std::vector<Constant>& fruit_constants() {
    static const std::vector<Constant> constants = {
        {"PVNode", 1},        {"CUTNode", 2},         {"ALLNode", 3},    {"QNode", 1},
        {"QRootNode", 2},     {"NullMove", 4},        {"NullSearch", 8}, {"ReSearch", 16},
        {"ReSearchTree", 32}, {"InCheck", 64},        {"Extended", 128}, {"Reduced", 256},
        {"IID", 512},         {"Verification", 1024}, {"TTCut", 2048},   {"Draw", 4096},
        {"StandPat", 8192}};
    return constants;
}

std::unique_ptr<Tree> import_csv(const RandomAccess& file, const ImportOptions& options,
                                 std::vector<std::string>& warnings) {
    return CsvImport(file, options).run(warnings);
}

}  // namespace assay::gtql
