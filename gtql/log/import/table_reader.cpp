// What CSV and JSON lines share: lines, facts before the table, rows, and the end. Errors name line
// and column in the form of all other errors, by the place of the cell in the line.
#include "gtql/log/import/table_reader.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "base/text.h"

namespace assay::gtql {

TableReader::TableReader(const RandomAccess& file, const ImportOptions& options)
    : file_(file), options_(options), lines_(file) {
    info_.name = file.name();
    info_.game = kGameWhereUnnamed;
}

std::unique_ptr<Tree> TableReader::run(std::vector<std::string>& warnings) {
    while (lines_.next(line_)) take_line();
    if (!table_) throw Error(file_.name() + ": " + why_empty());
    if (table_->rows() == 0) throw Error(file_.name() + ": the table has no row");
    for (const Constant& each : constants_) table_->set_constant(each.name, each.value);
    // What the user says replaces what the file says.
    for (const Constant& each : options_.constants) table_->set_constant(each.name, each.value);
    if (!options_.position.empty()) table_->info().position = options_.position;
    table_->expect_rows(nodes_);
    for (const std::string& each : table_->warnings())
        warnings.push_back(file_.name() + ": " + each);
    return table_->take();
}

TableReader::Place TableReader::place_of(int /*cell*/) const {
    return {0, line_.size()};
}

void TableReader::fail(Place place, std::string what) const {
    Diagnostic diagnostic;
    diagnostic.path = file_.name();
    diagnostic.line = lines_.number();
    diagnostic.column = place.first + 1;
    diagnostic.width = std::max<std::size_t>(1, place.second);
    diagnostic.message = std::move(what);
    diagnostic.source_line = line_;
    throw SyntaxError(diagnostic);
}

void TableReader::fail(std::string what) const {
    fail({0, line_.size()}, std::move(what));
}

void TableReader::set_fact(std::string_view key, std::string_view text) {
    if (key == "position" || key == "game") check_length(key, text);
    if (key == "position") info_.position = printable_utf8(text);
    if (key == "game") info_.game = printable_utf8(text);
    if (key != "search" && key != "iteration" && key != "nodes") return;
    const auto number = to_number<std::uint64_t>(text);
    if (!number) fail("expected a number that is not negative");
    (key == "search" ? info_.search : key == "iteration" ? info_.iteration : nodes_) = *number;
}

void TableReader::add_parameter(std::string name, std::string value) {
    check_length("parameter", name);
    check_length("parameter", value);
    if (info_.parameters.size() == kMostNames)
        fail("expected at most " + counted(kMostNames, "parameter"));
    info_.parameters.emplace_back(std::move(name), std::move(value));
}

void TableReader::add_constant(std::string name, std::int64_t value) {
    if (constants_.size() == kMostNames)
        fail("expected at most " + counted(kMostNames, "constant"));
    constants_.push_back({std::move(name), value});
}

void TableReader::check_length(std::string_view what, std::string_view text) const {
    // As it will be kept: escaped.
    const std::size_t size = printable_utf8(text).size();
    if (size > kLongestText) {
        fail("a " + std::string(what) + " of " + std::to_string(size) +
             " bytes: expected at most " + std::to_string(kLongestText));
    }
}

void TableReader::add_missing_constants(const std::vector<Constant>& constants) {
    for (const Constant& each : constants) {
        if (std::none_of(constants_.begin(), constants_.end(),
                         [&](const Constant& known) { return known.name == each.name; }))
            constants_.push_back(each);
    }
}

void TableReader::begin_table(std::vector<std::string> names) {
    try {
        table_.emplace(std::move(info_), std::move(names));
    } catch (const TableFault& fault) {
        fail(place_of(fault.cell), fault.what);
    }
}

void TableReader::add_row(const std::vector<std::string_view>& cells) {
    try {
        table_->add_row(cells);
    } catch (const TableFault& fault) {
        fail(place_of(fault.cell), fault.what);
    }
}

void TableReader::end(std::optional<std::uint64_t> nodes) {
    if (!nodes) fail("expected the number of nodes");
    if (*nodes != rows()) {
        fail("the file says " + std::to_string(*nodes) + " nodes and has " +
             std::to_string(rows()));
    }
    is_ended_ = true;
}

}  // namespace assay::gtql
