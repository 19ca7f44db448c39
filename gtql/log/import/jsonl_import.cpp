#include <algorithm>
#include <optional>

#include <boost/json.hpp>

#include "base/diagnostic.h"
#include "base/text.h"
#include "gtql/log/import/import.h"
#include "gtql/log/import/line_source.h"
#include "gtql/log/raw/raw_blocks.h"

namespace assay::gtql {

namespace {

namespace json = boost::json;

class JsonlImport {
public:
    JsonlImport(const RandomAccess& file, const ImportOptions& options)
        : file_(file), options_(options), lines_(file) {
        info_.name = file.name();
        info_.game = kGameWhereUnnamed;
    }

    std::unique_ptr<Tree> run(std::vector<std::string>& warnings) {
        while (lines_.next(line_)) {
            if (trim(line_).empty()) continue;
            if (is_ended_) fail("rows after the object with 'end'");
            take_line();
        }
        if (!table_) throw Error(file_.name() + ": the file has no node");
        for (const Constant& each : constants_) table_->set_constant(each.name, each.value);
        for (const Constant& each : options_.constants) table_->set_constant(each.name, each.value);
        if (!options_.position.empty()) table_->info().position = options_.position;
        table_->expect_rows(nodes_);
        for (const std::string& each : table_->warnings())
            warnings.push_back(file_.name() + ": " + each);
        return table_->take();
    }

private:
    [[noreturn]] void fail(std::string what) const {
        Diagnostic diagnostic;
        diagnostic.path = file_.name();
        diagnostic.line = lines_.number();
        diagnostic.column = 1;
        diagnostic.width = std::max<std::size_t>(1, line_.size());
        diagnostic.message = std::move(what);
        diagnostic.source_line = line_;
        throw SyntaxError(diagnostic);
    }

    void take_line() {
        json::error_code error;
        const json::value value = json::parse(json::string_view(line_.data(), line_.size()), error);
        if (error || !value.is_object()) {
            fail(error ? "no JSON: " + error.message() : "expected an object");
        }
        const json::object& object = value.get_object();
        if (const json::value* const tree = object.if_contains("tree")) {
            if (table_ || !tree->is_object()) fail("expected the object 'tree' before the nodes");
            return take_info(tree->get_object());
        }
        if (const json::value* const end = object.if_contains("end")) {
            const std::int64_t rows = table_ ? static_cast<std::int64_t>(table_->rows()) : 0;
            if (!end->is_int64() || end->get_int64() != rows)
                fail("the file has " + std::to_string(rows) + " nodes, and says something else");
            is_ended_ = true;
            return;
        }
        add_row(object);
    }

    std::uint64_t number_of(const json::value& value) const {
        if (!value.is_int64() || value.get_int64() < 0)
            fail("expected a number that is not negative");
        return static_cast<std::uint64_t>(value.get_int64());
    }

    static std::string text_of(const json::value& value) {
        return value.is_string()
                   ? printable_utf8({value.get_string().data(), value.get_string().size()})
                   : json::serialize(value);
    }

    void take_info(const json::object& tree) {
        for (const auto& [key, value] : tree) {
            if (key == "position") info_.position = text_of(value);
            if (key == "game") info_.game = text_of(value);
            if (key == "search") info_.search = number_of(value);
            if (key == "iteration") info_.iteration = number_of(value);
            if (key == "nodes") nodes_ = number_of(value);
            if (key == "complete") info_.complete = !value.is_bool() || value.get_bool();
            if (!value.is_object()) continue;
            for (const auto& [name, each] : value.get_object()) {
                if (key == "parameters") {
                    info_.parameters.emplace_back(std::string(name), text_of(each));
                } else if (key == "const" && is_log_name({name.data(), name.size()}) &&
                           each.is_int64()) {
                    constants_.push_back({std::string(name), each.get_int64()});
                } else if (key == "const") {
                    fail("expected names with whole numbers in 'const'");
                }
            }
        }
    }

    /// A value as CSV has it.
    std::string cell_of(const json::value& value) const {
        if (value.is_string()) return std::string(value.get_string());
        if (value.is_bool()) return value.get_bool() ? "1" : "0";
        if (value.is_object() || value.is_array()) fail("expected numbers, texts and truth values");
        return value.is_null() ? std::string() : json::serialize(value);
    }

    void add_row(const json::object& object) {
        try {
            if (!table_) {
                for (const auto& [key, value] : object) names_.emplace_back(key);
                table_.emplace(std::move(info_), names_);
            }
            texts_.clear();
            for (const std::string& name : names_) {
                const json::value* const value = object.if_contains(name);
                if (value == nullptr) fail("expected the key '" + printable_utf8(name) + "'");
                texts_.push_back(cell_of(*value));
            }
            if (object.size() != names_.size()) fail("a key that the first node does not have");
            cells_.assign(texts_.begin(), texts_.end());
            table_->add_row(cells_);
        } catch (const TableFault& fault) {
            fail(fault.what);
        }
    }

    const RandomAccess& file_;
    const ImportOptions& options_;
    LineSource lines_;
    std::string_view line_;
    std::vector<std::string> names_;
    std::vector<std::string> texts_;
    std::vector<std::string_view> cells_;
    TreeInfo info_;
    std::uint64_t nodes_ = 0;  // that the head says; 0: it does not
    std::vector<Constant> constants_;
    std::optional<TreeTable> table_;
    bool is_ended_ = false;
};

}  // namespace

std::unique_ptr<Tree> import_jsonl(const RandomAccess& file, const ImportOptions& options,
                                   std::vector<std::string>& warnings) {
    return JsonlImport(file, options).run(warnings);
}

}  // namespace assay::gtql
