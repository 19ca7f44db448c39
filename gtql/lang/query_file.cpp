// A file of queries. A query begins on a line of its own and may go on over lines that begin with a
// further part (`child:`); its end is only known when the next query, a `#!` line or the end of the
// file comes. `#!` lines give the next query a name and bounds. Errors are collected, so that all
// mistakes of a file are reported at once, up to a limit.
#include "gtql/lang/query_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/text.h"

namespace assay::gtql {

namespace {

constexpr std::size_t kMostErrors = 20;
constexpr std::array<std::string_view, 4> kKeys{"name", "min", "max", "against_baseline"};

/// The part of the line before its comment. A '#' in quotes belongs to a move.
std::string_view without_comment(std::string_view line) {
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') is_quoted = !is_quoted;
        if (line[i] == '#' && !is_quoted) return line.substr(0, i);
    }
    return line;
}

/// Whether the line continues a query: it begins with a part other than `node:`.
bool continues(std::string_view line) {
    const std::string_view text = trim(line);
    return std::any_of(kPartNames.begin() + 1, kPartNames.end(), [text](std::string_view part) {
        return text.starts_with(part) && trim(text.substr(part.size())).starts_with(':');
    });
}

class FileParser {
public:
    FileParser(const std::string& path, const std::string& text, const ParseOptions& options)
        : text_(std::make_shared<const QueryText>(QueryText{path, text})),
          source_(text_->path, text_->text),
          options_(options) {}

    std::vector<NamedQuery> all() {
        std::size_t begin = 0;
        while (begin < text_->text.size()) {
            const std::size_t end = std::min(text_->text.find('\n', begin), text_->text.size());
            ++line_;
            take_line({begin, end});
            begin = end + 1;
        }
        finish_query();
        if (has_remarks_ && errors_.empty()) {
            errors_.push_back(source_.at(remark_, "no query follows this line"));
        }
        if (!errors_.empty()) throw SyntaxError(std::move(errors_));
        return std::move(queries_);
    }

private:
    void take_line(Span span) {
        const std::string_view line =
            std::string_view(text_->text).substr(span.begin, span.end - span.begin);
        const std::string_view content = trim(without_comment(line));
        if (trim(line).starts_with("#!")) {
            finish_query();
            const bool is_interpreter = line_ == 1 && line.starts_with("#!/");
            if (!is_interpreter) take_remark(span, line);
        } else if (!content.empty()) {
            const bool is_next = !continues(content);
            if (is_next || query_.end == 0) {
                finish_query();
                query_.begin = span.begin + static_cast<std::size_t>(content.data() - line.data());
                query_line_ = line_;
            }
            query_.end = span.begin + static_cast<std::size_t>(content.data() - line.data()) +
                         content.size();
        }
    }

    void take_remark(Span span, std::string_view line) {
        has_remarks_ = true;
        remark_ = span;
        std::string_view rest = line.substr(line.find("#!") + 2);
        while (!trim(rest).empty()) {
            const std::string_view item = trim(rest.substr(0, rest.find(',')));
            const std::size_t comma = rest.find(',');
            rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
            if (item.empty()) continue;
            const std::size_t begin =
                span.begin + static_cast<std::size_t>(item.data() - line.data());
            take_setting({begin, begin + item.size()}, item);
        }
    }

    void take_setting(Span span, std::string_view item) {
        const std::size_t colon = item.find(':');
        const std::string_view key = trim(item.substr(0, colon));
        if (colon == std::string_view::npos) {
            return report(span, "expected 'key: value', found '" + printable_utf8(item) + "'");
        }
        const std::string_view value = trim(item.substr(colon + 1));
        if (std::ranges::find(kKeys, key) == kKeys.end()) {
            return report({span.begin, span.begin + key.size()},
                          "unknown key '" + printable_utf8(key) + "'" + did_you_mean(key, kKeys));
        }
        if (value.empty()) return report(span, "'" + std::string(key) + "' without a value");
        if (key == "name") {
            name_ = std::string(value);
        } else if (key == "against_baseline") {
            bounds_.against_baseline = std::string(value);
        } else {
            const auto number = to_number<double>(value);
            if (!number || !std::isfinite(*number)) {
                return report(span, "expected a number for '" + std::string(key) + "', found '" +
                                        printable_utf8(value) + "'");
            }
            std::optional<double>& bound = key == "min" ? bounds_.min : bounds_.max;
            if (bound) return report(span, "'" + std::string(key) + "' is given twice");
            bound = number;
            if (bounds_.min && bounds_.max && *bounds_.min > *bounds_.max) {
                report(span, "no number is at least 'min' and at most 'max'");
            }
        }
    }

    void finish_query() {
        if (query_.end == 0) return;
        try {
            NamedQuery made;
            made.query = parse_query(text_, query_, options_);
            made.query.name = name_;
            made.bounds = bounds_;
            made.line = query_line_;
            queries_.push_back(std::move(made));
        } catch (const SyntaxError& error) {
            for (const Diagnostic& each : error.diagnostics()) {
                if (errors_.size() < kMostErrors) errors_.push_back(each);
            }
        }
        query_ = {};
        name_.clear();
        bounds_ = {};
        has_remarks_ = false;
    }

    void report(Span span, std::string message) {
        if (errors_.size() < kMostErrors) errors_.push_back(source_.at(span, std::move(message)));
    }

    std::shared_ptr<const QueryText> text_;  // shared with the queries that are made
    Source source_;
    ParseOptions options_;
    std::vector<NamedQuery> queries_;
    std::vector<Diagnostic> errors_;
    Span query_;  // the query that is being read; end 0: none
    std::size_t query_line_ = 0;
    std::size_t line_ = 0;
    std::string name_;
    Bounds bounds_;
    Span remark_;  // of the last '#!' line
    bool has_remarks_ = false;
};

}  // namespace

std::vector<NamedQuery> parse_query_file(const std::string& path, const std::string& text,
                                         const ParseOptions& options) {
    return FileParser(path, text, options).all();
}

}  // namespace assay::gtql
