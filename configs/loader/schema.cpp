#include "configs/loader/schema.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/text.h"
#include "harness/plan/plan.h"
#include "harness/plan/protocol_fit.h"

namespace assay::configs {

namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
constexpr std::int64_t kTrillion = 1'000 * kBillion;

constexpr std::string_view kProtocolKey = "programs.*.protocol";

constexpr std::array kKeys{
    Key{"name", Form::Text, "", 0, 0, "the file's name without its ending",
        "The run's name; `assay report NAME` finds its last run."},
    Key{"each", Form::Block, "", 0, 0, "",
        "Keys for every program; a program's own keys override them one by one."},
    Key{"programs", Form::Programs, "", 0, 0, "",
        "The programs by name: at most 64 bytes, no spaces, no colon, no key of time controls."},
    Key{"programs.*.command", Form::Words, "", 0, 0, "",
        "Program and arguments, one word each, never a shell line. A first word with a '/' is a "
        "path, any other is looked up in PATH."},
    Key{"programs.*.dir", Form::Path, "", 0, 0, "where assay was started",
        "The folder the program runs in."},
    Key{"programs.*.env", Form::Names, "", 0, 0, "",
        "Environment variables, in addition to assay's own; a confined program has these, PATH, HOME, "
        "LANG and LC_* alone."},
    Key{kProtocolKey, Form::Choice, "", 0, 0, harness::kDefaultProtocol, "The protocol it speaks.",
        "cecp xboard usi ucci gtp"},
    Key{"programs.*.options", Form::Names, "", 0, 0, "",
        "Options by the program's names, in upper or lower case; values are sent as written."},
    Key{"programs.*.sandbox", Form::Block, "bubblewrap", 0, 0, "none",
        "`bubblewrap`, or a map of these keys: the program has no network, writes only in its folder "
        "(`dir`) and a /tmp of its own, sees no other process and starts none; `git.build` is "
        "confined too; bubblewrap must be installed, and the system must let it make user "
        "namespaces. A list of words is put before "
        "the command instead: `[bwrap, --dev-bind, /, /, --unshare-net, --]`.",
        "", "`bubblewrap`, block, or list of words"},
    Key{"programs.*.sandbox.network", Form::Truth, "", 0, 0, "false", "It may use the network."},
    Key{"programs.*.sandbox.processes", Form::Truth, "", 0, 0, "false",
        "It may start other processes; threads are free in any case."},
    Key{"programs.*.sandbox.write", Form::Path, "", 0, 0, "none",
        "One more folder that it may write to; none of the system (/etc, /usr, /tmp itself) and no home "
        "folder, wherever links lead."},
    Key{"programs.*.memory", Form::Size, "", 0, 0, "no limit",
        "Limit of its address space: bytes, or with k, M or G (powers of 1024)."},
    Key{"programs.*.margin", Form::Duration, "", 0, 0, "the match's",
        "A move may take this much longer than its time."},
    Key{"programs.*.ping_before_go", Form::Truth, "", 0, 0, "false",
        "Ask whether it is ready before each search (UCI: `isready`), for programs that need it."},
    Key{"programs.*.git", Form::Block, "", 0, 0, "",
        "A version from a git repository: `command` and `dir` are then relative to its built tree. "
        "`git: null` removes what `each` says."},
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
        "Time limit for all steps of a build."},
    Key{"programs.*.git.memory", Form::Size, "", 0, 0, "no limit",
        "Limit of the address space of each process of a build."},
    Key{"programs.*.bench", Form::Block, "", 0, 0, "",
        "A benchmark run: the program searches by itself, prints its nodes and nodes per second, "
        "and ends."},
    Key{"programs.*.bench.command", Form::Words, "", 0, 0, "the program's command and `bench`",
        "Program and arguments, as in `command`."},
    Key{"programs.*.bench.signature", Form::Whole, "commit", 1, 1'000'000'000'000'000'000,
        "not checked",
        "The number of nodes that it must print, or nothing is played; `commit`: the number in the "
        "commit message's line `Bench: 1234567` (without one, a warning)."},
    Key{"programs.*.bench.nodes", Form::Text, "", 0, 0, "`Nodes searched: N` or `N nodes`",
        "A regular expression (ECMAScript) whose one group is the number of nodes; the last "
        "matching line counts."},
    Key{"programs.*.bench.nodes_per_second", Form::Text, "", 0, 0,
        "`Nodes/second: N`, `nps N` or `N nps`", "The same for nodes per second."},

    Key{"match", Form::Block, "", 0, 0, "", "Paired games between two programs."},
    Key{"matches", Form::Blocks, "", 0, 0, "",
        "Several matches, each with a name; instead of `match`. A later one begins when those before "
        "it leave a place free, where both have as many games at once on the same processors; all "
        "others, those of a gate and those with `minutes` of their own wait for the end of the one "
        "before."},
    Key{"tournament", Form::Block, "", 0, 0, "",
        "All programs play, each two of them as the kind says, with the settings of `match`: its "
        "`time`, `openings`, `adjudicate` and so on."},
    Key{"tournament.kind", Form::Choice, "round_robin gauntlet pyramid least_played knockout swiss",
        0, 0, "required",
        "`round_robin`: everyone meets everyone; `gauntlet`: the first `seeds` programs meet all "
        "others; `pyramid`: each program meets those before it in the list; `least_played`: next "
        "meet those two that have met for the fewest games; `knockout`: who loses is out; `swiss`: "
        "programs of nearly equal scores meet."},
    Key{"tournament.rounds", Form::Whole, "", 1, 1'000'000,
        "1; swiss: as many as a knockout has; least_played: no end",
        "How often everyone meets whom it is to meet; of a swiss, how many rounds there are. Not "
        "for a knockout."},
    Key{"tournament.openings", Form::Whole, "", 1, 1'000'000, "1",
        "The openings of a meeting, each played twice with sides swapped."},
    Key{"tournament.games", Form::Whole, "", 1, 2, "2",
        "How often each opening is played: twice with sides swapped, or once. Single games are no "
        "pairs, and all that is told of them is by game."},
    Key{"tournament.opening_policy", Form::Choice, "cycle round encounter", 0, 0, "cycle",
        "Which meetings have the same openings: all of a `cycle`, in which everyone meets whom it is "
        "to meet once; all of a `round`, in which nobody plays twice; or none (`encounter`)."},
    Key{"tournament.seeding", Form::Choice, "list lot", 0, 0, "list",
        "How a knockout or swiss ranks the programs at first: in their order here, or by lot, which "
        "the seed decides."},
    Key{"tournament.seeds", Form::Whole, "", 1, harness::kMostEntrants - 1, "1",
        "Of a gauntlet: how many of the first programs meet all others. They do not meet each "
        "other."},
    Key{"tournament.replays", Form::Whole, "", 0, 1000, "0",
        "Of a knockout: how often a level meeting is played again, with other openings and sides "
        "swapped. If it is still level, the program that stands higher in the list or lot goes on, "
        "unless there is an `armageddon`."},
    Key{"tournament.armageddon", Form::Truth, "", 0, 0, "false",
        "Of a knockout: a meeting that is level after its replays is decided by one game more, in "
        "which a draw counts for the second player. The seed draws who that is."},
    Key{"tournament.armageddon_time", Form::Clock, "", 0, 0, "its usual time",
        "How long the first player may think in it."},
    Key{"tournament.until",
        Form::Text,
        "",
        0,
        0,
        "all is played",
        "It ends before its rounds are over when the ratings show this: `±8 Elo`, each of them is "
        "known so well (its 95 % interval, all at once); `orders`, of each two programs it is "
        "shown which is stronger (95 % for all at once, however often it has been looked at); or "
        "`±8 Elo and orders`. Not for a knockout or a swiss.",
        {},
        "`±8 Elo`, `orders`, `±8 Elo and orders`"},
    Key{"tournament.require", Form::Blocks, "", 0, 0, "nothing",
        "What must hold at its end, a list of conditions: `[{program: new, over: old, rating: -5}]`. "
        "A broken one makes `run` return 1; `gate` needs at least one."},
    Key{"tournament.require.program", Form::Text, "", 0, 0, "required",
        "The program that the condition is on."},
    Key{"tournament.require.over", Form::Text, "", 0, 0, "the mean of all others",
        "The program that `rating` compares it with."},
    Key{"tournament.require.rating", Form::Elo, "", -1000, 1000, "not checked",
        "At least so much is it rated above `over`, in Elo: the interval of the difference must lie "
        "above this; below, the condition is broken; across it, undecided."},
    Key{"tournament.require.pairings", Form::Elo, "", -1000, 1000, "not checked",
        "The same of its own games with each opponent that it met."},
    Key{"tournament.require.crashes", Form::Whole, "", 0, kBillion, "not checked",
        "Its maximum number of crashes and stalls."},
    Key{"tournament.require.time_losses", Form::Whole, "", 0, kBillion, "not checked",
        "Its maximum number of losses on time."},
    Key{"tournament.require.illegal_moves", Form::Whole, "", 0, kBillion, "not checked",
        "Its maximum number of illegal moves."},
    Key{"match.name", Form::Text, "", 0, 0, "the run's", "The match's name."},
    Key{"match.between", Form::Pair, "", 0, 0, "the two programs, where there are two",
        "The programs that play; all scores are from the first one's point of view."},
    Key{"match.time", Form::Clock, "", 0, 0, "required",
        "How long a side may think: `8+0.08`, `40/60`, `1:30+1`, `[40/60, 20/30, 10+0.1]`, "
        "`{move: 100ms}`, `{nodes: 20000}`, `{depth: 8}`, `{infinite: 10s}`, `{hourglass: 60}`, "
        "`{main: 600, byoyomi: 30, periods: 1}`, `{main: 600, byoyomi: 300, stones: 25}`; for each "
        "program: `{head: 8+0.08, base: {nodes: 1000}}`. A bare number is seconds."},
    Key{"match.margin", Form::Duration, "", 0, 0, "0ms",
        "A move may overrun its clock by this much; the clock is then set to 0."},
    Key{"match.wall_limit", Form::Duration, "", 0, 0, "60s",
        "With a limit of nodes or depth, or none: after this time the program is told to stop. "
        "`{infinite: 10s}` is the same limit."},
    Key{"match.openings", Form::Block, "default balanced none", 0, 0, "default",
        "Where games start; a path alone is the book."},
    Key{"match.openings.book", Form::Path, "default balanced none", 0, 0, "default",
        "An EPD, PGN, FEN or polyglot (.bin) file (.gz and .zst too); `default` and `balanced` ship with assay, "
        "`none` is the start position."},
    Key{"match.openings.order", Form::Choice, "random sequential", 0, 0, "random",
        "The random order depends only on the seed and the pair's number."},
    Key{"match.openings.scheme", Form::Choice, "assay fastchess", 0, 0, "assay",
        "`fastchess`: the openings that fastchess plays with the same book, order, seed (`-srand`) "
        "and start, in the same order; an entry that cannot be played is an error when its turn "
        "comes. `assay` takes the next entry in its place, and a new random order each time through "
        "the book."},
    Key{"match.openings.plies", Form::Whole, "all", 0, 1000, "all",
        "How many plies of a PGN's games, or of a polyglot book's lines, are played."},
    Key{"match.openings.random", Form::Whole, "", 1, 1000, "off",
        "In place of a book: so many random legal plies from a start position of the game, none of "
        "which ends the game. They depend only on the seed and the pair's number."},
    Key{"match.openings.start", Form::Whole, "", 1, kBillion, "1",
        "The first opening to use, counted from 1."},
    Key{"match.game", Form::Game, "", 0, 0, "chess",
        "The game. The text of a file of rules (64 KiB at most) is stored with the run, so that "
        "a resume, reports and replays need no file."},
    Key{"match.variant", Form::Game, "", 0, 0, "chess", "Another word for `game`."},
    Key{"match.chance", Form::Choice, "ordinal deal", 0, 0, "ordinal",
        "How events of chance are drawn, for both games of a pair alike: `ordinal`: the n-th one by "
        "the seed, the pair and n, as for dice; `deal`: hidden pieces are dealt to their places by "
        "seed and pair, so that both games find the same piece in the same place."},
    Key{"match.pairs", Form::Whole, "", 1, kBillion, "1000; with capped what the minutes pay for",
        "The most pairs that are played; a pair is one opening played twice with sides swapped. Where "
        "every limit is nodes or depth, no more than there are openings."},
    Key{"match.seed", Form::Seed, "", 0, 0, "drawn, printed and stored",
        "The seed of the random order of openings."},
    Key{"match.concurrency", Form::Whole, "auto", 1, 4096, "auto",
        "Games at once; `auto` is what the cores and the programs' threads allow, and more "
        "under a clock is warned of."},
    Key{"match.affinity", Form::Words, "", 0, 0, "false",
        "Pin each game's programs to processors: `true`, or a list of those to use, `[0, 2, 4-7]`. A "
        "game has as many as its programs have threads, of one NUMA node where it has enough; a "
        "list that is too short is an error.",
        "", "`true`, `false`, or list of processors"},
    Key{"match.ponder", Form::Truth, "", 0, 0, "false", "Programs think on the opponent's time."},
    Key{"match.check_pv", Form::Truth, "", 0, 0, "true",
        "Judge the last line of moves (pv) that a program says before each move: legal, not beyond the "
        "end of the game, as long as the mate that it announces, beginning with the move that is "
        "played; and the signs of both programs' mate scores. Flaws are counted and shown; no game "
        "is lost by them."},
    Key{"match.adjudicate", Form::Block, "", 0, 0, "nothing is adjudicated",
        "When assay ends a game before the rules do."},
    Key{"match.adjudicate.tablebase", Form::Block, "", 0, 0, "off",
        "A win or draw by tables of perfect play (chess: Syzygy's .rtbw, read through Fathom), asked "
        "after each capture or pawn move, before all that follows here."},
    Key{"match.adjudicate.tablebase.path", Form::Path, "", 0, 0, "required",
        "The folder of the tables; several with `:` between them."},
    Key{"match.adjudicate.tablebase.pieces", Form::Whole, "all", 3, 32, "all",
        "With at most this many pieces on the board."},
    Key{"match.adjudicate.tablebase.rule50", Form::Truth, "", 0, 0, "true",
        "A win that the 50-move rule prevents is a draw."},
    Key{"match.adjudicate.tablebase.result", Form::Choice, "both win draw", 0, 0, "both",
        "What is adjudicated."},
    Key{"match.adjudicate.draw", Form::Block, "", 0, 0, "off",
        "A draw when both scores stay near 0."},
    Key{"match.adjudicate.draw.from", Form::Whole, "", 0, 100'000, "0",
        "The first round at which it can happen; a round is a move of each player, in chess a full "
        "move."},
    Key{"match.adjudicate.draw.moves", Form::Whole, "", 1, 100'000, "required",
        "For this many rounds in a row."},
    Key{"match.adjudicate.draw.score", Form::Whole, "", 0, 100'000, "required",
        "No score may be farther from 0 than this, in the parts in which programs report scores (UCI: "
        "centipawns)."},
    Key{"match.adjudicate.resign", Form::Block, "", 0, 0, "off",
        "A loss when a program's score stays low."},
    Key{"match.adjudicate.resign.moves", Form::Whole, "", 1, 100'000, "required",
        "For this many of its moves in a row."},
    Key{"match.adjudicate.resign.score", Form::Whole, "", 1, 100'000, "required",
        "The loser's score is at most minus this, in the same parts."},
    Key{"match.adjudicate.resign.sides", Form::Choice, "both one", 0, 0, "both",
        "Whether the winner's score must agree."},
    Key{"match.adjudicate.length", Form::Whole, "", 1, 100'000, "off",
        "A draw after this many rounds."},
    Key{"match.adjudicate.flag_vs_bare_king", Form::Choice, "draw loss", 0, 0, "draw",
        "The result when time runs out and no other player can win; in chess: against a side that "
        "cannot mate."},
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
        "`fast_fail` rejects a bad change sooner."},
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
        "A test that stays valid whenever you look, stop or extend (an e-process), but needs more "
        "pairs: gain <0,2>, no_regression <-1.75,0.25>, stronger <0,0>, or a block."},
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

    Key{"require", Form::Block, "", 0, 0, "nothing",
        "Limits on the first program's faults and speed."},
    Key{"require.crashes", Form::Whole, "", 0, kBillion, "not checked",
        "Maximum number of crashes."},
    Key{"require.time_losses", Form::Whole, "", 0, kBillion, "not checked",
        "Maximum number of losses on time."},
    Key{"require.illegal_moves", Form::Whole, "", 0, kBillion, "not checked",
        "Maximum number of illegal moves."},
    Key{"require.speed", Form::Percent, "", -99, 1000, "not checked",
        "How much faster the first program must be than the second, by runs of both benchmarks in "
        "turn: `-3%` is at most 3 % slower. A program without `bench` is run with the argument "
        "`bench`, and must print its speed in a common form."},

    Key{"skip_if", Form::Choice, "never same_bench", 0, 0, "never",
        "`same_bench`: where the two programs of the first match are told the same and are the same "
        "executable, or their benchmarks search the same number of nodes, nothing is played and "
        "searched: the run ends with \"no change\" (exit code 0). A benchmark sees no change in how "
        "time or several threads are used."},
    Key{"control", Form::Truth, "", 0, 0, "false",
        "The second program of the first match also plays itself, a quarter as many pairs (10 to "
        "500): a difference taints the run, because something other than the change has an effect."},
    Key{"executor", Form::Block, "local", 0, 0, "local",
        "Where games are played: on this machine, or by many (slurm.md). It can be another one when a "
        "run is resumed.",
        "", "`local`, or block"},
    Key{"executor.reference", Form::Count, "auto", 0, 0, "auto",
        "Nodes a second of the second program, to which the clocks of each node are scaled; `auto`: "
        "those of the first node that plays. Give it, so that nights can be compared."},
    Key{"executor.scale", Form::Truth, "", 0, 0, "true",
        "Clocks are scaled to the speed of the node, never nodes, depth or `margin`. A node whose "
        "factor is below 0.25 or above 4 does not play."},
    Key{"executor.ship", Form::Truth, "", 0, 0, "true",
        "The executables of the programs and the files that their options name, 256 MB each at most, "
        "but for what is installed (below /usr, /opt and the like), are copied to the folder when "
        "the run is submitted, and nodes play their own copies: to rebuild a program meanwhile "
        "changes nothing. false: programs are played by their paths, and a task refuses a file that "
        "has changed."},
    Key{"executor.slurm", Form::Block, "", 0, 0, "",
        "The pairs of matches are played by tasks of Slurm, each some pairs in a row; a suite, "
        "benchmarks and the verdict stay here."},
    Key{"executor.slurm.folder", Form::Path, "", 0, 0, "",
        "A folder that this machine and all nodes share; each run makes one of its own in it."},
    Key{"executor.slurm.slots", Form::Whole, "", 1, 100'000, "16",
        "Tasks of one submission that run at once; three times as many batches are without a result "
        "at most."},
    Key{"executor.slurm.cpus", Form::Whole, "", 1, 4096, "1",
        "Processors of a task, which plays as many games at once as they have room for."},
    Key{"executor.slurm.time", Form::Duration, "", 0, 0, "30min",
        "Time limit of a task, at least a minute. Before its end a task finishes the pairs in play, "
        "and what is left of its batch is submitted again."},
    Key{"executor.slurm.batch", Form::Whole, "auto", 1, 4096, "auto",
        "Pairs of a task; `auto`: what takes about three minutes, at most 64."},
    Key{"executor.slurm.partition", Form::Text, "", 0, 0, "the site's default",
        "The partition that tasks are submitted to."},
    Key{"executor.slurm.options", Form::Words, "", 0, 0, "none",
        "More words for sbatch: `[--account=engines, --qos=low]`."},
    Key{"executor.slurm.check", Form::Duration, "", 0, 0, "15s",
        "How often the queue is asked for tasks that are gone."},
    Key{"executor.slurm.submit", Form::Truth, "", 0, 0, "true",
        "false: nothing is submitted; others start `assay work --batch` on the folder, such as GNU "
        "parallel or ssh."},
    Key{"failures_in_a_row", Form::Whole, "", 1, 1'000'000, "5",
        "The run ends after this many failures of one program in a row."},
    Key{"start_limit", Form::Duration, "", 0, 0, "10s", "Time limit for the start of a program."},
    Key{"suite", Form::Block, "", 0, 0, "",
        "Positions that the programs search, to solve them or with a tree log; with or without a "
        "match."},
    Key{"suite.positions", Form::Path, "", 0, 0, "required",
        "An EPD file or FEN list; a position's id is its opcode's, or its number. `bm` and `am` are "
        "the moves that solve it and those that do not, in SAN or UCI."},
    Key{"suite.game", Form::Game, "", 0, 0, "chess", "As `match.game`."},
    Key{"suite.variant", Form::Game, "", 0, 0, "chess", "Another word for `game`."},
    Key{"suite.limit", Form::Clock, "", 0, 0, "required",
        "What ends a search: `{depth: 8}`, `{nodes: 20000}` or `{move: 1s}`."},
    Key{"suite.wall_limit", Form::Duration, "", 0, 0, "10min",
        "A search that takes longer is told to stop, and is unfinished."},
    Key{"suite.log", Form::Block, "", 0, 0, "",
        "How much of a search is logged. A suite that only measures solutions logs nothing without "
        "this block."},
    Key{"suite.log.nodes", Form::Count, "", 0, 0, "50M",
        "The maximum number of nodes in a log. A search that reaches it is unfinished, and an "
        "expectation about it is inconclusive."},
    Key{"suite.log.from_ply", Form::Whole, "", 0, 1000, "0",
        "Nodes nearer to the root are left out; programs read it in ASSAY_TREE_LOG_FROM_PLY."},
    Key{"suite.keep", Form::Choice, "last all failed", 0, 0, "last",
        "Which trees stay in STORE.trees: of the last iteration, of all, or the last of those "
        "positions where an expectation fails."},
    Key{"suite.programs", Form::Words, "", 0, 0, "the match's two, else all",
        "The programs that search; the last one is the baseline."},
    Key{"suite.concurrency", Form::Whole, "auto", 1, 4096, "auto", "Searches at once."},
    Key{"suite.expect", Form::Blocks, "", 0, 0, "none: trees are only collected",
        "Queries and measures, and what their answers must satisfy."},
    Key{"suite.expect.name", Form::Text, "", 0, 0, "the query", "Its name in reports."},
    Key{"suite.expect.query", Form::Text, "", 0, 0, "this, queries or measure", "GTQL, in quotes."},
    Key{"suite.expect.queries", Form::Path, "", 0, 0, "this, query or measure",
        "A .gtql file; a line `#! name: …, max: 0` before a query says what must hold."},
    Key{"suite.expect.measure", Form::Choice, "solved solution_time solution_nodes solution_depth",
        0, 0, "this, query or queries",
        "How many positions are solved, or what the solutions took: milliseconds, nodes and depth "
        "at the first moment from which the best move was a solution until the end. Measures that "
        "are not listed are reported."},
    Key{"suite.expect.min", Form::Whole, "", -kTrillion, kTrillion, "no bound",
        "The smallest answer allowed."},
    Key{"suite.expect.max", Form::Whole, "", -kTrillion, kTrillion, "no bound",
        "The largest answer allowed."},
    Key{"suite.expect.exactly", Form::Whole, "", -kTrillion, kTrillion, "no bound",
        "The only answer allowed."},
    Key{"suite.expect.against_baseline", Form::Change, "", 0, 0, "no bound",
        "The largest change allowed: `+10%` up, `-3%` down, `[-10%, +10%]` both ways."},
    Key{"suite.expect.per", Form::Choice, "position suite", 0, 0,
        "position for min, max, exactly (`solved`: suite); suite for against_baseline",
        "Whether it must hold for each position, or for the sum (`against_baseline`: for the mean, "
        "where answers do not add up). A change of the sum fails only if a paired test shows that "
        "it does not come from a few positions; of `solved`, that it is not chance."},
    Key{"at_end", Form::Words, "", 0, 0, "nothing",
        "A program and its arguments, started when the run has ended (not when a signal stopped "
        "it). `{verdict}`, `{run}`, `{name}`, `{state}`, `{exit}`, `{db}`, `{elo}`, "
        "`{nelo}`, `{games}`, `{pairs}` in it are replaced; with several matches they describe the "
        "first that was not accepted. Its standard input is the run as JSON. It has a minute; its "
        "failure is a warning. Recipes: notices.md."},
};

constexpr std::array kForeign{
    Foreign{"rounds",
            "assay says 'pairs' (match.pairs), and 'rounds' of a tournament "
            "(tournament.rounds)"},
    Foreign{"games",
            "assay says 'pairs' (match.pairs), two games each, and 'games' of a tournament "
            "(tournament.games)"},
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
    Foreign{"restart", "assay restarts a program only when it fails; leave it out"},
    Foreign{"recover", "assay always restarts a program that failed and continues; leave it out"},
    Foreign{"repeat", "assay plays every opening twice with sides swapped; leave it out"},
    Foreign{"noswap", "assay plays every opening twice with sides swapped; leave it out"},
    Foreign{"reverse", "assay plays every opening twice with sides swapped; leave it out"},
    Foreign{"book", "assay says 'openings' (match.openings)"},
    Foreign{"file", "assay says 'book' (match.openings.book)"},
    Foreign{"format", "assay recognizes a book's format; leave it out"},
    Foreign{"policy",
            "assay takes a new opening for every pair, in a tournament as "
            "'opening_policy' says (tournament.opening_policy)"},
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
    Foreign{"event", "assay says 'name' (name)"},
    Foreign{"tb", "assay says 'tablebase' (match.adjudicate)"},
    Foreign{"use-affinity", "assay says 'affinity' (match.affinity)"},
    Foreign{"pgnout", "assay stores every game; 'assay report --format pgn' writes them"},
    Foreign{"pgn", "assay stores every game; 'assay report --format pgn' writes them"},
    Foreign{"log", "assay says 'assay run --log DIR'"},
};

/// The block whose keys this one has too, or itself.
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

/// Two names that differ by swapped letters have the same; did_you_mean() counts two edits there.
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
    // The protocols list themselves when the program runs.
    static const std::string protocols = harness::protocol_names();
    static const auto all = [] {
        std::array keys = kKeys;
        for (Key& key : keys)
            if (key.path == kProtocolKey) key.words = protocols;
        return keys;
    }();
    return all;
}

std::span<const Foreign> foreign_words() {
    return kForeign;
}

std::vector<const Key*> keys_under(std::string_view path) {
    std::vector<const Key*> found;
    for (const Key& key : schema())
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
    for (const Key& key : schema())
        if (key.name() == name && key.path != name && !parent_of(key.path).empty())
            return fmt::format("; it belongs under '{}' ({})", shown(parent_of(key.path)),
                               shown(key.path));
    for (const Key& key : schema())
        if (key.path == name) return fmt::format("; it belongs at the top, not under '{}'", path);
    return "";
}

}  // namespace assay::configs
