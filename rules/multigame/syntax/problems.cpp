#include "rules/multigame/syntax/problems.h"

#include <algorithm>
#include <tuple>

namespace assay::rules::multigame {

namespace {

auto order_of(const Place& place) {
    return std::tuple(place.file, place.line, place.column);
}

}  // namespace

void Problems::add(const Place& place, std::string message, bool is_warning) {
    if (!is_warning) ++errors_;
    if (problems_.size() >= kMost) return;
    const bool is_known = std::ranges::any_of(problems_, [&](const Problem& each) {
        return order_of(each.place) == order_of(place) && each.diagnostic.message == message;
    });
    if (is_known) return;
    const FormFile& file = files_[static_cast<std::size_t>(place.file)];
    const Source source(file.path, file.text);
    Diagnostic diagnostic;
    if (place.line > 0) {
        diagnostic = source.at_line(static_cast<std::size_t>(place.line),
                                    static_cast<std::size_t>(place.column),
                                    static_cast<std::size_t>(place.width), std::move(message));
    } else {
        diagnostic.path = file.path;
        diagnostic.message = std::move(message);
    }
    diagnostic.is_warning = is_warning;
    problems_.push_back({place, std::move(diagnostic)});
}

std::vector<Diagnostic> Problems::sorted() const {
    std::vector<Problem> ordered = problems_;
    std::ranges::stable_sort(ordered, {}, [](const Problem& each) { return order_of(each.place); });
    std::vector<Diagnostic> out;
    out.reserve(ordered.size());
    for (Problem& each : ordered) out.push_back(std::move(each.diagnostic));
    return out;
}

}  // namespace assay::rules::multigame
