// Why a move is legal or not: the interpreter lists the moves of the position step by step, and
// what each derivation did is compared with the name that is asked about. A name grows while a
// derivation goes on (`pickup` adds the origin, `putdown` the target), so the derivations that try
// to make the move are those whose name so far is a beginning of it.
#include "rules/multigame/interpret/explanation.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace assay::rules::multigame {

namespace {

constexpr std::size_t kWidestStatement = 44;

class Search final : public DerivationWatcher {
public:
    explicit Search(std::string move) { found_.move = std::move(move); }

    void accepted(const std::vector<TracedStep>& steps, const std::string& name) override {
        if (found_.is_move || name != found_.move) return;
        found_.is_move = true;
        found_.steps = steps;
        found_.begun = name;
        found_.stops.clear();
    }

    void stopped(const std::vector<TracedStep>& steps, const std::string& name) override {
        if (found_.is_move || steps.empty() || name.empty() || !found_.move.starts_with(name)) {
            return;
        }
        if (name.size() < found_.begun.size()) return;
        if (name.size() > found_.begun.size()) {
            found_.stops.clear();
            found_.steps.clear();
            found_.begun = name;
        }
        if (steps.size() > found_.steps.size()) found_.steps = steps;
        const int statement = steps.back().statement;
        const auto known = std::ranges::find(found_.stops, statement, &Stop::statement);
        if (known == found_.stops.end()) {
            found_.stops.push_back({statement, 1});
        } else {
            ++known->ways;
        }
    }

    [[nodiscard]] Explanation result(const Form& form) && {
        std::ranges::sort(found_.stops, {}, [&](const Stop& each) {
            const Place& place = item(form.statements, each.statement).place;
            return std::array{place.file, place.line, place.column};
        });
        return std::move(found_);
    }

private:
    Explanation found_;
};

/// The statement as it stands in its file, as far as it stands in one line.
std::string source_of(const Form& form, int statement) {
    const Place& place = item(form.statements, statement).place;
    std::string_view text = item(form.files, place.file).text;
    for (int line = 1; line < place.line; ++line) {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    text = text.substr(0, std::min(text.find('\n'), text.size()));
    text.remove_prefix(std::min(static_cast<std::size_t>(place.column - 1), text.size()));
    int open = 0;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        const bool is_range = text.substr(end).starts_with("..");
        if (c == '[') ++open;
        if (c == ']' && open-- == 0) break;
        if (c == '#' || (open == 0 && (c == ',' || (c == '.' && !is_range)))) break;
        if (open == 0 && text.substr(end).starts_with(" or ")) break;
        if (is_range) ++end;
    }
    std::string words(trim(text.substr(0, end)));
    if (words.size() > kWidestStatement) words = words.substr(0, kWidestStatement - 2) + "..";
    return words;
}

/// Statements that only hold others say nothing of their own.
bool is_shown(Op op) {
    return op != Op::Sequence && op != Op::Either && op != Op::Try && op != Op::Repeat &&
           op != Op::AsEnemy;
}

std::string place_of(const Form& form, int statement) {
    const Place& place = item(form.statements, statement).place;
    const std::string& path = item(form.files, place.file).path;
    return fmt::format("{}:{}", printable_utf8(path.substr(path.rfind('/') + 1)), place.line);
}

std::string step_lines(const Form& form, const Explanation& explanation) {
    std::string out;
    for (std::size_t n = 0; n < explanation.steps.size(); ++n) {
        const TracedStep& step = explanation.steps[n];
        const bool is_last = n + 1 == explanation.steps.size();
        if (!is_last && !is_shown(item(form.statements, step.statement).op)) continue;
        const int finger = is_last ? step.finger : explanation.steps[n + 1].finger;
        const bool stops = is_last && !explanation.is_move;
        const std::string line = fmt::format(
            "  {:<20} {:<{}} {:<4}{}", place_of(form, step.statement),
            source_of(form, step.statement), kWidestStatement,
            finger == kNone ? "" : form.board.algebraic(finger), stops ? " stops here" : "");
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
}

}  // namespace

Explanation explained(const std::shared_ptr<const Tables>& tables, const State& position,
                      const std::string& move) {
    Search search(move);
    Machine machine(tables);
    machine.load(position);
    machine.watch(&search);
    MoveList list;
    machine.moves(list, true);
    return std::move(search).result(tables->form());
}

std::string text_of(const Form& form, const Explanation& explanation) {
    const std::string move = printable_utf8(explanation.move);
    if (explanation.is_move) {
        return move + " is a move:\n" + step_lines(form, explanation);
    }
    if (explanation.steps.empty()) {
        return move + " is no move: no derivation's name begins like it\n";
    }
    std::string out = fmt::format("{} is no move; the derivation that came farthest, called {}:\n",
                                  move, explanation.begun);
    out += step_lines(form, explanation);
    out += fmt::format("where derivations called {} stop:\n", explanation.begun);
    for (const Stop& each : explanation.stops) {
        out += fmt::format("  {:<20} {:<{}} {}\n", place_of(form, each.statement),
                           source_of(form, each.statement), kWidestStatement,
                           each.ways == 1 ? "once" : fmt::format("{} times", each.ways));
    }
    return out;
}

}  // namespace assay::rules::multigame
