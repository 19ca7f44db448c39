#include "cli/book/program_rules.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "adapters/check/rules_comparison.h"
#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/random.h"
#include "base/text.h"
#include "cli/frame/rules_mode.h"
#include "reports/web/board_file.h"
#include "rules/make_game.h"
#include "rules/multigame/check/checker.h"
#include "rules/multigame/interpret/explanation.h"
#include "rules/multigame/interpret/perft.h"
#include "rules/multigame/interpret/trial.h"
#include "rules/multigame/object/compiled_counter.h"
#include "rules/multigame/play/multigame_game.h"
#include "rules/multigame/play/played_rules.h"

namespace assay::cli {

namespace {

namespace mg = rules::multigame;

constexpr Micros kAnswerPatience = std::chrono::minutes(10);

struct LoadedRules {
    std::unique_ptr<mg::Form> form;
    std::shared_ptr<const mg::Tables> tables;
};

LoadedRules loaded_rules(mg::Form form) {
    LoadedRules made;
    made.form = std::make_unique<mg::Form>(std::move(form));
    made.tables = std::make_shared<mg::Tables>(*made.form);
    return made;
}

LoadedRules loaded_rules(const std::string& path) {
    return loaded_rules(mg::compiled(mg::files_of(path, mg::read_rules_file)));
}

/// The compiled rules that --rules asks for; null: there are none.
std::shared_ptr<const mg::CompiledProgram> compiled_by_mode(const RulesOptions& options) {
    use_rules_mode(options.rules);
    return mg::compiled_program_of(*rules::make_game(rules::find_game(options.game)));
}

/// Counts by compiled rules, and by the interpreter where there are none, where they report an
/// error, or where names make moves different.
class SequenceCounter {
public:
    SequenceCounter(const LoadedRules& program, const RulesOptions& options)
        : interpreted_(program.tables,
                       options.by_name ? mg::Different::Names : mg::Different::Positions),
          by_name_(options.by_name) {
        if (by_name_) return;
        if (auto compiled = compiled_by_mode(options)) compiled_.emplace(std::move(compiled));
    }

    [[nodiscard]] std::uint64_t count(const mg::State& from, int depth) {
        if (compiled_) {
            if (const auto nodes = compiled_->count(from, depth)) return *nodes;
        }
        return interpreted_.count(from, depth);
    }

    /// By name, in order.
    [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> divide(const mg::State& from,
                                                                            int depth) {
        if (by_name_) return interpreted_.divide(from, depth);
        auto lines = interpreted_.divide(from, 1);
        mg::Machine machine(interpreted_.tables());
        machine.load(from);
        mg::MoveList list;
        machine.moves(list);
        std::size_t line = 0;
        for (std::size_t n = 0; n < list.moves.size(); ++n) {
            const mg::MoveEntry& move = list.moves[n];
            if (move.is_claim) continue;
            const bool is_over = move.verdict != mg::Verdict::None && depth > 1;
            machine.apply(list, n);
            lines[line++].second = is_over ? 0 : count(machine.state(), depth - 1);
            machine.take_back(list, n);
        }
        return lines;
    }

private:
    mg::MoveCounter interpreted_;
    bool by_name_;
    std::optional<mg::CompiledCounter> compiled_;
};

std::vector<mg::State> asked_positions(const LoadedRules& program, const RulesOptions& options) {
    if (options.text) return {mg::state_of(*program.form, *options.text)};
    return mg::start_states(program.tables);
}

bool check_counts(const LoadedRules& program) {
    bool is_right = true;
    mg::MoveCounter counter(program.tables);
    for (const mg::KnownCounts& known : program.form->counts) {
        for (std::size_t n = 0; n < known.numbers.size(); ++n) {
            const int depth = static_cast<int>(n) + 1;
            const std::uint64_t counted =
                known.is_start ? counter.count_from_start(depth)
                               : counter.count(mg::state_of(*program.form, known.text), depth);
            if (counted == known.numbers[n]) {
                fmt::print("ok   {} depth {}: {}\n", known.is_start ? "start" : known.text, depth,
                           counted);
                continue;
            }
            is_right = false;
            const mg::Place& place = known.places[n];
            const mg::FormFile& file = mg::item(program.form->files, place.file);
            fmt::print("{}", format(Source(file.path, file.text)
                                        .at_line(static_cast<std::size_t>(place.line),
                                                 static_cast<std::size_t>(place.column),
                                                 static_cast<std::size_t>(place.width),
                                                 fmt::format("at depth {} there are {} sequences "
                                                             "of moves",
                                                             depth, counted))));
        }
    }
    return is_right;
}

void print_trial(const mg::Form& form, const mg::Trial& trial) {
    const double games = std::max(trial.games, 1);
    fmt::print("{} random games: {:.1f} plies on average, {} at most; {:.1f} moves a position\n",
               trial.games, static_cast<double>(trial.plies) / games, trial.longest,
               static_cast<double>(trial.moves) /
                   static_cast<double>(std::max<std::uint64_t>(trial.positions, 1)));
    if (form.players == 2) {
        fmt::print("{} {}, {} {}, draws {}, without end {}\n", form.sides[0], trial.wins[0],
                   form.sides[1], trial.wins[1], trial.draws, trial.unfinished);
    } else {
        fmt::print("won {}, lost {}, drawn {}, without end {}\n", trial.wins[0], trial.wins[1],
                   trial.draws, trial.unfinished);
    }
    for (const auto& [reason, count] : trial.endings) {
        fmt::print("{:>6} {}\n", count, reason.empty() ? "without a reason" : reason);
    }
    for (const auto& [variable, count] : trial.silent) {
        fmt::print(
            "in {} positions two ways to one move differ in the silent variable '{}'; the "
            "first way counts\n",
            count, variable);
    }
    for (const std::string& line : mg::uncovered(form, trial.counts)) fmt::print("{}\n", line);
}

}  // namespace

bool is_rules_file(const std::string& game) {
    return game.ends_with(mg::kRulesEnding);
}

void check_program_rules(const RulesOptions& options, Exit& exit) {
    mg::Checked result = mg::checked(mg::files_of(options.game, mg::read_rules_file));
    if (result.has_errors) throw SyntaxError(std::move(result.problems));
    for (const Diagnostic& each : result.problems) fmt::print("{}", format(each));
    const LoadedRules program = loaded_rules(std::move(result.form));
    std::string told;
    const auto tell = [&](const mg::RuleError& error) {
        if (told != error.what()) fmt::print("{}\n", error.what());
        told = error.what();
        exit.code = 1;
    };
    try {
        if (!check_counts(program)) exit.code = 1;
    } catch (const mg::RuleError& error) {
        tell(error);
    }
    mg::TrialOptions asked;
    asked.games = options.games;
    asked.seed = options.seed;
    try {
        const mg::Trial trial = mg::tried(program.tables, asked);
        print_trial(*program.form, trial);
        for (const std::string& error : trial.rule_errors) fmt::print("{}\n", error);
        if (!trial.rule_errors.empty()) exit.code = 1;
    } catch (const mg::RuleError& error) {
        tell(error);  // of 'setup': there is no first position
    }
}

void count_program_moves(const RulesOptions& options) {
    const LoadedRules program = loaded_rules(options.game);
    const std::vector<mg::State> from = asked_positions(program, options);
    SequenceCounter counter(program, options);
    const SteadyClock clock;
    const auto timed = [&](int depth) {
        const TimePoint begin = clock.now();
        std::uint64_t nodes = 0;
        for (const mg::State& each : from) nodes += counter.count(each, depth);
        return std::pair(nodes,
                         static_cast<double>(micros_between(begin, clock.now()).count()) / 1e6);
    };
    if (options.json) {
        const auto [nodes, seconds] = timed(options.depth);
        fmt::print("{{\"nodes\":{},\"seconds\":{:.6f}}}\n", nodes, seconds);
        return;
    }
    if (options.divide && options.depth > 0) {
        for (const mg::State& each : from) {
            fmt::print("{}\n", mg::text_of(*program.form, each));
            for (const auto& [name, nodes] : counter.divide(each, options.depth)) {
                fmt::print("{}: {}\n", name, nodes);
            }
        }
        fmt::print("\n");
    }
    fmt::print("{:>5} {:>16} {:>10} {:>10}\n", "depth", "nodes", "seconds", "Mnodes/s");
    const int first = options.divide ? options.depth : std::min(1, options.depth);
    for (int depth = first; depth <= options.depth; ++depth) {
        const auto [nodes, seconds] = timed(depth);
        fmt::print("{:>5} {:>16} {:>10.3f} {:>10.2f}\n", depth, nodes, seconds,
                   static_cast<double>(nodes) / std::max(seconds, 1e-6) / 1e6);
    }
}

void list_program_moves(const RulesOptions& options) {
    const LoadedRules program = loaded_rules(options.game);
    if (options.why) {
        const mg::State from = asked_positions(program, options).front();
        fmt::print("{}",
                   mg::text_of(*program.form, mg::explained(program.tables, from, *options.why)));
        return;
    }
    mg::PlayedRules machine(program.tables, compiled_by_mode(options));
    mg::MoveList list;
    for (const mg::State& each : asked_positions(program, options)) {
        machine.load(each);
        machine.moves(list, true);
        fmt::print("{}\n", mg::text_of(*program.form, each));
        std::size_t real = 0;
        for (std::size_t n = 0; n < list.moves.size(); ++n) {
            const mg::MoveEntry& move = list.moves[n];
            std::string line = list.names[n];
            if (move.is_claim) line += " (claim)";
            if (move.verdict != mg::Verdict::None) {
                line += move.verdict == mg::Verdict::Win    ? " wins"
                        : move.verdict == mg::Verdict::Lose ? " loses"
                                                            : " draws";
            }
            if (move.reason != mg::kNone) {
                line += ": " + mg::item(program.form->texts, move.reason);
            }
            if (move.decision != mg::kNone) line += fmt::format(" ({:.4g})", move.probability);
            for (const mg::Alias& alias : list.aliases) {
                if (alias.move == n) line += " = " + alias.name;
            }
            if (!move.is_claim) ++real;
            fmt::print("{}\n", line);
        }
        fmt::print("{} legal moves\n", real);
    }
}

void dump_program(const RulesOptions& options) {
    fmt::print("{}", mg::dump(*loaded_rules(options.game).form));
}

void print_board(const RulesOptions& options) {
    const auto game = rules::make_game(rules::find_game(options.game));
    const auto position = options.text ? game->parse(*options.text) : game->start();
    const auto picture = position->picture();
    if (!picture) throw Error("this game has no board");
    if (options.svg) {
        const std::string drawn = reports::web::board_file(*game, *position);
        if (drawn.empty()) throw Error("a board of this size is not drawn");
        fmt::print("{}", drawn);
        return;
    }
    fmt::print("{}{}\n", rules::text_of(*picture, ""), position->text());
}

void play_random_games(const RulesOptions& options) {
    use_rules_mode(options.rules);
    const auto game = rules::make_game(rules::find_game(options.game));
    Random random(options.seed);
    for (int n = 0; n < options.games_to_play; ++n) {
        const auto position = options.text ? game->parse(*options.text) : game->start();
        std::string line;
        std::vector<rules::Move> moves;
        while (position->to_move() != rules::kNobody) {
            if (position->to_move() == rules::kChance) {
                moves = {rules::drawn_event(*position, random())};
            } else {
                position->moves(moves);
            }
            const rules::Move move = moves[random.below(moves.size())];
            line += position->name_of(move, rules::Notation::Canonical) + ' ';
            position->make(move);
        }
        const auto result = position->result();
        const int winner = result->scores.winner();
        fmt::print("{}{}: {}\n", line, result->word,
                   winner < 0 ? "drawn" : mg::item(game->info().players, winner) + " wins");
    }
}

void compare_with_program(const RulesOptions& options, Exit& exit) {
    const auto game = rules::make_game(rules::find_game(options.game));
    const auto from = options.text ? game->parse(*options.text) : game->start();
    adapters::ProgramSpec program;
    program.name = options.program.front();
    program.argv = options.program;
    for (const std::string& each : options.options) {
        const std::size_t equal = each.find('=');
        if (equal == std::string::npos) {
            throw Error("--option needs NAME=VALUE, found '" + printable_utf8(each) + "'");
        }
        program.options.emplace_back(each.substr(0, equal), each.substr(equal + 1));
    }
    const SteadyClock clock;
    const adapters::RulesComparison found = adapters::compare_rules(
        *game, *from, !options.text, program, options.depth, kAnswerPatience, clock);
    if (!found.trouble.empty()) {
        throw Error(program.name + " " + found.trouble, 4);
    }
    if (!found.difference) {
        fmt::print("equal: {} sequences of {} moves\n", found.nodes, options.depth);
        return;
    }
    exit.code = 1;
    const adapters::RulesDifference& difference = *found.difference;
    fmt::print("different in {}\n", difference.text);
    if (!difference.path.empty()) fmt::print("after {}\n", assay::joined(difference.path, " "));
    if (!difference.missing.empty()) {
        fmt::print("the program lacks: {}\n", assay::joined(difference.missing, " "));
    }
    if (!difference.surplus.empty()) {
        fmt::print("the rules do not have: {}\n", assay::joined(difference.surplus, " "));
    }
    fmt::print("to see it, tell the program:\n{}\n", difference.command);
}

}  // namespace assay::cli
