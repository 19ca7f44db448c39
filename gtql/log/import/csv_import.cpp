// Trees as CSV, with facts of the tree in comment lines before the header ("#game NAME"). A cell
// is a view into the line; a quoted cell with doubled quotes is a copy and the only one that costs
// memory. Errors point at the cell where it is a view.
//
// A file that was cut between two rows looks whole: `#nodes N` in its head says how many there were
// (expect_rows()), and `#end N` has to agree and to be last.
//
// The header of a modified Fruit's logs is known, and brings the names of its flags along: those
// logs have no line of constants.
#include <algorithm>

#include "base/text.h"
#include "gtql/log/import/import.h"
#include "gtql/log/import/table_reader.h"
#include "gtql/log/raw/raw_blocks.h"

namespace assay::gtql {

namespace {

constexpr std::string_view kFruitHeader =
    "node_id,parent_id,ply,depth,alpha,beta,value,last_move,type,type_exp,type_res,flags";

class CsvReader final : public TableReader {
public:
    using TableReader::TableReader;

private:
    [[nodiscard]] const char* why_empty() const override {
        return "expected a line that names the columns";
    }

    void take_line() override {
        if (line().starts_with('#')) {
            take_remark();
        } else if (is_ended()) {
            fail("rows after the line '#end'");
        } else if (!has_table()) {
            take_header();
        } else {
            split();
            add_row(cells_);
        }
    }

    /// Splits the line into cells_. A cell in double quotes may hold commas and doubled quotes.
    void split() {
        cells_.clear();
        unquoted_.clear();
        std::size_t at = 0;
        while (true) {
            if (at < line().size() && line()[at] == '"') {
                at = split_quoted(at);
            } else {
                const std::size_t end = std::min(line().find(',', at), line().size());
                cells_.push_back(line().substr(at, end - at));
                at = end;
            }
            if (at == line().size()) return;
            ++at;
        }
    }

    std::size_t split_quoted(std::size_t begin) {
        auto text = std::make_unique<std::string>();
        for (std::size_t at = begin + 1; at < line().size(); ++at) {
            if (line()[at] != '"') {
                *text += line()[at];
            } else if (at + 1 < line().size() && line()[at + 1] == '"') {
                *text += '"';
                ++at;
            } else if (at + 1 == line().size() || line()[at + 1] == ',') {
                cells_.emplace_back(*text);
                unquoted_.push_back(std::move(text));
                return at + 1;
            } else {
                fail({at + 1, 1}, "expected ',' after the closing quote");
            }
        }
        fail({begin, line().size() - begin}, "a quote is not closed");
    }

    /// The whole line where a quoted cell is a copy, which has no place in it.
    [[nodiscard]] Place place_of(int cell) const override {
        if (cell < 0 || !unquoted_.empty()) return {0, line().size()};
        const std::string_view text = cells_[static_cast<std::size_t>(cell)];
        return {static_cast<std::size_t>(text.data() - line().data()), text.size()};
    }

    void take_header() {
        if (trim(line()).empty()) return;
        split();
        if (line() == kFruitHeader) add_missing_constants(fruit_constants());
        begin_table({cells_.begin(), cells_.end()});
    }

    /// A line "#WORD ...". Unknown words are comments.
    void take_remark() {
        std::string_view rest = line().substr(1);
        const std::string_view word = take_word(rest);
        const std::string_view text = trim(rest);
        if (word == "end") return end(to_number<std::uint64_t>(text));
        if (has_table() && (word == "const" || word == "position" || word == "iteration"))
            fail("'#" + std::string(word) + "' comes before the header");
        if (has_table()) return;
        if (word == "const") return take_constants(rest);
        if (word == "incomplete") set_incomplete();
        if (word == "parameter") {
            const std::size_t equals = std::min(text.find('='), text.size());
            add_parameter(printable_utf8(text.substr(0, equals)),
                          printable_utf8(text.substr(std::min(equals + 1, text.size()))));
        }
        set_fact(word, text);
    }

    void take_constants(std::string_view rest) {
        for (const std::string_view word : split_words(rest)) {
            const std::size_t equals = std::min(word.find('='), word.size());
            const std::string_view name = word.substr(0, equals);
            const auto value =
                to_number<std::int64_t>(word.substr(std::min(equals + 1, word.size())));
            if (!is_log_name(name) || !value) {
                fail({static_cast<std::size_t>(word.data() - line().data()), word.size()},
                     "expected NAME=NUMBER, found '" + printable_utf8(word) + "'");
            }
            add_constant(std::string(name), *value);
        }
    }

    std::vector<std::string_view> cells_;
    std::vector<std::unique_ptr<std::string>> unquoted_;  // texts that cells_ refers to
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
    return CsvReader(file, options).run(warnings);
}

}  // namespace assay::gtql
