#include "cli/book/book_build.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "adapters/protocols.h"
#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "base/packing.h"
#include "base/text.h"
#include "cli/frame/values.h"
#include "harness/machine/machine.h"
#include "harness/match/match_setting.h"
#include "harness/plan/protocol_fit.h"
#include "harness/program/book_run.h"
#include "harness/program/program_file.h"
#include "openings/build/book_builder.h"
#include "openings/build/book_journal.h"
#include "openings/build/book_writer.h"
#include "openings/shipped.h"
#include "rules/make_game.h"

namespace assay::cli {

namespace {

using openings::BookBuilder;
using openings::BookFormat;
using openings::BookJournal;
using openings::Refusal;

constexpr int kBuildFailed = 4;

constexpr const char* kBookBuildExamples =
    R"(Each opening is the end of a random walk of half-moves. It is kept if two searches put its score
into the window and agree (--stable), and if it is quiet, new, and no mirror image of another one.
The same command makes the same book, if the limit is nodes or depth and the program has one thread.
The book is built in OUT.part; if it is stopped, the same command continues. A walk on which the
program fails twice is skipped.

examples:
  assay book build balanced.epd.zst --program /usr/games/stockfish --count 2000 --window 25
  assay book build unbalanced.epd --program /usr/games/stockfish --window 90..150 --seed 7
  assay book build frc.epd --program /usr/games/stockfish --game chess960 --plies 6 --count 200
  assay book build new.pgn --program /usr/games/stockfish --from games.pgn --plies 0 --window 60

exit codes: 0 made · 2 wrong flags, or no position falls into the window · 4 the program or the
machine failed · 129/130/143 stopped by a signal; the same command continues)";

struct BuildFlags {
    openings::BuildRules rules;
    std::string out;
    std::string program;
    std::string protocol{adapters::kDefaultProtocol};
    std::vector<std::string> options;
    std::string from;
    std::string game = "chess";
    std::string window = "25";
    std::string plies = "8..9";
    bool loud = false;
    int concurrency = 0;
};

/// "A..B", or "B" for `least`..B.
std::pair<int, int> range_of(const std::string& text, const char* flag, std::optional<int> least) {
    const std::size_t dots = text.find("..");
    const auto second =
        to_number<int>(dots == std::string::npos ? text : std::string_view(text).substr(dots + 2));
    auto first = dots == std::string::npos ? (least ? least : second)
                                           : to_number<int>(std::string_view(text).substr(0, dots));
    if (!first || !second || *first < 0 || *first > *second) {
        throw Error(fmt::format("book build: {} needs a number or a range as in 8..9, found '{}'",
                                flag, text));
    }
    return {*first, *second};
}

harness::ProgramPlan program_of(const BuildFlags& flags) {
    harness::ProgramPlan program;
    program.name = flags.program;
    program.command = {flags.program};
    program.protocol = adapters::protocol_named(flags.protocol, " of --protocol").info.name;
    for (const std::string& option : flags.options) {
        const std::size_t equals = option.find('=');
        const std::string name(trim(std::string_view(option).substr(0, equals)));
        if (name.empty())
            throw Error("book build: --option needs NAME=VALUE, found '" + option + "'");
        program.options.emplace_back(name,
                                     equals == std::string::npos ? "" : option.substr(equals + 1));
    }
    return program;
}

std::string limit_text(const openings::BuildRules& rules) {
    return rules.nodes > 0 ? fmt::format("{} nodes", rules.nodes)
                           : fmt::format("depth {}", rules.depth);
}

/// All that determines the book: two commands with the same text make books with the same
/// beginning.
std::string plan_text(const BuildFlags& flags, const harness::VersionRecord& version,
                      const harness::ProgramPlan& program, const openings::Book* from) {
    const openings::BuildRules& rules = flags.rules;
    std::string text = fmt::format("program {} {}\n", version.path, version.sha256);
    for (const auto& [name, value] : program.options)
        text += fmt::format("option {}={}\n", printable_utf8(name), printable_utf8(value));
    for (const auto& [path, hash] : version.files)
        text += fmt::format("file {} {}\n", printable_utf8(path), hash);
    text += fmt::format("game {}, from {}\n", flags.game,
                        from == nullptr ? "its start" : "the book " + from->hash());
    text += fmt::format(
        "seed {}, {} to {} half-moves of {} nodes, spread {}\nscore {} to {}, {}, stable {}{}\n",
        rules.seed, rules.fewest_plies, rules.most_plies, rules.walk_nodes, rules.spread,
        rules.least_score, rules.most_score, limit_text(rules), rules.stable,
        rules.quiet ? ", quiet" : "");
    return text;
}

std::string note_of(const BuildFlags& flags, const std::string& program) {
    const openings::BuildRules& rules = flags.rules;
    const std::string plies = rules.fewest_plies == rules.most_plies
                                  ? fmt::format("{}", rules.most_plies)
                                  : fmt::format("{} to {}", rules.fewest_plies, rules.most_plies);
    return fmt::format(
        "assay " ASSAY_VERSION
        " book build: {} at {}, score {} to {} for one side, {} half-moves{}, seed {}",
        program, limit_text(rules), rules.least_score, rules.most_score, plies,
        flags.from.empty() ? "" : " from a book", rules.seed);
}

std::string time_left(long long seconds) {
    return seconds >= 3600
               ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
               : fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

/// Shows progress: one line that is redrawn on a terminal, elsewhere one line a minute.
class BookProgress {
public:
    BookProgress(const BookBuilder& builder, std::uint64_t wanted, const Clock& clock)
        : builder_(builder),
          wanted_(wanted),
          clock_(clock),
          had_(builder.kept().size()),
          is_live_(::isatty(STDERR_FILENO) == 1),
          begun_(clock.now()),
          shown_(begun_) {}

    void tick() {
        const TimePoint now = clock_.now();
        if (now - shown_ < (is_live_ ? Micros{500'000} : Micros{60'000'000})) return;
        shown_ = now;
        const std::uint64_t made = builder_.kept().size() - had_;
        const double seconds = static_cast<double>(micros_between(begun_, now).count()) / 1e6;
        std::string line = fmt::format(" openings {}/{}   tried {}", builder_.kept().size(),
                                       wanted_, builder_.tried());
        if (made > 0) {
            const double each = seconds / static_cast<double>(made);
            const auto left = static_cast<double>(wanted_ - builder_.kept().size());
            line += fmt::format("   {:.2f} s each   {} left", each,
                                time_left(static_cast<long long>(each * left)));
        }
        fmt::print(stderr, "{}{}", is_live_ ? "\r\x1b[2K" : "", line + (is_live_ ? "" : "\n"));
        std::fflush(stderr);
    }

    void finish() const {
        if (is_live_) fmt::print(stderr, "\r\x1b[2K");
    }

private:
    const BookBuilder& builder_;
    std::uint64_t wanted_;
    const Clock& clock_;
    std::size_t had_;
    bool is_live_;
    TimePoint begun_;
    TimePoint shown_;
};

std::string refusals_text(const BookBuilder& builder) {
    std::string out;
    for (const Refusal why : {Refusal::Window, Refusal::Unsteady, Refusal::Loud, Refusal::Repeated,
                              Refusal::NoMove, Refusal::Failing}) {
        if (builder.refused(why) > 0)
            out +=
                fmt::format("{}{} {}", out.empty() ? "" : ", ", builder.refused(why), text_of(why));
    }
    return out.empty() ? "none refused" : out;
}

/// Searches with the user looking on.
harness::BookRun search(const BuildFlags& flags, const adapters::ProgramSpec& spec, int concurrency,
                        BookBuilder& builder, BookJournal& journal) {
    const SteadyClock clock;
    harness::BookSearch::Setup setup;
    setup.spec = spec;
    setup.concurrency = concurrency;
    setup.on_warning = [&flags](std::string_view text) {
        fmt::print(stderr, "warning: {}: {}\n", flags.program, printable_utf8(text));
    };
    BookProgress progress(builder, flags.rules.count, clock);
    const harness::BookRun run =
        harness::search_book(setup, builder, journal, clock, [&progress] { progress.tick(); });
    progress.finish();
    return run;
}

BookFormat format_of_out(const BuildFlags& flags) {
    const BookFormat format = openings::format_to_write(flags.out);
    check_writable(flags.out);
    if (std::filesystem::exists(flags.out))
        throw Error(flags.out + ": exists already; give the new book another name");
    return format;
}

void read_ranges(BuildFlags& flags) {
    std::tie(flags.rules.least_score, flags.rules.most_score) =
        range_of(flags.window, "--window", 0);
    std::tie(flags.rules.fewest_plies, flags.rules.most_plies) =
        range_of(flags.plies, "--plies", std::nullopt);
    flags.rules.quiet = !flags.loud;
    if (flags.rules.depth > 0) flags.rules.nodes = 0;
}

std::unique_ptr<openings::Book> origin_of(const BuildFlags& flags, const rules::Game& game) {
    if (flags.from.empty()) return nullptr;
    openings::BookOptions options;
    options.path = openings::book_path_of(flags.from);
    auto from = open_book(options, game);
    for (const Diagnostic& each : from->warnings()) fmt::print(stderr, "{}", assay::format(each));
    return from;
}

int concurrency_of(const BuildFlags& flags, const harness::ProgramPlan& program) {
    const int threads = harness::threads_of(program);
    if (threads > 1)
        fmt::print(stderr,
                   "warning: with {} threads the program is not deterministic: "
                   "another run makes another book\n",
                   threads);
    return flags.concurrency > 0
               ? flags.concurrency
               : harness::default_concurrency(harness::this_machine(), threads, true);
}

/// Says what remains of a session that made no book. Removes an empty journal.
std::string rest_of(const BuildFlags& flags, const BookBuilder& builder, BookJournal& journal) {
    const std::size_t made = builder.kept().size();
    if (made > 0) {
        return fmt::format("{} of {} openings are in {}; the same command continues", made,
                           flags.rules.count, journal.path());
    }
    journal.remove();
    return "nothing is left of it";
}

/// Restores what an earlier session found. Throws Error where the book would not hold all of it.
void go_on_behind(const BookJournal& journal, const BuildFlags& flags, BookBuilder& builder) {
    const std::size_t found = journal.found().size();
    if (found > flags.rules.count) {
        throw Error(
            fmt::format("{}: holds {} openings already, more than --count {}; ask for {} at "
                        "least, or delete it",
                        journal.path(), found, flags.rules.count, found));
    }
    builder.restore(journal.found());
    if (found > 0) fmt::print(stderr, "{}: continuing after {} openings\n", journal.path(), found);
}

/// The exit code of a session that made no book, or 0. Removes an empty journal.
int code_of_end(const BuildFlags& flags, const harness::BookRun& session,
                const BookBuilder& builder, BookJournal& journal) {
    const bool is_interrupted = session.signal != 0 || !session.failure.empty();
    if (!is_interrupted && builder.is_done() && !builder.kept().empty()) return 0;
    const std::string rest = rest_of(flags, builder, journal);
    if (session.signal != 0) {
        fmt::print(stderr, "stopped: {}\n", rest);
        return 128 + session.signal;
    }
    if (!session.failure.empty()) {
        fmt::print(stderr, "{}: {}\n{}\n", flags.program, trim(printable_lines(session.failure)),
                   rest);
        return kBuildFailed;
    }
    throw Error(
        fmt::format("book build: no opening among the last {} walks ({}); widen --window or change "
                    "--plies\n{}",
                    builder.tried_in_vain(), refusals_text(builder), rest));
}

/// Throws Error where the disk is full; the journal stays.
void write_book(const BuildFlags& flags, const BookBuilder& builder, const BookJournal& journal,
                BookFormat format, const rules::Game& game) {
    const std::string name = journal.program().empty() ? flags.program : journal.program();
    const std::string text = write_built_book(builder.kept(), format, note_of(flags, name), game);
    try {
        write_file(flags.out, pack(text, packing_of_name(flags.out)));
    } catch (const Error& error) {
        throw Error(error.what() + ("\nits openings are in " + journal.path()) +
                        "; the same command writes it again",
                    kBuildFailed);
    }
}

int build(BuildFlags flags) {
    read_ranges(flags);
    const BookFormat format = format_of_out(flags);
    const auto game = rules::make_game(rules::find_game(flags.game));
    const harness::ProgramPlan program = program_of(flags);
    const harness::VersionRecord version = harness::version_of(program);
    const adapters::ProgramSpec spec =
        harness::spec_of(program, version, std::string(game->name()));
    const auto from = origin_of(flags, *game);
    BookBuilder builder(flags.rules, *game, from.get());
    BookJournal journal(flags.out + ".part", plan_text(flags, version, program, from.get()), *game);
    go_on_behind(journal, flags, builder);
    const int concurrency = concurrency_of(flags, program);
    harness::BookRun session;
    try {
        if (!builder.is_done()) session = search(flags, spec, concurrency, builder, journal);
    } catch (const Error& error) {
        throw Error(error.what() + ("\nwhat was found is in " + journal.path()) +
                        "; the same command continues",
                    kBuildFailed);
    }
    const int code = code_of_end(flags, session, builder, journal);
    if (code != 0) return code;
    const std::size_t made = builder.kept().size();
    write_book(flags, builder, journal, format, *game);
    journal.remove();
    fmt::print(stderr, "{}: {} of {} walks ({})\n", flags.out, counted(made, "opening"),
               builder.tried(), refusals_text(builder));
    if (made < flags.rules.count)
        fmt::print(stderr, "the book {} has no more; {} were asked for\n", flags.from,
                   flags.rules.count);
    return 0;
}

void add_judgement(Command& verb, BuildFlags& flags) {
    verb.add_option("--window", flags.window, "score of the better side: 25 is 0..25; or 90..150")
        ->type_name("[A..]B")
        ->capture_default_str();
    verb.add_option("--nodes", flags.rules.nodes, "nodes of the final evaluation")
        ->type_name("N")
        ->transform(number(std::uint64_t{1}, std::uint64_t{1} << 40U))
        ->capture_default_str();
    verb.add_option("--depth", flags.rules.depth, "depth of the final evaluation, instead of nodes")
        ->type_name("N")
        ->transform(number(1, 200));
    verb.add_option("--stable", flags.rules.stable,
                    "centipawns by which the two evaluations may differ")
        ->type_name("CP")
        ->transform(number(0, 100'000))
        ->capture_default_str();
    verb.add_flag("--loud", flags.loud, "also positions in check, or whose best move is a capture");
}

void add_walk(Command& verb, BuildFlags& flags) {
    verb.add_option("--from", flags.from, "start from the openings of this book, in random order")
        ->type_name("BOOK");
    verb.add_option("--plies", flags.plies, "half-moves of a walk; 0 with --from: none")
        ->type_name("A[..B]")
        ->capture_default_str();
    verb.add_option("--walk-nodes", flags.rules.walk_nodes,
                    "nodes to weigh each move of a walk; 0: do not weigh")
        ->type_name("N")
        ->transform(number(std::uint64_t{0}, std::uint64_t{1} << 40U))
        ->capture_default_str();
    verb.add_option("--spread", flags.rules.spread,
                    "centipawns that make a move e times less likely")
        ->type_name("CP")
        ->transform(number(1, 100'000))
        ->capture_default_str();
    verb.add_option("--game,--variant", flags.game, game_help())
        ->type_name("GAME")
        ->capture_default_str();
    verb.add_option("--seed", flags.rules.seed, "seed of everything random")
        ->type_name("N")
        ->transform(number<std::uint64_t>())
        ->capture_default_str();
}

}  // namespace

void add_book_build(Command& book, Exit& exit) {
    const auto flags = std::make_shared<BuildFlags>();
    Command* const verb =
        book.add_subcommand("build", "build a book of positions that an engine evaluates");
    verb->add_option("OUT", flags->out,
                     "file to write: .epd, .fen or .pgn, then .gz, .zst or nothing")
        ->type_name("")
        ->required();
    verb->add_option("--program", flags->program, "the engine that evaluates")
        ->type_name("PROGRAM")
        ->required();
    verb->add_option("--protocol", flags->protocol, "the protocol it speaks")
        ->type_name("NAME")
        ->capture_default_str();
    verb->add_option("--option", flags->options, "an option of the engine; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    verb->add_option("--count", flags->rules.count, "openings wanted")
        ->type_name("N")
        ->transform(number(1, 100'000'000))
        ->capture_default_str();
    add_judgement(*verb, *flags);
    add_walk(*verb, *flags);
    verb->add_option("--concurrency", flags->concurrency, "searches at once (default: all cores)")
        ->type_name("N")
        ->transform(number(1, 4096));
    verb->footer(kBookBuildExamples);
    verb->callback([flags, &exit] { exit.code = build(*flags); });
}

}  // namespace assay::cli
