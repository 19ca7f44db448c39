#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// A program did in a position what it may not do (SEMANTICS 1.8): what() names rule and line, the
/// last statements that led there and the position. The game is void, hence exit code 4.
class RuleError : public Error {
public:
    RuleError(const Form& form, int statement, const std::string& what,
              const std::vector<int>& path, const std::string& position);

    [[nodiscard]] const Place& place() const { return place_; }

private:
    Place place_;
};

}  // namespace assay::rules::multigame
