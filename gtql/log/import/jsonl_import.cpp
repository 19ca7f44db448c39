// Trees as JSON lines: one object a line, first an optional one with facts of the tree, then a node
// each, then optionally {"end": N}. Values become the cells of a row as CSV has them, and
// everything behind is shared with it (table_reader.h): two readers that agree on what a number is,
// what a move, and what is damaged. All nodes must have the keys of the first one; a key that comes
// and goes would be a hole in a column, and columns have none.
//
// A line is parsed by itself, so that a file of any length takes the memory of one line.
#include <boost/json.hpp>

#include "base/text.h"
#include "gtql/log/import/import.h"
#include "gtql/log/import/table_reader.h"
#include "gtql/log/raw/raw_blocks.h"

namespace assay::gtql {

namespace {

namespace json = boost::json;

std::string text_of(const json::value& value) {
    return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

class JsonlReader final : public TableReader {
public:
    using TableReader::TableReader;

private:
    [[nodiscard]] const char* why_empty() const override { return "the file has no node"; }

    void take_line() override {
        if (trim(line()).empty()) return;
        if (is_ended()) fail("rows after the object with 'end'");
        json::error_code error;
        const json::value value =
            json::parse(json::string_view(line().data(), line().size()), error);
        if (error || !value.is_object()) {
            fail(error ? "invalid JSON: " + error.message() : "expected an object");
        }
        const json::object& object = value.get_object();
        if (const json::value* const tree = object.if_contains("tree")) {
            if (has_table() || !tree->is_object())
                fail("expected the object 'tree' before the nodes");
            take_head(tree->get_object());
        } else if (const json::value* const nodes = object.if_contains("end")) {
            end(to_number<std::uint64_t>(json::serialize(*nodes)));
        } else {
            take_node(object);
        }
    }

    void take_head(const json::object& tree) {
        for (const auto& [key, value] : tree) {
            if (key == "complete" && value.is_bool() && !value.get_bool()) set_incomplete();
            if (!value.is_object()) {
                set_fact({key.data(), key.size()}, text_of(value));
                continue;
            }
            for (const auto& [name, each] : value.get_object()) {
                if (key == "parameters") {
                    add_parameter(std::string(name), printable_utf8(text_of(each)));
                } else if (key == "const" && is_log_name({name.data(), name.size()}) &&
                           each.is_int64()) {
                    add_constant(std::string(name), each.get_int64());
                } else if (key == "const") {
                    fail("expected names with whole numbers in 'const'");
                }
            }
        }
    }

    /// A value as a cell of a CSV file.
    std::string cell_of(const json::value& value) const {
        if (value.is_bool()) return value.get_bool() ? "1" : "0";
        if (value.is_object() || value.is_array()) fail("expected numbers, texts and truth values");
        return value.is_null() ? std::string() : text_of(value);
    }

    void take_node(const json::object& object) {
        if (!has_table()) {
            for (const auto& [key, value] : object) names_.emplace_back(key);
            begin_table(names_);
        }
        texts_.clear();
        for (const std::string& name : names_) {
            const json::value* const value = object.if_contains(name);
            if (value == nullptr) fail("expected the key '" + printable_utf8(name) + "'");
            texts_.push_back(cell_of(*value));
        }
        if (object.size() != names_.size()) fail("a key that the first node does not have");
        cells_.assign(texts_.begin(), texts_.end());
        add_row(cells_);
    }

    std::vector<std::string> names_;
    std::vector<std::string> texts_;
    std::vector<std::string_view> cells_;
};

}  // namespace

std::unique_ptr<Tree> import_jsonl(const RandomAccess& file, const ImportOptions& options,
                                   std::vector<std::string>& warnings) {
    return JsonlReader(file, options).run(warnings);
}

}  // namespace assay::gtql
