#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/multigame/compile/shape.h"
#include "rules/multigame/form/form.h"

namespace assay::rules::multigame {

/// Writes the C of a test of many fields at once: a function that gives the set of all fields from
/// which statements succeed, as the bits of a word.
class SetWalk {
public:
    /// REQUIRES: form and shape outlive this.
    SetWalk(const Form& form, const Shape& shape);

    /// Boards whose fields are no word, or whose steps are no shifts of one, have no such sets.
    [[nodiscard]] bool is_possible() const { return is_possible_; }

    /// The function's body for statements one after another, with `own` as the side and this
    /// direction at first (kNone: unknown); nullopt where they do more than look, or where it would
    /// have more steps than these.
    [[nodiscard]] std::optional<std::string> body(const std::vector<const Statement*>& statements,
                                                  int own, int direction, int most_steps);

    /// The statements of the last body() may look at the field from which they go, so that what
    /// stands there matters.
    [[nodiscard]] bool looks_at_start() const { return looks_at_start_; }

private:
    /// The direction, and where the finger is.
    struct Walk {
        int direction = kNone;
        int away = 0;          // number of the field, less that of the one where it began
        bool is_lost = false;  // it may be anywhere
    };

    /// What a statement leads to: the set for each walk that it leaves.
    using After = std::function<std::string(const Walk& walk)>;

    [[nodiscard]] static Walk turned(Walk walk, int direction);
    [[nodiscard]] Walk stepped(Walk walk) const;
    [[nodiscard]] std::string before(const Statement& s, const Walk& walk, const After& after);
    [[nodiscard]] std::string before_all(const Statement& s, int n, const Walk& walk,
                                         const After& after);
    [[nodiscard]] std::string before_repeat(const Statement& s, const Walk& walk,
                                            const After& after);
    [[nodiscard]] std::string before_step(int direction, const std::string& set);
    [[nodiscard]] std::string succeeds(const Statement& s, const Walk& walk);
    [[nodiscard]] std::string one_of(const std::vector<std::string>& sets);
    [[nodiscard]] std::string both(const std::string& one, const std::string& two);
    [[nodiscard]] std::string named(const std::string& expression);
    [[nodiscard]] std::string contents(const Statement& s) const;
    [[nodiscard]] std::string zone(const Statement& s) const;
    [[nodiscard]] std::string gives_up();

    const Form& form_;
    const Shape& shape_;
    bool is_possible_ = false;
    std::array<int, kDirections> shift_{};           // from a field's number to its neighbour's
    std::array<std::uint64_t, kDirections> from_{};  // the fields that have one
    std::string all_;                                // fields of the board
    int own_ = 0;
    std::string lines_;
    int names_ = 0;
    int most_names_ = 0;
    bool has_failed_ = false;
    bool looks_at_start_ = false;
};

}  // namespace assay::rules::multigame
