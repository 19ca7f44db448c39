"""Reads a runner's output as the workers of two test servers do, and says what is wrong with it.

usage: worker_streams.py fishtest --games N [--batch N] [--pgn FILE] STDOUT STDERR
       worker_streams.py openbench --games N [--one-game] [--pgn FILE] STDOUT
       worker_streams.py tournament --games N --engines N [--pgn FILE] STDOUT
       worker_streams.py version fishtest|openbench SHA TEXT

Exit code 0: the worker would be content; 1: it would not, and the reason is printed. The patterns and
the order of the tests are those of the workers' sources; the code is our own.
"""

import argparse
import re
import sys
import zlib

GAMES = re.compile(
    r"Games: ([0-9]+), Wins: ([0-9]+), Losses: ([0-9]+), Draws: ([0-9]+), Points: ([0-9.]+) \("
)
PENTA = re.compile(r"Ptnml\(0-2\): \[([0-9]+), ([0-9]+), ([0-9]+), ([0-9]+), ([0-9]+)\]")
ERRORS = [
    r"Warning;.*doesn't have option",
    r"Warning; Invalid value for option",
    r"Warning; Failed to set.*option",
    r"Warning; No info line available to extract score from engine",
    r"Warning; Illegal move",
    r"Warning; Could not extract score from engine",
    r"Warning; Illegal PV move",
    r"Warning; Move does not match uci move format",
    r"Warning; PV continues after checkmate",
    r"Warning; PV continues after stalemate",
    r"Warning; PV continues after threefold",
    r"Warning; PV continues after fifty-move rule",
    r"Warning; Incomplete mating PV",
    r"Warning; Too long mating PV",
    r"Warning; Mating PV does not end with checkmate",
    r"Warning; Bestmove does not match beginning of last PV",
    r"Warning; Sign mismatch in mate scores",
]
VERSION_OF_FISHTEST = re.compile(r"fastchess alpha [0-9]*.[0-9]*.[0-9]* [0-9]*-([0-9a-f-]*)$")
VERSION_OF_OPENBENCH = re.compile(r"\d+\.\d+(\.\d+)?")


class Broken(Exception):
    """The worker would give up."""


def need(condition, text):
    if not condition:
        raise Broken(text)


class Fishtest:
    """The state of a task while its lines come."""

    def __init__(self, games, batch):
        self.games = games
        self.batch = batch
        self.wld = None
        self.penta = None
        self.uploaded = 0
        self.blocks = 0
        self.finished = 0
        self.crc = None
        self.crashes = 0
        self.time_losses = 0
        self.is_over = False

    def line(self, line):
        if "has CRC32:" in line:
            self.crc = line.split()[-1]
        if "Finished match" in line:
            need(self.uploaded == self.games, "Finished match uncleanly")
            self.is_over = True
        for pattern in ERRORS:
            need(not re.search(pattern, line), f"an error that stops the test: {line}")
        if "disconnect" in line or "stall" in line:
            self.crashes += 1
        if "on time" in line or "timeout" in line:
            self.time_losses += 1
        if "Finished game" in line:
            self.finished += 1
        found = GAMES.search(line)
        if found:
            games, wins, losses, draws = (int(found[i]) for i in range(1, 5))
            need(games == wins + losses + draws, f"games are not wins, losses and draws: {line}")
            self.wld = (wins, losses, draws)
        found = PENTA.search(line)
        if found:
            self.penta = [int(found[i]) for i in range(1, 6)]
        if self.wld and self.penta:
            self.block()

    def block(self):
        games = sum(self.wld)
        self.blocks += 1
        need(2 * sum(self.penta) == games, "pairs and games disagree")
        need(self.penta_score() == 2 * self.wld[0] + self.wld[2], "their scores disagree")
        need(games == 2 * self.blocks, f"a block is missing before that of {games} games")
        need(games <= self.finished, "a block of games that are not finished")
        need(games <= self.uploaded + self.batch, "a batch was overrun")
        need(games <= self.games, "more games than were asked")
        if games in (self.uploaded + self.batch, self.games):
            self.uploaded = games
        self.wld = self.penta = None

    def penta_score(self):
        return sum(i * count for i, count in enumerate(self.penta))


def read_fishtest(args):
    task = Fishtest(args.games, args.batch or args.games)
    for name in (args.streams[1], args.streams[0]):
        with open(name, "rb") as stream:
            for raw in stream:
                task.line(raw.decode("ascii").strip())
    need(task.is_over, "no 'Finished match'")
    if args.pgn:
        with open(args.pgn, "rb") as pgn:
            need(task.crc == hex(zlib.crc32(pgn.read())), f"the CRC {task.crc} is not the file's")
    print(f"ok crashes={task.crashes} time_losses={task.time_losses} blocks={task.blocks}")


def read_openbench(args):
    results, finished, penta = {}, set(), [0] * 5
    points = {"0-1": 0, "1/2-1/2": 1, "1-0": 2}
    crashes = time_losses = illegal = 0
    with open(args.streams[0], "rb") as stream:
        for raw in stream:
            line = raw.strip().decode("ascii")
            if line == "":
                break
            if "Finished game" not in line:
                continue
            reason = line.split(":")[1]
            crashes += "disconnect" in reason or "stalls" in reason
            time_losses += "on time" in reason
            illegal += "illegal" in reason
            number, result = int(line.split()[2]), line.split()[6]
            need(result in points, f"a result that is none: {result}")
            need(number not in finished, f"game {number} is told twice")
            finished.add(number)
            results[number] = points[result]
            first = number - 1 + number % 2
            if first in results and first + 1 in results:
                penta[results[first] + 2 - results[first + 1]] += 1
    need(len(finished) == args.games, f"{len(finished)} games of {args.games}")
    if not args.one_game:
        need(sum(penta) == args.games // 2, f"pairs are missing: {penta}")
    if args.pgn:
        games = read_pgn(args.pgn)
        need(games == args.games, f"{games} games in the PGN")
    print(f"ok penta={penta} crashes={crashes} time_losses={time_losses} illegal={illegal}")


MOVE = re.compile(r"\s*(?:\d+\.{1,3} )?([a-zA-Z0-9+=#*-]+) (?:\s*\{\s*([^}]*)\s*\})?")
RESULT = re.compile(r"\s*(1-0|0-1|1/2-1/2|\*)")


def read_pgn(path):
    """Reads games as the worker does that packs them; the number of games."""
    with open(path, encoding="ascii") as pgn:
        blocks = pgn.read().strip("\n").split("\n\n")
    need(len(blocks) % 2 == 0, "headers and moves do not alternate")
    for headers, moves in zip(blocks[::2], blocks[1::2]):
        tags = {}
        for line in headers.split("\n"):
            name = line.split()[0][1:]
            tags[name] = re.search(r'"([^"]*)"', line)[1]
        text = " ".join(moves.split("\n"))
        result = RESULT.search(text)
        need(result and result[1] == tags["Result"], f"the moves end as {result and result[1]}")
        need("Termination" in tags or "Round" in tags, "tags are missing")
        for move, comment in MOVE.findall(text):
            if not comment or comment.strip() == "book" or move == "*":
                continue
            need(re.search(r"([\d.]+s)", comment), f"no time in {{{comment}}}")
    return len(blocks) // 2


STARTED = re.compile(r"Started game ([0-9]+) of ([0-9]+) \((.+) vs (.+)\)$")
FINISHED = re.compile(r"Finished game ([0-9]+) \((.+) vs (.+)\): (1-0|0-1|1/2-1/2) \{(.+)\}$")
TABLE_HEAD = re.compile(r"Rank Name {2,}")
ROW = re.compile(
    r" *([0-9]+) (\S+) +(-?[0-9.]+|-?inf|-?nan) +(-?[0-9.]+|-?inf|-?nan) .*?([0-9]+) +"
    r"(-?[0-9.]+|-?nan)% +(-?[0-9.]+|-?nan)%"
)


def read_tournament(args):
    """Reads a tournament of any runner: each game once, and tables that have all its games."""
    started, finished, tables = {}, {}, []
    with open(args.streams[0], encoding="ascii") as stream:
        for line in (raw.rstrip("\n") for raw in stream):
            found = STARTED.match(line)
            if found:
                number = int(found[1])
                need(number not in started, f"game {number} is begun twice")
                started[number] = (found[3], found[4])
            found = FINISHED.match(line)
            if found:
                number = int(found[1])
                need(number not in finished, f"game {number} is told twice")
                need(started.get(number) == (found[2], found[3]), f"game {number} was another")
                finished[number] = found[4]
            if TABLE_HEAD.match(line):
                tables.append([])
            elif tables and ROW.match(line):
                tables[-1].append(ROW.match(line))
    need(sorted(finished) == list(range(1, args.games + 1)), f"{len(finished)} games of {args.games}")
    need(tables, "there is no table")
    for table in tables:
        need(len(table) == args.engines, f"a table of {len(table)} engines")
        first = int(table[0][1])
        need([int(row[1]) for row in table] == list(range(first, first + len(table))), "the ranks")
    need(sum(int(row[5]) for row in tables[-1]) == 2 * args.games, "the last table lacks games")
    if args.pgn:
        games = read_pgn(args.pgn)
        need(games == args.games, f"{games} games in the PGN")
    print(f"ok tables={len(tables)}")


def read_version(args):
    which, sha, text = args.streams
    last = text.split("\n")
    if which == "fishtest":
        found = None
        for line in last:
            found = VERSION_OF_FISHTEST.search(line) or found
        need(found and len(found[1]) >= 7 and sha.startswith(found[1]), "not the version asked for")
        return
    found = VERSION_OF_OPENBENCH.search(text)
    need(found, "no version")
    numbers = tuple(int(part) for part in found[0].split("."))
    need(numbers >= (1, 8, 1), f"an old version: {found[0]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fishtest", "openbench", "tournament", "version"])
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--engines", type=int, default=2)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--one-game", action="store_true")
    parser.add_argument("--pgn")
    parser.add_argument("streams", nargs="+")
    args = parser.parse_args()
    readers = {
        "fishtest": read_fishtest,
        "openbench": read_openbench,
        "tournament": read_tournament,
        "version": read_version,
    }
    try:
        readers[args.what](args)
    except (Broken, UnicodeDecodeError, IndexError, KeyError, TypeError) as error:
        print(f"{args.what}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
