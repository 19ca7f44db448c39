#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// Collects what is wrong with the files of a program. Phases report here and go on, so that a user
/// sees all errors at once. Holds the files' texts; they must not change after the first report.
class Problems {
public:
    static constexpr std::size_t kMost = 40;  // more are counted, not kept

    explicit Problems(const std::vector<FormFile>& files) : files_(files) {}

    void error(const Place& place, std::string message) { add(place, std::move(message), false); }

    void warning(const Place& place, std::string message) { add(place, std::move(message), true); }

    [[nodiscard]] bool has_errors() const { return errors_ > 0; }

    /// In the order of the text: by file, line and column. Each place has one error at most.
    [[nodiscard]] std::vector<Diagnostic> sorted() const;

private:
    struct Problem {
        Place place;
        Diagnostic diagnostic;
    };

    void add(const Place& place, std::string message, bool is_warning);

    const std::vector<FormFile>& files_;
    std::vector<Problem> problems_;
    std::size_t errors_ = 0;
};

}  // namespace assay::rules::multigame
