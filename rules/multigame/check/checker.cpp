// The phases in their order. A phase that needs what an earlier one found missing is left out:
// flow, for instance, is inferred only where all names are known, because each unknown rule would
// look like one that can never succeed.
#include "rules/multigame/check/checker.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "rules/multigame/check/calls.h"
#include "rules/multigame/check/declarations.h"
#include "rules/multigame/check/flow_reports.h"
#include "rules/multigame/check/lowering.h"
#include "rules/multigame/syntax/parser.h"

namespace assay::rules::multigame {

namespace {

void check_rules(Form& form, const Lowering& lowering, Problems& problems) {
    Calls calls(form, problems);
    calls.check();
    report_flow(form, calls, problems);
    for (const Lowering::Unused& each : lowering.unused()) {
        problems.warning(each.name.place,
                         fmt::format("nobody uses the {} '{}'", each.kind, each.name.text));
    }
}

void check_program(const std::vector<Tree>& trees, Form& form, Problems& problems) {
    const Merged program = merged(trees);
    lower_declarations(program, form, problems);
    lower_text(program, form, problems);
    Lowering lowering(program, form, problems);
    lowering.reach_roots();
    // Rules that nobody reaches are checked in a copy and left out of the form, and their fingers
    // and hands, which depend on the calls, are not checked.
    Form reached = form;
    lowering.reach_own_rules();
    if (problems.has_errors()) return;
    Calls(form, problems).check();
    form = std::move(reached);
    check_rules(form, lowering, problems);
    if (!problems.has_errors()) lower_counts(program, form, problems);
}

}  // namespace

Checked checked(std::vector<FormFile> files) {
    Checked out;
    Problems problems(files);
    std::vector<Tree> trees;
    trees.reserve(files.size());
    for (std::size_t n = 0; n < files.size(); ++n) {
        trees.push_back(parsed(files[n].text, static_cast<int>(n), problems));
    }
    if (!problems.has_errors()) {
        check_program(trees, out.form, problems);
    } else if (std::ranges::none_of(trees, &Tree::is_incomplete)) {
        // Names are checked as well, so that a user sees all errors at once.
        Form scratch;
        check_program(trees, scratch, problems);
    }
    out.has_errors = problems.has_errors();
    for (Diagnostic& each : problems.sorted()) {
        if (each.is_warning && out.has_errors) continue;
        out.problems.push_back(std::move(each));
    }
    out.form.files = std::move(files);
    return out;
}

Form compiled(std::vector<FormFile> files) {
    Checked result = checked(std::move(files));
    if (result.has_errors) throw SyntaxError(std::move(result.problems));
    return std::move(result.form);
}

}  // namespace assay::rules::multigame
