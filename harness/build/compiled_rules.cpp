#include "harness/build/compiled_rules.h"

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unistd.h>
#include <utility>

#include "adapters/process/command.h"
#include "base/diagnostic.h"
#include "base/replaced_file.h"
#include "base/text.h"
#include "harness/build/rules_cache.h"
#include "rules/multigame/check/program_files.h"
#include "rules/multigame/object/object_files.h"
#include "rules/multigame/play/multigame_game.h"

namespace assay::harness {

namespace {

namespace mg = rules::multigame;

constexpr std::uint64_t kTrialOutput = 1U << 16U;

class CompiledRules {
public:
    explicit CompiledRules(CompiledRulesOptions options) : options_(std::move(options)) {}

    /// Null: the rules are interpreted.
    [[nodiscard]] std::shared_ptr<const mg::CompiledProgram> find(const mg::Form& form) {
        const std::lock_guard lock(mutex_);
        const std::string hash = mg::hash_of_rules(form);
        const auto [known, is_new] = programs_.try_emplace(hash);
        const bool is_needed = options_.mode == RulesMode::Compiled;
        if (!is_new && (known->second || !is_needed)) return known->second;
        if (options_.shipped) known->second = options_.shipped(hash);
        if (known->second) return known->second;
        known->second = mg::load_object(options_.folder, hash);
        if (known->second) return known->second;
        std::string reason = build(form, hash);
        known->second = mg::load_object(options_.folder, hash);
        if (known->second) return known->second;
        if (reason.empty()) reason = "the object that was built cannot be loaded";
        report(form, reason);
        return nullptr;
    }

private:
    /// Empty, or why there is no object.
    [[nodiscard]] std::string build(const mg::Form& form, const std::string& hash) {
        std::string c_text;
        try {
            const auto tables = std::make_shared<const mg::Tables>(form);
            c_text = mg::write_c(form, mg::first_position(tables));
        } catch (const Error& error) {
            return error.what();
        }
        std::string reason;
        // Not a member: this object lives until the process ends, longer than what a runner needs.
        adapters::CommandRunner runner;
        for (const std::string& compiler : options_.compilers) {
            RulesCache cache(runner, options_.folder, {compiler}, std::chrono::minutes(3),
                             {options_.say});
            if (!cache.has_compiler()) continue;
            const BuiltRules built = cache.build(c_text, hash, [&](const std::string& object) {
                return tried(runner, object, form);
            });
            if (!built.object.empty()) return "";
            if (reason.empty()) reason = built.reason;
        }
        if (!reason.empty()) return reason;
        return "there is no C compiler (" + joined(options_.compilers, ", ") + ")";
    }

    /// Empty, or why the object cannot be used.
    [[nodiscard]] std::string tried(adapters::CommandRunner& runner, const std::string& object,
                                    const mg::Form& form) {
        if (options_.trial.empty()) return "";
        const std::string rules = object + std::string(mg::kRulesEnding);
        ReplacedFile file(rules);
        file.write(mg::joined_text(form.files));
        file.commit();
        adapters::ProgramSpec spec;
        spec.name = options_.trial.front();
        spec.argv = options_.trial;
        spec.argv.insert(spec.argv.end(), {object, rules});
        std::string said;
        const adapters::CommandEnd end =
            runner.run(spec, {options_.trial_time, kTrialOutput},
                       [&](std::string_view bytes, bool) { said += bytes; });
        std::error_code ignored;
        std::filesystem::remove(rules, ignored);
        if (end.is_success()) return "";
        const std::string first(trim(said.substr(0, said.find('\n'))));
        return "the trial of the compiled rules " + end.reason +
               (first.empty() ? "" : ": " + printable_utf8(first));
    }

    void report(const mg::Form& form, const std::string& reason) const {
        const std::string game = mg::game_name_of(form.files.back().path);
        const std::string name = printable_utf8(game);
        if (options_.mode == RulesMode::Compiled) {
            throw Error("the rules of " + name + " cannot be compiled: " + reason, 4);
        }
        if (options_.say) options_.say("the rules of " + name + " are interpreted: " + reason);
    }

    CompiledRulesOptions options_;
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const mg::CompiledProgram>> programs_;  // by hash
};

}  // namespace

void compile_rules(CompiledRulesOptions options) {
    if (options.mode == RulesMode::Interpreted) {
        mg::use_compiled_rules({});
        return;
    }
    const auto rules = std::make_shared<CompiledRules>(std::move(options));
    mg::use_compiled_rules([rules](const mg::Form& form) { return rules->find(form); });
}

}  // namespace assay::harness
