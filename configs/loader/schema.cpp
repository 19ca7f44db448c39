#include "configs/loader/schema.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/plan/protocol_fit.h"

namespace assay::configs {

namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
constexpr std::int64_t kTrillion = 1'000 * kBillion;

constexpr std::array kKeys{
    Key{"name", Form::Text, "", 0, 0, "the file's name without its ending",
        "The run's name; `assay report NAME` finds its last run."},
    Key{"each", Form::Block, "", 0, 0, "",
        "Keys that every program has; a program's own win, key by key."},
    Key{"programs", Form::Programs, "", 0, 0, "",
        "The programs by name: at most 64 bytes, no blanks, no colon, no word of clocks."},
    Key{"programs.*.command", Form::Words, "", 0, 0, "",
        "Program and arguments, one word each, never a shell line. A first word with a '/' is a "
        "path, any other is looked up in PATH."},
    Key{"programs.*.dir", Form::Path, "", 0, 0, "where assay was started",
        "The folder the program runs in."},
    Key{"programs.*.env", Form::Names, "", 0, 0, "",
        "Environment variables beside those that assay was started with."},
    Key{"programs.*.protocol", Form::Choice, harness::kProtocolNames, 0, 0,
        harness::kDefaultProtocol, "The protocol it speaks.", "", "cecp xboard usi ucci gtp"},
    Key{"programs.*.options", Form::Names, "", 0, 0, "",
        "Options as the program names them, in any case; values go to it as they are written."},
    Key{"programs.*.sandbox", Form::Words, "", 0, 0, "none",
        "Words put before the command, such as `[bwrap, --unshare-net, --]`."},
    Key{"programs.*.memory", Form::Size, "", 0, 0, "no limit",
        "The most address space it may take: a number of bytes, or with k, M or G (1024 each)."},
    Key{"programs.*.margin", Form::Duration, "", 0, 0, "the match's",
        "Overruns up to this are forgiven."},
    Key{"programs.*.ping_before_go", Form::Truth, "", 0, 0, "false",
        "Ask whether it is ready before each search (UCI: `isready`), for programs that need it."},
    Key{"programs.*.git", Form::Block, "", 0, 0, "",
        "A version from a git repository: `command` and `dir` are then relative to its built tree. "
        "A program that has nothing to do with what `each` says writes `git: null`."},
    Key{"programs.*.git.repo", Form::Text, "", 0, 0, "the config's folder",
        "A path, which may lie inside the repository, or a URL as git takes it."},
    Key{"programs.*.git.ref", Form::Text, "", 0, 0, "HEAD",
        "A branch, a tag or a commit; `worktree`: the files as they are now; `merge-base X`: where "
        "the first program of the first match (or HEAD) left X; `previous`: the first program of "
        "this config's last finished run."},
    Key{"programs.*.git.build", Form::Steps, "", 0, 0, "nothing is built",
        "`[make, -j2]`, or several steps: `[[cmake, -B, build], [cmake, --build, build]]`; they "
        "run in the tree, without a shell."},
    Key{"programs.*.git.limit", Form::Duration, "", 0, 0, "30min",
        "The most time for all steps of a build."},
    Key{"programs.*.git.memory", Form::Size, "", 0, 0, "no limit",
        "The most address space of each process of a build."},
    Key{"programs.*.bench", Form::Block, "", 0, 0, "",
        "A benchmark run: the program searches by itself, says its nodes and nodes a second, and "
        "ends."},
    Key{"programs.*.bench.command", Form::Words, "", 0, 0, "the program's command and `bench`",
        "Program and arguments, as in `command`."},
    Key{"programs.*.bench.signature", Form::Whole, "commit", 1, 1'000'000'000'000'000'000,
        "not asked",
        "The nodes that it must say, or nothing is played; `commit`: as the commit's message says, "
        "in a line `Bench: 1234567`."},
    Key{"programs.*.bench.nodes", Form::Text, "", 0, 0, "`Nodes searched: N` or `N nodes`",
        "A regular expression (ECMAScript) whose one group is the number of nodes; the last line "
        "that it is found in counts."},
    Key{"programs.*.bench.nodes_per_second", Form::Text, "", 0, 0,
        "`Nodes/second: N`, `nps N` or `N nps`", "The same for nodes a second."},

    Key{"match", Form::Block, "", 0, 0, "", "Paired games between two programs."},
    Key{"matches", Form::Blocks, "", 0, 0, "",
        "Several matches in a row, each with a name; in place of `match`."},
    Key{"match.name", Form::Text, "", 0, 0, "the run's", "The match's name."},
    Key{"match.between", Form::Pair, "", 0, 0, "the two programs, where there are two",
        "Who plays; the first is the point of view of every score."},
    Key{"match.time", Form::Clock, "", 0, 0, "required",
        "How long a side may think: `8+0.08`, `40/60`, `1:30+1`, `[40/60, 20/30, 10+0.1]`, "
        "`{move: 100ms}`, `{nodes: 20000}`, `{depth: 8}`, `{infinite: 10s}`, `{hourglass: 60}`, "
        "`{main: 600, byoyomi: 30, periods: 1}`, `{main: 600, byoyomi: 300, stones: 25}`; for each "
        "program: `{head: 8+0.08, base: {nodes: 1000}}`. A bare number is seconds."},
    Key{"match.margin", Form::Duration, "", 0, 0, "0ms",
        "An overrun up to this is forgiven and the clock is set to 0."},
    Key{"match.wall_limit", Form::Duration, "", 0, 0, "60s",
        "Where nodes, depth or infinite is the limit: after this the program is told to stop."},
    Key{"match.openings", Form::Block, "default balanced none", 0, 0, "default",
        "Where games start; a path alone is the book."},
    Key{"match.openings.book", Form::Path, "default balanced none", 0, 0, "default",
        "An EPD, PGN, FEN or polyglot (.bin) file (.gz and .zst too); `default` and `balanced` ship with assay, "
        "`none` is the start position."},
    Key{"match.openings.order", Form::Choice, "random sequential", 0, 0, "random",
        "Random is a function of the seed and the pair's number alone."},
    Key{"match.openings.plies", Form::Whole, "all", 0, 1000, "all",
        "How many plies of a PGN's games, or of a polyglot book's lines, are played."},
    Key{"match.openings.start", Form::Whole, "", 1, kBillion, "1",
        "The first opening that is taken, counted from 1."},
    Key{"match.variant", Form::Choice, "chess chess960", 0, 0, "chess", "The game's rules."},
    Key{"match.game", Form::Path, "", 0, 0, "", "A game in a rules file.",
        "'variant' takes chess and chess960"},
    Key{"match.pairs", Form::Whole, "", 1, kBillion, "1000; with capped what the minutes pay for",
        "The most pairs that are played; a pair is one opening played twice with sides swapped. Where "
        "every limit is nodes or depth, no more than there are openings."},
    Key{"match.seed", Form::Seed, "", 0, 0, "drawn, printed and stored",
        "What the order of openings is drawn from."},
    Key{"match.concurrency", Form::Whole, "auto", 1, 4096, "auto",
        "Games at once; `auto` is what the cores and the programs' threads allow, and more "
        "under a clock is warned of."},
    Key{"match.affinity", Form::Truth, "", 0, 0, "false", "Pin each game's programs to cores."},
    Key{"match.ponder", Form::Truth, "", 0, 0, "false", "Programs think on the other's time."},
    Key{"match.adjudicate", Form::Block, "", 0, 0, "nothing is adjudicated",
        "When the harness ends a game."},
    Key{"match.adjudicate.draw", Form::Block, "", 0, 0, "off",
        "A draw where both programs say so for a while."},
    Key{"match.adjudicate.draw.from", Form::Whole, "", 0, 100'000, "0",
        "Not before this full move, as printed."},
    Key{"match.adjudicate.draw.moves", Form::Whole, "", 1, 100'000, "required",
        "Full moves in a row, of both sides."},
    Key{"match.adjudicate.draw.score", Form::Whole, "", 0, 100'000, "required",
        "No score is farther from 0 than this, in centipawns."},
    Key{"match.adjudicate.resign", Form::Block, "", 0, 0, "off",
        "A loss where a program says so for a while."},
    Key{"match.adjudicate.resign.moves", Form::Whole, "", 1, 100'000, "required",
        "Full moves in a row."},
    Key{"match.adjudicate.resign.score", Form::Whole, "", 1, 100'000, "required",
        "The loser's score is at most minus this, in centipawns."},
    Key{"match.adjudicate.resign.sides", Form::Choice, "both one", 0, 0, "both",
        "Whether the winner must say so too."},
    Key{"match.adjudicate.length", Form::Whole, "", 1, 100'000, "off",
        "A draw after this many full moves."},
    Key{"match.adjudicate.flag_vs_bare_king", Form::Choice, "draw loss", 0, 0, "draw",
        "What a fallen flag is worth against a side that cannot mate."},
    Key{"match.stop", Form::Block, "none", 0, 0, "the run's `stop`", "As `stop`, of this match."},
    Key{"match.require", Form::Block, "", 0, 0, "the run's `require`",
        "As `require`, of this match."},

    Key{"stop", Form::Block, "none", 0, 0, "none in `run`, `capped: no_regression` in `gate`",
        "One rule, and a budget; `none`: all pairs are played and there is no verdict."},
    Key{"stop.closing", Form::Block, "gain no_regression quick_gain quick_no_regression", 0, 0, "",
        "A sequential test whose bounds close: gain <0,2>, no_regression <-1.75,0.25>, quick_gain "
        "<0,5>, quick_no_regression <-5,0>, or a block."},
    Key{"stop.closing.nelo", Form::Bounds, "", -1000, 1000, "required", "Normalized Elo."},
    Key{"stop.closing.alpha", Form::Number, "", 0, 0, "0.05", "Error of accepting."},
    Key{"stop.closing.beta", Form::Number, "", 0, 0, "0.05", "Error of rejecting."},
    Key{"stop.closing.shape", Form::Choice, "fast_fail symmetric", 0, 0, "fast_fail",
        "Fast_fail rejects a bad change sooner."},
    Key{"stop.closing.batch", Form::Whole, "auto", 1, 100'000, "auto", "Pairs between two looks."},
    Key{"stop.capped", Form::Block, "no_regression gain", 0, 0, "",
        "A test within a hard budget of pairs, which derives one of bounds, errors and pairs from "
        "the other two: no_regression has bounds [-width, 0], gain [0, width]."},
    Key{"stop.capped.preset", Form::Choice, "no_regression gain", 0, 0, "no_regression",
        "Which side the width lies on, where no bounds are given."},
    Key{"stop.capped.nelo", Form::Bounds, "", -1000, 1000, "derived", "Normalized Elo."},
    Key{"stop.capped.alpha", Form::Number, "", 0, 0, "0.05, or derived", "Error of accepting."},
    Key{"stop.capped.beta", Form::Number, "", 0, 0, "0.05, or derived", "Error of rejecting."},
    Key{"stop.capped.batch", Form::Whole, "auto", 1, 100'000, "auto", "Pairs between two looks."},
    Key{"stop.sprt", Form::Block, "", 0, 0, "", "Wald's sequential test."},
    Key{"stop.sprt.elo", Form::Bounds, "", -1000, 1000, "this or nelo",
        "Elo: logistic unless the model says otherwise."},
    Key{"stop.sprt.nelo", Form::Bounds, "", -1000, 1000, "this or elo", "Normalized Elo."},
    Key{"stop.sprt.model", Form::Choice, "logistic normalized bayesian", 0, 0,
        "logistic; with nelo normalized", "The scale of the bounds."},
    Key{"stop.sprt.alpha", Form::Number, "", 0, 0, "0.05", "Error of accepting."},
    Key{"stop.sprt.beta", Form::Number, "", 0, 0, "0.05", "Error of rejecting."},
    Key{"stop.sprt.batch", Form::Whole, "auto", 1, 100'000, "auto", "Pairs between two looks."},
    Key{"stop.anytime", Form::Block, "gain no_regression stronger", 0, 0, "",
        "Evidence that holds whenever one looks, stops or extends (an e-process), at the price of "
        "more pairs: gain <0,2>, no_regression <-1.75,0.25>, stronger <0,0>, or a block."},
    Key{"stop.anytime.preset", Form::Choice, "gain no_regression stronger", 0, 0, "stronger",
        "The bounds, where none are given."},
    Key{"stop.anytime.elo", Form::Bounds, "", -1000, 1000, "by the preset", "Logistic Elo."},
    Key{"stop.anytime.alpha", Form::Number, "", 0, 0, "0.05", "Error of accepting."},
    Key{"stop.anytime.beta", Form::Number, "", 0, 0, "0.05", "Error of rejecting."},
    Key{"stop.fixed", Form::Block, "", 0, 0, "",
        "After all pairs: the sign-flip test, and the sign of the score."},
    Key{"stop.fixed.alpha", Form::Number, "", 0, 0, "0.05",
        "A p-value above this is inconclusive."},
    Key{"stop.minutes", Form::Minutes, "", 0, 0, "no limit",
        "After this much time the verdict is inconclusive."},

    Key{"require", Form::Block, "", 0, 0, "nothing", "What must hold of the first program."},
    Key{"require.crashes", Form::Whole, "", 0, kBillion, "not asked", "The most crashes."},
    Key{"require.time_losses", Form::Whole, "", 0, kBillion, "not asked",
        "The most losses on time."},
    Key{"require.illegal_moves", Form::Whole, "", 0, kBillion, "not asked",
        "The most illegal moves."},
    Key{"require.speed", Form::Percent, "", -99, 1000, "not asked",
        "How much faster the first program must be than the second, by runs of both benchmarks in "
        "turn: `-3%` is at most 3 % slower. A program without `bench` is run with the argument "
        "`bench`, and must say its speed in a usual form."},

    Key{"control", Form::Truth, "", 0, 0, "false",
        "The second program of the first match also plays itself, a quarter as many pairs (10 to "
        "500): a difference taints, for then something else than the change makes results."},
    Key{"executor", Form::Choice, "local", 0, 0, "local", "Where games are played.", "", "slurm"},
    Key{"failures_in_a_row", Form::Whole, "", 1, 1'000'000, "5",
        "After so many failures of one program in a row the run ends."},
    Key{"start_limit", Form::Duration, "", 0, 0, "10s", "The most time for a program to start."},
    Key{"suite", Form::Block, "", 0, 0, "",
        "Positions that programs search with a tree log; beside a match or without one."},
    Key{"suite.positions", Form::Path, "", 0, 0, "required",
        "An EPD file or FEN list; a position's id is its opcode's, or its number."},
    Key{"suite.variant", Form::Choice, "chess chess960", 0, 0, "chess", "The game's rules."},
    Key{"suite.limit", Form::Clock, "", 0, 0, "required",
        "What ends a search: `{depth: 8}`, `{nodes: 20000}` or `{move: 1s}`."},
    Key{"suite.wall_limit", Form::Duration, "", 0, 0, "10min",
        "After this a search is told to stop, and is unfinished."},
    Key{"suite.log", Form::Block, "", 0, 0, "", "How much of a search is logged."},
    Key{"suite.log.nodes", Form::Count, "", 0, 0, "50M",
        "The most nodes of a log. A search that meets it is unfinished, and an expectation over it "
        "inconclusive."},
    Key{"suite.log.from_ply", Form::Whole, "", 0, 1000, "0",
        "Nodes nearer to the root are left out; programs hear of it in ASSAY_TREE_LOG_FROM_PLY."},
    Key{"suite.keep", Form::Choice, "last all failed", 0, 0, "last",
        "Which trees stay in STORE.trees: of the last iteration, of all, or the last of those "
        "positions where an expectation fails."},
    Key{"suite.programs", Form::Words, "", 0, 0, "the match's two, else all",
        "Who searches; the last one is the baseline."},
    Key{"suite.concurrency", Form::Whole, "auto", 1, 4096, "auto", "Searches at once."},
    Key{"suite.expect", Form::Blocks, "", 0, 0, "nothing: trees are only collected",
        "Queries, and what must hold of their answers."},
    Key{"suite.expect.name", Form::Text, "", 0, 0, "the query", "How reports call it."},
    Key{"suite.expect.query", Form::Text, "", 0, 0, "this or queries", "GTQL, in quotes."},
    Key{"suite.expect.queries", Form::Path, "", 0, 0, "this or query",
        "A .gtql file; a line `#! name: …, max: 0` before a query says what must hold."},
    Key{"suite.expect.min", Form::Whole, "", -kTrillion, kTrillion, "no bound", "The least."},
    Key{"suite.expect.max", Form::Whole, "", -kTrillion, kTrillion, "no bound", "The most."},
    Key{"suite.expect.exactly", Form::Whole, "", -kTrillion, kTrillion, "no bound",
        "This and nothing else."},
    Key{"suite.expect.against_baseline", Form::Change, "", 0, 0, "no bound",
        "The most change: `+10%` up, `-3%` down, `[-10%, +10%]` both ways."},
    Key{"suite.expect.per", Form::Choice, "position suite", 0, 0,
        "position for min, max, exactly; suite for against_baseline",
        "Whether it must hold of each position, or of the sum (`against_baseline`: of the mean, "
        "where answers do not add up). A change of the sum fails only where "
        "a paired test shows that it is not a few positions' doing."},
    Key{"at_end", Form::Words, "", 0, 0, "nothing",
        "A program that is started when the run has come to its end (not when it was stopped by a "
        "signal), argv. `{verdict}`, `{run}`, `{name}`, `{state}`, `{exit}`, `{db}`, `{elo}`, "
        "`{nelo}`, `{games}`, `{pairs}` in it are replaced; with several matches they speak of the "
        "first that was not accepted. It has a minute; its failure is a warning."},
};

constexpr std::array kForeign{
    Foreign{"rounds", "assay says 'pairs' (match.pairs)"},
    Foreign{"games", "assay says 'pairs' (match.pairs), two games each"},
    Foreign{"tc", "assay says 'time' (match.time)"},
    Foreign{"timecontrol", "assay says 'time' (match.time)"},
    Foreign{"time_control", "assay says 'time' (match.time)"},
    Foreign{"st", "assay says 'time: {move: 100ms}' (match.time)"},
    Foreign{"movetime", "assay says 'time: {move: 100ms}' (match.time)"},
    Foreign{"nodes", "assay says 'time: {nodes: 20000}' (match.time)"},
    Foreign{"depth", "assay says 'time: {depth: 8}' (match.time)"},
    Foreign{"plies",
            "assay says 'time: {depth: 8}' (match.time), or 'plies' of a book "
            "(match.openings.plies)"},
    Foreign{"timemargin", "assay says 'margin' (match.margin)"},
    Foreign{"cmd", "assay says 'command' (programs.NAME.command)"},
    Foreign{"exe", "assay says 'command' (programs.NAME.command)"},
    Foreign{"path", "assay says 'command' (programs.NAME.command)"},
    Foreign{"args", "assay says 'command: [program, argument]' (programs.NAME.command)"},
    Foreign{"arg", "assay says 'command: [program, argument]' (programs.NAME.command)"},
    Foreign{"proto", "assay says 'protocol' (programs.NAME.protocol)"},
    Foreign{"workdir", "assay says 'dir' (programs.NAME.dir)"},
    Foreign{"workingdirectory", "assay says 'dir' (programs.NAME.dir)"},
    Foreign{"initstr", "assay sends options (programs.NAME.options)"},
    Foreign{"engine", "assay says 'programs' (programs)"},
    Foreign{"engines", "assay says 'programs' (programs)"},
    Foreign{"hash", "assay says 'options: {Hash: 16}' (programs.NAME.options)"},
    Foreign{"threads", "assay says 'options: {Threads: 1}' (programs.NAME.options)"},
    Foreign{"restart", "assay restarts a program when it fails, and at no other time"},
    Foreign{"recover", "assay replaces a program that fails and goes on; leave it out"},
    Foreign{"repeat", "assay plays every opening twice with sides swapped; leave it out"},
    Foreign{"noswap", "assay plays every opening twice with sides swapped; leave it out"},
    Foreign{"reverse", "assay plays every opening twice with sides swapped; leave it out"},
    Foreign{"book", "assay says 'openings' (match.openings)"},
    Foreign{"file", "assay says 'book' (match.openings.book)"},
    Foreign{"format", "assay sees a book's format in it; leave it out"},
    Foreign{"policy", "assay takes a new opening for every pair; leave it out"},
    Foreign{"srand", "assay says 'seed' (match.seed)"},
    Foreign{"maxmoves", "assay says 'length' (match.adjudicate.length)"},
    Foreign{"win", "assay says 'resign' (match.adjudicate.resign)"},
    Foreign{"draw", "assay says 'draw' under 'adjudicate' (match.adjudicate.draw)"},
    Foreign{"resign", "assay says 'resign' under 'adjudicate' (match.adjudicate.resign)"},
    Foreign{"adjudication", "assay says 'adjudicate' (match.adjudicate)"},
    Foreign{"movenumber", "assay says 'from' (match.adjudicate.draw.from)"},
    Foreign{"movecount",
            "assay says 'moves' (match.adjudicate.draw.moves, "
            "match.adjudicate.resign.moves)"},
    Foreign{"twosided", "assay says 'sides: both' (match.adjudicate.resign.sides)"},
    Foreign{"sprt", "assay says 'sprt' under 'stop' (stop.sprt)"},
    Foreign{"elo0", "assay says 'elo: [elo0, elo1]' (stop.sprt.elo)"},
    Foreign{"elo1", "assay says 'elo: [elo0, elo1]' (stop.sprt.elo)"},
    Foreign{"tournament", "assay plays matches of two programs (match)"},
    Foreign{"event", "assay says 'name' (name)"},
    Foreign{"use-affinity", "assay says 'affinity' (match.affinity)"},
    Foreign{"pgnout", "assay stores every game; 'assay report --format pgn' writes them"},
    Foreign{"pgn", "assay stores every game; 'assay report --format pgn' writes them"},
    Foreign{"log", "assay says 'assay run --log DIR'"},
};

/// Blocks that share their keys with another.
std::string_view canonical(std::string_view path) {
    if (path == "each") return "programs.*";
    if (path == "matches") return "match";
    if (path == "match.stop") return "stop";
    if (path == "match.require") return "require";
    return path;
}

std::string_view parent_of(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

/// Equal where letters were swapped, which counts as two edits otherwise.
std::string sorted_letters(std::string_view name) {
    std::string letters = lower(name);
    std::sort(letters.begin(), letters.end());
    return letters;
}

/// "programs.NAME.command" of "programs.*.command".
std::string shown(std::string_view path) {
    std::string out(path);
    if (const std::size_t star = out.find('*'); star != std::string::npos)
        out.replace(star, 1, "NAME");
    return out;
}

std::string foreign_advice(std::string_view name) {
    constexpr std::string_view kOption = "option.";
    if (name.substr(0, kOption.size()) == kOption)
        return fmt::format("; assay says 'options: {{{}: ...}}' (programs.NAME.options)",
                           name.substr(kOption.size()));
    for (const Foreign& foreign : kForeign)
        if (equal_ignoring_case(foreign.theirs, name)) return fmt::format("; {}", foreign.advice);
    return "";
}

}  // namespace

std::span<const Key> schema() {
    return kKeys;
}

std::span<const Foreign> foreign_words() {
    return kForeign;
}

std::vector<const Key*> keys_under(std::string_view path) {
    std::vector<const Key*> found;
    for (const Key& key : kKeys)
        if (parent_of(key.path) == canonical(path)) found.push_back(&key);
    return found;
}

std::string advice_on(std::string_view name, std::string_view path) {
    if (canonical(path) == "programs.*" && name == "name")
        return "; a program's name is its key under 'programs'";
    if (std::string foreign = foreign_advice(name); !foreign.empty()) return foreign;
    std::vector<std::string_view> siblings;
    for (const Key* const key : keys_under(path)) siblings.push_back(key->name());
    for (const std::string_view sibling : siblings)
        if (sorted_letters(sibling) == sorted_letters(name))
            return fmt::format("; did you mean '{}'?", sibling);
    if (std::string meant = did_you_mean(name, siblings); !meant.empty()) return meant;
    for (const Key& key : kKeys)
        if (key.name() == name && key.path != name && !parent_of(key.path).empty())
            return fmt::format("; it belongs under '{}' ({})", shown(parent_of(key.path)),
                               shown(key.path));
    for (const Key& key : kKeys)
        if (key.path == name) return fmt::format("; it stands at the top, not under '{}'", path);
    return "";
}

}  // namespace assay::configs
