#include "harness/plan/plan_secrets.h"

#include <functional>

#include "base/credentials.h"

namespace assay::harness {

namespace {

using OnText = std::function<void(std::string&)>;

void visit_words(std::vector<std::string>& words, const OnText& visit) {
    for (std::string& word : words) visit(word);
}

/// What may name an address: of a repository, of a server that a hook or a build step calls.
void visit_addresses(RunPlan& plan, const OnText& visit) {
    for (ProgramPlan& program : plan.programs) {
        visit_words(program.command, visit);
        visit_words(program.sandbox, visit);
        for (auto& [name, value] : program.options) visit(value);
        if (program.bench) visit_words(program.bench->command, visit);
        if (!program.git) continue;
        visit(program.git->repo);
        for (std::vector<std::string>& step : program.git->build) visit_words(step, visit);
    }
    visit_words(plan.at_end, visit);
}

}  // namespace

bool has_secrets(const RunPlan& plan) {
    RunPlan copy = plan;
    hide_secrets(copy);
    return !(copy == plan);
}

void hide_secrets(RunPlan& plan) {
    for (ProgramPlan& program : plan.programs)
        for (auto& [name, value] : program.env) value = kHiddenValue;
    visit_addresses(plan, [](std::string& text) { text = without_credentials(text); });
}

}  // namespace assay::harness
