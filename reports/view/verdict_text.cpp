// Sentences about a match, the same in all reports. Each says no more than its test shows:
// accepting H1 of a sequential test excludes elo0 and below, with error alpha; accepting H0
// excludes elo1 and above, with error beta; neither says that the strength lies at the bound.
// Between the tests the sentences can seem to disagree, as an interval that contains 0 beside a
// test that excludes it, and then the reason is given (interval_note).
#include "reports/view/verdict_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "harness/plan/resolved_stop.h"
#include "reports/view/estimates.h"
#include "reports/view/machine_rows.h"
#include "reports/view/number_text.h"
#include "stats/plan/sample_size.h"
#include "stats/stop/after_stop.h"

namespace assay::reports {

namespace {

using harness::MatchTally;
using harness::StopPlan;
using harness::Verdict;

std::string pairs_of(const MatchTally& tally) {
    return fmt::format("{} of at most {}", grouped(tally.pairs()),
                       grouped(tally.plan().pairs, "pair"));
}

/// What accepting H1 shows: the strength is not elo0 or less.
std::string accepted_claim(const std::string& first, const std::string& second,
                           const stats::TestState& test) {
    const double elo0 = test.elo0;
    std::string claim;
    if (elo0 < 0) {
        claim = fmt::format("{} is not worse than {} by more than {} {}", first, second,
                            plain_number(-elo0, 3), elo_unit(test.model));
    } else if (elo0 > 0) {
        claim = fmt::format("{} is better than {} by more than {} {}", first, second,
                            plain_number(elo0, 3), elo_unit(test.model));
    } else {
        claim = fmt::format("{} is better than {}", first, second);
    }
    return fmt::format("{} ({} error)", claim, percent(test.alpha));
}

/// What accepting H0 shows: the strength is not elo1 or more.
std::string rejected_claim(const std::string& first, const std::string& second,
                           const stats::TestState& test) {
    const double elo1 = test.elo1;
    std::string claim;
    if (elo1 > 0) {
        claim = fmt::format("{} is not better than {} by {} {} or more", first, second,
                            plain_number(elo1, 3), elo_unit(test.model));
    } else if (elo1 < 0) {
        claim = fmt::format("{} is worse than {} by more than {} {}", first, second,
                            plain_number(-elo1, 3), elo_unit(test.model));
    } else {
        claim = fmt::format("{} is worse than {}", first, second);
    }
    return fmt::format("{} ({} error)", claim, percent(test.beta));
}

std::string fixed_claim(const std::string& first, const std::string& second,
                        const MatchTally& tally) {
    const double p = stats::sign_flip_test(tally.pentanomial()).p_value;
    return fmt::format("{} is {} than {} (sign-flip {}, threshold {})", first,
                       tally.verdict() == Verdict::Accepted ? "better" : "worse", second,
                       p_value(p), plain_number(tally.plan().stop.alpha.value_or(0.05)));
}

/// "the 60 minutes", "the minute", "the 0.5 minutes".
std::string minutes_text(Micros time) {
    const double minutes = static_cast<double>(time.count()) / 60e6;
    return minutes == 1 ? std::string("the minute")
                        : fmt::format("the {} minutes", plain_number(minutes));
}

/// The budget that ended before all pairs were played; empty where none did.
std::string exhausted_budget(const MatchTally& tally) {
    if (tally.is_book_exhausted()) {
        if (tally.plan().openings.book == harness::kRandomOpenings)
            return fmt::format("the random openings repeat after {}; ask for more plies",
                               pairs_of(tally));
        // The default book is of EPD, which games of a text do not read.
        const bool is_bookless =
            tally.plan().openings.book == "none" ||
            (tally.plan().openings.book == "default" && !tally.plan().game.text.empty());
        if (is_bookless)
            return fmt::format("its one opening is used up after {}; give it a book",
                               pairs_of(tally));
        return fmt::format("the book is used up after {}; take a larger one", pairs_of(tally));
    }
    if (tally.is_out_of_time()) {
        const auto& minutes = tally.plan().stop.minutes;
        const std::string budget =
            minutes ? minutes_text(*minutes) : std::string("the time allowed");
        return fmt::format("{} ended after {}; --extend PAIRS goes on, with the time anew", budget,
                           pairs_of(tally));
    }
    return "";
}

std::string inconclusive_reason(const RunView& view, const MatchTally& tally) {
    const StopPlan& stop = tally.plan().stop;
    if (std::string reason = exhausted_budget(tally); !reason.empty()) return reason;
    if (tally.pairs() >= tally.plan().pairs) {
        if (stop.rule == StopPlan::Rule::Fixed) {
            const double p = stats::sign_flip_test(tally.pentanomial()).p_value;
            return fmt::format("after all {} the sign-flip test has {}, threshold {}",
                               grouped(tally.plan().pairs, "pair"), p_value(p),
                               plain_number(stop.alpha.value_or(0.05)));
        }
        if (harness::is_too_short(tally.plan())) {
            return fmt::format("a capped test takes {} pairs at least, and had {}",
                               harness::kFewestCapped, tally.plan().pairs);
        }
        return fmt::format("all {} are played and the rule has not decided; go on with --extend",
                           grouped(tally.plan().pairs, "pair"));
    }
    return fmt::format("stopped after {}; resume with {}", pairs_of(tally),
                       resume_command(view.run));
}

std::string tainted_reason(const RunView& view, const MatchTally& tally) {
    if (tally.harness_losses() > 0) {
        return fmt::format(
            "{} on time by the harness's own delay had to be counted, because {} been voided for "
            "it before; is the machine overloaded? see assay doctor",
            grouped(tally.harness_losses(), "loss", "losses"),
            grouped(tally.voided(), "pair had", "pairs had"));
    }
    if (tally.is_voided_too_often()) {
        return fmt::format(
            "{} voided for the harness's own delay, more than 1 % of all; is the machine "
            "overloaded? see assay doctor",
            grouped(tally.voided(), "pair was", "pairs were"));
    }
    if (!tally.is_changed_by_failures()) return machines_reason(tally, view.run);
    harness::Failures all = tally.failures()[0];
    all += tally.failures()[1];
    const auto word = [](Verdict verdict) {
        return verdict == Verdict::None ? "inconclusive" : harness::name_of(verdict);
    };
    const harness::ScenarioVerdicts& verdicts = tally.scenario_verdicts();
    std::string others = fmt::format("as scored {}, without them {}", word(tally.verdict()),
                                     word(verdicts.without_failures));
    if (word(verdicts.without_failures) == word(tally.verdict())) {
        others = fmt::format("as scored {}, at best {}, at worst {}", word(tally.verdict()),
                             word(verdicts.best_case), word(verdicts.worst_case));
    }
    return fmt::format("{} would change the verdict ({}); see assay report {}", failures_text(all),
                       others, view.run.id) +
           store_flag(view.store_path);
}

}  // namespace

std::string resume_command(const harness::RunRecord& run) {
    std::string command = printable_utf8(run.command_line);
    if (command.empty()) command = "assay run " + printable_utf8(run.name) + ".yaml";
    if (command.find("--resume") == std::string::npos) command += " --resume";
    return command;
}

std::string_view rule_words(std::string_view rule) {
    if (rule == stats::name_of(stats::Shape::Closing)) return "symmetric closing";
    return rule.starts_with("closing") ? "closing" : rule;
}

std::string_view elo_unit(std::string_view model) {
    if (model == "logistic") return "Elo";
    return model == "bayesian" ? "BayesElo" : "nElo";
}

std::string_view verdict_word(const MatchTally& tally) {
    if (tally.is_tainted()) return "tainted";
    return harness::name_of(tally.verdict());
}

std::string verdict_sentence(const RunView& view, const MatchView& match) {
    const MatchTally& tally = *match.tally;
    const std::string_view word = verdict_word(tally);
    if (word.empty()) return "";
    if (tally.is_tainted()) return fmt::format("tainted: {}.", tainted_reason(view, tally));
    if (tally.verdict() == Verdict::Inconclusive)
        return fmt::format("inconclusive: {}.", inconclusive_reason(view, tally));
    const std::string first = printable_utf8(program_name(view.run, tally.plan(), 0));
    const std::string second = printable_utf8(program_name(view.run, tally.plan(), 1));
    const stats::TestState test = test_state(tally).value_or(stats::TestState{});
    std::string claim;
    if (tally.plan().stop.rule == StopPlan::Rule::Fixed) {
        claim = fixed_claim(first, second, tally);
    } else if (tally.verdict() == Verdict::Accepted) {
        claim = accepted_claim(first, second, test);
    } else {
        claim = rejected_claim(first, second, test);
    }
    return fmt::format("{}: {}, after {}.", word, claim, pairs_of(tally));
}

std::string early_end_sentence(const MatchView& match) {
    const std::string reason = exhausted_budget(*match.tally);
    return reason.empty() ? "" : "ended early: " + reason + ".";
}

std::string test_sentence(const RunView& view, const MatchView& match, const Figures& figures) {
    const MatchTally& tally = *match.tally;
    if (tally.pairs() == 0)
        return view.run.shard && tally.plan().pairs == 0
                   ? "This shard has no pair: the run has more shards than pairs."
                   : "No pair is finished, so nothing is known.";
    if (tally.is_changed_by_failures())
        return "The games in which a program failed decide this, so neither test can be relied on.";
    if (is_cut_short(tally)) {
        return fmt::format(
            "{} are played, and a p-value holds only after the last one; the confidence "
            "sequence holds at every moment.",
            pairs_of(tally));
    }
    const bool shown = figures.sign_flip.p_value <= 0.05;
    if (shown) {
        const std::size_t better = figures.balance > 0 ? 0 : 1;
        return fmt::format("Equal programs would rarely score like this: {} is the stronger one.",
                           printable_utf8(program_name(view.run, tally.plan(), better)));
    }
    // Below 1 nElo the number of pairs is beyond any practical match, and the value that few pairs
    // show is mostly chance.
    double nelo = 10;
    if (figures.strength.nelo.value && tally.pairs() >= stats::kLeastUnits) {
        const double seen = std::abs(*figures.strength.nelo.value);
        nelo = seen < 1 ? 5 : seen;
    }
    const int decimals = nelo < 10 ? 1 : 0;
    nelo =
        std::round(nelo * (decimals == 1 ? 10 : 1)) / (decimals == 1 ? 10 : 1);  // as it is shown
    constexpr double kPower = 0.8;
    return fmt::format(
        "This does not show that either is stronger. To tell {:.{}f} nElo from 0 at 95 % with "
        "power {} takes about {} pairs.",
        nelo, decimals, percent(kPower), grouped(rough(stats::fixed_pairs(nelo, 0.05, kPower))));
}

std::string interval_note(const MatchView& match, const Figures& figures,
                          const KindOfEstimate& quoted) {
    const MatchTally& tally = *match.tally;
    const StopPlan& stop = tally.plan().stop;
    const bool is_open = tally.verdict() == Verdict::None && stop.rule != StopPlan::Rule::None;
    if (tally.pairs() == 0 || tally.is_tainted() || is_open || is_cut_short(tally)) return "";
    const stats::TestState test = test_state(tally).value_or(stats::TestState{});
    const bool is_accepted = tally.verdict() == Verdict::Accepted;
    const bool is_decided = is_accepted || tally.verdict() == Verdict::Rejected;
    const bool is_sequential = is_decided && stop.is_sequential();
    const double bound = !is_sequential ? 0 : is_accepted ? test.elo0 : test.elo1;
    if (is_sequential && test.model == "bayesian") return "";
    const bool is_nelo = is_sequential && test.model != "logistic";
    if (is_nelo && !quoted.has_nelo()) return "";
    const auto& [low, high] = is_nelo ? quoted.nelo.ci95 : quoted.elo.ci95;
    if (!low || !high) return "";
    const bool is_inside = *low <= bound && bound <= *high;
    if (is_sequential) {
        if (!is_inside) return "";
        return fmt::format(
            "The interval of 95 % contains {}{} all the same: it leaves out 2.5 % on each side, "
            "while the test errs in at most {} on the side that it decided.",
            plain_number(bound, 3), is_nelo ? " nElo" : "",
            percent(is_accepted ? test.alpha : test.beta));
    }
    const bool is_shown = is_decided || figures.sign_flip.p_value <= 0.05;
    if (is_shown != is_inside) return "";
    return fmt::format(
        "The interval of 95 % {} 0 all the same: it is an approximation, and rough for {}; the "
        "sign-flip test is exact.",
        is_inside ? "contains" : "excludes", grouped(tally.pairs(), "pair"));
}

std::string failures_text(const harness::Failures& failures) {
    struct Kind {
        std::int64_t count;
        std::string_view one;
        std::string_view many;
    };

    const std::array<Kind, 4> kinds{{{failures.time_losses, "loss on time", "losses on time"},
                                     {failures.crashes, "crash", "crashes"},
                                     {failures.illegal_moves, "illegal move", "illegal moves"},
                                     {failures.stalls, "stall", "stalls"}}};
    std::string text;
    for (const Kind& kind : kinds) {
        if (kind.count == 0) continue;
        if (!text.empty()) text += ", ";
        text += grouped(kind.count, kind.one, kind.many);
    }
    return text.empty() ? "none" : text;
}

std::int64_t failures_elsewhere(const harness::MatchTally& tally, std::size_t program) {
    const harness::Failures all = tally.all_failures()[program];
    const harness::Failures& counted = tally.failures()[program];
    // Losses on time that the harness caused are counted, and are not the program's.
    const auto beyond = [](std::int64_t in_all, std::int64_t in_counted) {
        return std::max<std::int64_t>(0, in_all - in_counted);
    };
    return beyond(all.time_losses, counted.time_losses) + beyond(all.crashes, counted.crashes) +
           beyond(all.illegal_moves, counted.illegal_moves) + beyond(all.stalls, counted.stalls);
}

std::string failures_text(const harness::MatchTally& tally, std::size_t program) {
    const std::string text = failures_text(tally.all_failures()[program]);
    const std::int64_t elsewhere = failures_elsewhere(tally, program);
    return elsewhere == 0 ? text
                          : fmt::format("{} ({} not in counted games)", text, grouped(elsewhere));
}

std::vector<PvRow> pv_rows(const harness::RunRecord& run, const harness::MatchTally& tally) {
    std::vector<PvRow> rows;
    for (std::size_t program = 0; program < tally.plan().between.size(); ++program) {
        for (std::size_t flaw = 0; flaw < harness::kPvFlaws; ++flaw) {
            const auto kind = static_cast<harness::PvFlaw>(flaw);
            const harness::PvSummary::Row& counts = tally.pv().row(static_cast<int>(program), kind);
            if (counts.count == 0) continue;
            rows.push_back({program_name(run, tally.plan(), program), kind, &counts});
        }
    }
    return rows;
}

std::string place_text(const harness::PvFinding& finding) {
    return fmt::format("game {}, ply {}{}", finding.game, finding.ply + 1,
                       finding.move.empty() ? "" : ": " + finding.move);
}

}  // namespace assay::reports
