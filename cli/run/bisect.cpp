#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "cli/frame/commands.h"
#include "cli/frame/rules_mode.h"
#include "cli/frame/values.h"
#include "configs/loader/loader.h"
#include "harness/bisect/bisect_error.h"
#include "harness/bisect/git_bisect.h"
#include "harness/build/build_cache.h"
#include "harness/build/git_repository.h"
#include "harness/build/own_files.h"

namespace assay::cli {

namespace {

namespace json = boost::json;
using harness::BisectOn;
using harness::BisectResult;
using harness::BisectStep;
using harness::GitRepository;
using Judgement = BisectStep::Judgement;

constexpr const char* kBisectExamples = R"(examples:
  assay bisect gate.yaml --good v1.2 --bad HEAD --on elo
  assay bisect gate.yaml --good v1.2 --bad HEAD --on crash --pairs 200
  assay bisect gate.yaml --good v1.2 --bad HEAD --on bench              # the signature changed
  assay bisect gate.yaml --good v1.2 --bad HEAD --on bench --speed -5   # 5 % slower
  assay bisect gate.yaml --good v1.2 --bad HEAD --on query --expect 'quiescence explosion'
  git bisect run assay bisect gate.yaml --good v1.2 --on elo --step

The commits are those of the first program of the first match (on query: of the suite), which needs
'git' in the config. A commit that does not build or is not decided is skipped.

exit codes: 0 found · 2 wrong flags or config · 3 not decided, or only a range of commits ·
4 the good commit or the machine failed ·
129/130/143 stopped by a signal; the same command continues
with --step, for git bisect run: 0 good · 1 bad · 125 cannot be judged ·
128 wrong flags or config, or the machine failed: git bisect gives up)";

constexpr int kSkip = 125;
constexpr int kAbort = 128;  // git bisect run gives up

struct BisectFlags {
    configs::RunFlags plan;
    harness::RunOptions options;
    std::string good;
    std::string bad = "HEAD";
    std::string on;
    std::string expectation;
    double confidence = 0.95;
    double width = 50;
    double speed = 0;
    std::int64_t pairs = 0;
    bool step = false;
    bool json = false;
};

/// Shows builds and warnings. The games of a step are shown as one line.
class Notes final : public harness::Listener {
public:
    explicit Notes(std::FILE* out) : out_(out) {}

    void on_note(std::string_view text) override {
        fmt::print(out_, "  {}\n", printable_utf8(text));
        std::fflush(out_);
    }

private:
    std::FILE* out_;
};

std::string_view name_of(Judgement judgement) {
    return enum_names<Judgement>("good", "bad", "skipped").of(judgement);
}

BisectOn on_of(const std::string& word) {
    if (word == "elo") return BisectOn::Elo;
    if (word == "bench") return BisectOn::Bench;
    return word == "crash" ? BisectOn::Crash : BisectOn::Query;
}

/// Runs one bisection and prints its result.
class Bisection {
public:
    explicit Bisection(const BisectFlags& flags)
        : flags_(flags),
          people_(flags.json ? stderr : stdout),
          notes_(people_),
          plan_(configs::plan_from_flags(flags.plan)),
          git_(*harness::bisected_program(plan_, on_of(flags.on)).git),
          repository_(runner_, git_.repo, harness::builds_folder(flags.options.store) + "/mirrors"),
          good_(repository_.commit_of(flags.good)) {
        rules_.on = on_of(flags.on);
        rules_.width = flags.width;
        rules_.pairs = flags.pairs;
        rules_.expectation = flags.expectation;
        if (!flags.expectation.empty() && rules_.on != BisectOn::Query)
            throw Error("bisect: --expect names an expectation of a suite, for --on query");
        if (flags.speed != 0) rules_.percent = flags.speed;
    }

    int judge_checkout() {
        rules_.error = harness::error_of_each(flags_.confidence, 1);
        const std::string commit = repository_.commit_of("HEAD");
        const std::string objects = harness::builds_folder(flags_.options.store) + "/objects";
        const bool is_clean =
            repository_.tree_of_files(
                objects, harness::own_files(flags_.options.store, flags_.options.outputs)) ==
            repository_.tree_of_commit(commit);
        harness::BisectJudge judge = this->judge();
        BisectStep step = judge.judge_good().value_or(good_step());
        if (step.judgement == Judgement::Bad) {
            step.is_failure = true;
            step.reason = "the good commit is bad itself: " + step.reason;
        }
        if (step.signal == 0 && !step.is_failure) {
            step = judge.judge(is_clean ? commit : "worktree");
        }
        if (step.signal != 0 || step.is_failure) {
            fmt::print(stderr, "cannot judge: {}\n", printable_utf8(step.reason));
            return kAbort;
        }
        fmt::print(people_, "{}: {}\n", name_of(step.judgement), printable_utf8(step.reason));
        if (step.judgement == Judgement::Skip) return kSkip;
        return step.judgement == Judgement::Good ? 0 : 1;
    }

    int search() {
        const std::string bad = repository_.commit_of(flags_.bad);
        const auto candidates = repository_.bisection(bad, {good_});
        if (candidates.empty()) {
            throw Error(fmt::format("bisect: {} has no commit that {} does not have",
                                    printable_utf8(flags_.bad), printable_utf8(flags_.good)));
        }
        const int judgements = harness::judgements_of(candidates.size());
        rules_.error = harness::error_of_each(flags_.confidence, judgements);
        fmt::print(people_, "{} after {} up to {}, on {}: about {} steps{}\n",
                   counted(candidates.size(), "commit"), good_.substr(0, 7), bad.substr(0, 7),
                   flags_.on, judgements, rule_text());
        harness::BisectJudge judge = this->judge();
        const auto show_end = [this](BisectStep step, const std::string& commit) {
            step.commit = commit;
            show(step);
            ends_.push_back(step);
            return step;
        };
        if (const auto judged = judge.judge_good()) {
            const BisectStep good = show_end(*judged, good_);
            if (good.signal != 0) return 128 + good.signal;
            if (good.is_failure) return 4;
            if (good.judgement != Judgement::Good) return good_is_bad();
        }
        const BisectStep first = show_end(judge.judge(bad), bad);
        if (first.signal != 0) return 128 + first.signal;
        if (first.is_failure) return 4;
        if (first.judgement != Judgement::Bad) return nothing_to_find(first);
        const BisectResult result = harness::bisect(
            good_, bad,
            [&](const std::string& worst, const std::vector<std::string>& goods) {
                return repository_.bisection(worst, goods);
            },
            [&](const std::string& commit) {
                BisectStep step = judge.judge(commit);
                step.commit = commit;
                show(step);
                return step;
            });
        return conclude(result);
    }

private:
    [[nodiscard]] harness::BisectJudge judge() {
        return {plan_, good_, rules_, flags_.options, {&notes_}, clock_};
    }

    [[nodiscard]] std::string rule_text() const {
        if (rules_.on != BisectOn::Elo) return "";
        return fmt::format(", each an sprt from {} to 0 nElo with errors of {} %",
                           plain_number(-rules_.width), plain_number(rules_.error * 100, 2));
    }

    [[nodiscard]] std::string line_of(const std::string& commit) const {
        return fmt::format("{} {}", commit.substr(0, 7), repository_.describe(commit).subject);
    }

    void show(const BisectStep& step) const {
        if (step.signal != 0) return;
        fmt::print(people_, "{:<8} {}: {}\n", step.is_failure ? "failed" : name_of(step.judgement),
                   line_of(step.commit), printable_utf8(step.reason));
        std::fflush(people_);
    }

    [[nodiscard]] static BisectStep good_step() {
        BisectStep step;
        step.judgement = Judgement::Good;
        return step;
    }

    int good_is_bad() const {
        fmt::print(people_,
                   "{} is bad itself, so that no commit after it can be called the first; name an "
                   "older --good\n",
                   good_.substr(0, 7));
        if (flags_.json) print_json({});
        return 3;
    }

    int nothing_to_find(const BisectStep& first) const {
        fmt::print(people_,
                   "{} is not shown to be bad compared with {}: there is nothing to find{}\n",
                   first.commit.substr(0, 7), good_.substr(0, 7), what_finds_more());
        if (flags_.json) print_json({});
        return 3;
    }

    /// What would find less of a fault, on what is looked at.
    [[nodiscard]] std::string what_finds_more() const {
        switch (rules_.on) {
            case BisectOn::Elo:
                return ", or it takes a smaller --width or more --pairs";
            case BisectOn::Crash:
                return ", or it takes more --pairs";
            case BisectOn::Bench:
                return rules_.percent ? ", or it takes a --speed nearer to 0" : "";
            case BisectOn::Query:
                break;
        }
        return "";
    }

    int conclude(const BisectResult& result) const {
        if (result.signal != 0) return 128 + result.signal;
        if (result.is_failure) return 4;
        if (flags_.json) print_json(result);
        if (result.candidates.size() == 1) {
            fmt::print(people_, "first bad commit: {}\n", line_of(result.candidates.front()));
        } else {
            fmt::print(people_,
                       "the first bad commit is one of these {}; the others could not be "
                       "judged:\n",
                       result.candidates.size());
            for (const std::string& commit : result.candidates)
                fmt::print(people_, "  {}\n", line_of(commit));
        }
        fmt::print(people_, "  {}\n", confidence_text(result.decisions + 1));
        return result.candidates.size() == 1 ? 0 : 3;
    }

    [[nodiscard]] std::string confidence_text(int decisions) const {
        if (rules_.on == BisectOn::Bench && !rules_.percent)
            return "certain: signatures are equal or they differ";
        if (rules_.on == BisectOn::Query)
            return "an expectation holds or it does not: certain where a search is the same every "
                   "time (depth or nodes, one thread)";
        if (rules_.on == BisectOn::Crash)
            return "a crash is certain; a commit called good only had none in its games";
        return fmt::format(
            "confidence {} % at least: {} decisions, each wrong in at most "
            "{} % for a difference of {} or none",
            plain_number(confidence_of(rules_, decisions) * 100, 3), decisions,
            plain_number((1 - confidence_of(rules_, 1)) * 100, 2),
            rules_.on == BisectOn::Elo ? plain_number(rules_.width) + " nElo"
                                       : plain_number(*rules_.percent) + " %");
    }

    void print_json(const BisectResult& result) const {
        json::array steps;
        const auto add = [&](const BisectStep& step) {
            steps.push_back(json::object{{"commit", step.commit},
                                         {"judgement", json::string(name_of(step.judgement))},
                                         {"reason", printable_utf8(step.reason)},
                                         {"run", step.run > 0 ? json::value(step.run) : nullptr}});
        };
        for (const BisectStep& step : ends_) add(step);
        for (const BisectStep& step : result.steps) add(step);
        const bool is_found = result.candidates.size() == 1;
        const json::object out{
            {"schema", 1},
            {"good", good_},
            {"first_bad", is_found ? json::value(result.candidates.front()) : nullptr},
            {"candidates", json::value_from(result.candidates)},
            {"confidence",
             is_found ? json::value(confidence_of(rules_, result.decisions + 1)) : nullptr},
            {"steps", std::move(steps)}};
        fmt::print("{}\n", json::serialize(out));
    }

    const BisectFlags& flags_;
    std::FILE* people_;
    Notes notes_;
    SteadyClock clock_;
    adapters::CommandRunner runner_;
    harness::RunPlan plan_;
    harness::GitPlan git_;
    GitRepository repository_;
    std::string good_;
    harness::BisectRules rules_;
    std::vector<BisectStep> ends_;  // what was judged of the good and the bad end
};

}  // namespace

void add_bisect(Command& app, Exit& exit) {
    const auto flags = std::make_shared<BisectFlags>();
    Command* const command = app.add_subcommand(
        "bisect", "find the first bad commit, by a sequential test at each step");
    command->add_option("config", flags->plan.files, "a config whose first program is from git")
        ->type_name("CONFIG.yaml")
        ->required();
    command->add_option("--good", flags->good, "a commit that is good")
        ->type_name("REF")
        ->required();
    command->add_option("--bad", flags->bad, "a commit that is bad")
        ->type_name("REF")
        ->capture_default_str();
    command->add_option("--on", flags->on, "what makes a commit bad")
        ->type_name("elo|query|bench|crash")
        ->required()
        ->transform(one_of({"elo", "query", "bench", "crash"}));
    command
        ->add_option("--expect", flags->expectation,
                     "on query: only this expectation of the suite; default: any")
        ->type_name("NAME");
    command->add_option("--width", flags->width, "on elo: how much worse is bad, in nElo")
        ->type_name("NELO")
        ->transform(number(0.1, 1000.0))
        ->capture_default_str();
    command->add_option("--speed", flags->speed, "on bench: bad is slower than this, in percent")
        ->type_name("PERCENT")
        ->transform(number(-99.0, -0.1));
    command->add_option("--pairs", flags->pairs, "on elo and crash: maximum pairs for each step")
        ->type_name("N")
        ->transform(number(std::int64_t{1}, std::int64_t{1'000'000'000}));
    command
        ->add_option("--confidence", flags->confidence,
                     "confidence that the commit found is the first bad one")
        ->type_name("P")
        ->transform(number(0.5, 0.9999))
        ->capture_default_str();
    command->add_option("--set", flags->plan.sets, "overrides one value of the config")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command->add_option("--db", flags->options.store, "the store")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_flag("--step", flags->step, "judge the checked-out files, for 'git bisect run'");
    command->add_flag("--json", flags->json, "the result as JSON on standard output");
    command->footer(kBisectExamples);
    command->callback([flags, &exit] {
        // A git that ends before it has read its input ends nothing else.
        static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
        flags->options.assay_version = ASSAY_VERSION;
        flags->options.command_line = exit.command_line;
        use_rules_mode("auto");
        Bisection bisection(*flags);
        exit.code = flags->step ? bisection.judge_checkout() : bisection.search();
    });
}

}  // namespace assay::cli
