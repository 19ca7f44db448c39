#!/usr/bin/env python3
"""Makes the two books that ship with assay, with stockfish as the judge. See README.md.

A candidate is a random walk from the start position. At each ply the program lists its best moves
at a small node count, and one is drawn with weight exp(-loss / TEMPERATURE): sane moves are likely,
odd ones happen, blunders do not. The last move is drawn among those that lead into the window of a
book that is not yet full. The position at the end is kept where two searches with more nodes agree,
and goes to the book whose window its score falls into. The same seed and the same program
give the same books, whatever the machine: every search starts from empty tables and ends at a node
count, and nothing reads a clock.
"""

import argparse
import math
import random
import subprocess
import sys

WALK_PLIES = (8, 9)      # so that either side may be to move
WALK_NODES = 1000        # a ply of the walk
LAST_NODES = 4000        # its last ply
WALK_MOVES = 10          # moves to draw from
TEMPERATURE = 45.0       # centipawns
WORST_LOSS = 160         # a move that loses more is never drawn
QUICK_NODES = 10_000     # first judgement
FULL_NODES = 30_000      # second judgement; its score is the one in the book
CACHED_PLIES = 4         # searches up to this ply are remembered
STABLE = 25              # the two may differ by so much, in centipawns
UNBALANCED = (90, 150)   # |score|
BALANCED = 25            # |score| at most
SLACK = 40               # a candidate this far outside any window at QUICK_NODES is given up


class Program:
    """A UCI program on a pipe, one search at a time."""

    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.name = ""
        self.send("uci")
        for line in self.lines_until("uciok"):
            if line.startswith("id name "):
                self.name = line[len("id name "):]
        self.send("setoption name Threads value 1")
        self.send("setoption name Hash value 1")
        self.multipv = 1

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines_until(self, word):
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("make_books.py: the program closed its pipe")
            line = line.strip()
            yield line
            if line.split(" ", 1)[0] == word:
                return

    def search(self, moves, nodes, multipv):
        """[(score, move)] best first, from the side to move; None is a mate score."""
        if multipv != self.multipv:
            self.send(f"setoption name MultiPV value {multipv}")
            self.multipv = multipv
        self.send("ucinewgame")
        self.send("position startpos moves " + " ".join(moves))
        self.send(f"go nodes {nodes}")
        found = {}
        for line in self.lines_until("bestmove"):
            words = line.split()
            if "score" not in words or "pv" not in words or "lowerbound" in words \
                    or "upperbound" in words:
                continue
            at = words.index("score")
            score = int(words[at + 2]) if words[at + 1] == "cp" else None
            rank = int(words[words.index("multipv") + 1])
            found[rank] = (score, words[words.index("pv") + 1])
        return [found[rank] for rank in sorted(found)]

    def fen(self, moves):
        """The position's FEN and whether the side to move is in check."""
        self.send("position startpos moves " + " ".join(moves))
        self.send("d")
        fen, checked = "", False
        for line in self.lines_until("Checkers:"):
            if line.startswith("Fen: "):
                fen = line[5:]
            elif line.startswith("Checkers:"):
                checked = line.strip() != "Checkers:"
        return fen, checked


def draw_move(rng, choices):
    """[score, move] of one of the choices, weighted by how little it loses; or None."""
    if choices[0][0] is None:
        return None
    weighed = [(math.exp((score - choices[0][0]) / TEMPERATURE), score, move)
               for score, move in choices
               if score is not None and choices[0][0] - score <= WORST_LOSS]
    point = rng.random() * sum(weight for weight, _, _ in weighed)
    for weight, *drawn in weighed:
        point -= weight
        if point <= 0:
            break
    return drawn


def leading_to(books, choices, sign):
    """Those of the choices whose score falls into the first of the books that any falls into."""
    for book in books:
        kept = [choice for choice in choices
                if choice[0] is not None and book_of(sign * choice[0]) == book]
        if kept:
            return kept
    return []


def walk(rng, program, cache, open_books):
    """The moves of a walk that ends in the window of an open book, as far as a short search can
    tell; or None."""
    moves = []
    length = WALK_PLIES[int(rng.random() * len(WALK_PLIES))]
    for ply in range(length):
        key = " ".join(moves)
        choices = cache.get(key)
        if choices is None:
            nodes = LAST_NODES if ply + 1 == length else WALK_NODES
            choices = program.search(moves, nodes, WALK_MOVES)
            if ply < CACHED_PLIES:
                cache[key] = choices
        if ply + 1 == length:
            choices = leading_to(open_books, choices, 1 if ply % 2 == 0 else -1)
        drawn = draw_move(rng, choices) if choices else None
        if drawn is None:
            return None
        moves.append(drawn[1])
    return moves


def book_of(score):
    if abs(score) <= BALANCED:
        return "balanced"
    if UNBALANCED[0] <= abs(score) <= UNBALANCED[1]:
        return "unbalanced"
    return None


def worth_judging(score):
    size = abs(score)
    return size <= BALANCED + SLACK or UNBALANCED[0] - SLACK <= size <= UNBALANCED[1] + SLACK


def occupied(fen, square):
    row = fen.split("/")[8 - int(square[1])].split()[0]
    file = 0
    for c in row:
        if c.isdigit():
            file += int(c)
        else:
            if file == ord(square[0]) - ord("a"):
                return True
            file += 1
        if file > ord(square[0]) - ord("a"):
            return False
    return False


def judge(program, moves):
    """White's score after both searches agree and the best move is quiet, else None."""
    quick = program.search(moves, QUICK_NODES, 1)
    if not quick or quick[0][0] is None or not worth_judging(quick[0][0]):
        return None
    full = program.search(moves, FULL_NODES, 1)
    if not full or full[0][0] is None or abs(full[0][0] - quick[0][0]) > STABLE:
        return None
    fen, checked = program.fen(moves)
    if checked or occupied(fen, full[0][1][2:4]):
        return None
    score = full[0][0] if fen.split()[1] == "w" else -full[0][0]
    return score, full[0][0], fen


def epd_line(fen, score):
    placement, side, castling, passant, quiet, number = fen.split()
    return f"{placement} {side} {castling} {passant} ce {score}; hmvc {quiet}; fmvn {number};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="stockfish", help="a UCI program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unbalanced", type=int, default=10_000, help="openings")
    parser.add_argument("--balanced", type=int, default=2_000)
    parser.add_argument("--out", default=".", help="folder for the two .epd files")
    options = parser.parse_args()

    program = Program(options.program)
    rng = random.Random(options.seed)
    wanted = {"balanced": options.balanced, "unbalanced": options.unbalanced}
    books = {name: [] for name in wanted}
    seen, cache, walks, judged = set(), {}, 0, 0
    while any(len(books[name]) < count for name, count in wanted.items()):
        walks += 1
        if walks % 200 == 0:
            sizes = " ".join(f"{name} {len(lines)}" for name, lines in books.items())
            print(f"{walks} walks, {judged} judged: {sizes}", file=sys.stderr, flush=True)
        # The book that is furthest behind comes first.
        open_books = sorted((name for name, count in wanted.items() if len(books[name]) < count),
                            key=lambda name: len(books[name]) / wanted[name])
        moves = walk(rng, program, cache, open_books)
        if moves is None:
            continue
        position = " ".join(program.fen(moves)[0].split()[:4])
        if position in seen:
            continue
        seen.add(position)
        judged += 1
        verdict = judge(program, moves)
        name = book_of(verdict[0]) if verdict else None
        if name and len(books[name]) < wanted[name]:
            books[name].append(epd_line(verdict[2], verdict[1]))
    program.send("quit")

    head = "# {count} openings, made by make_books.py --seed {seed} with {program}\n"
    for name, lines in books.items():
        # Sorted, so that the file packs well; a run draws at random.
        with open(f"{options.out}/{name}.epd", "w", encoding="ascii") as out:
            out.write(head.format(count=len(lines), seed=options.seed, program=program.name))
            out.writelines(sorted(lines))
    print(f"{walks} walks, {judged} judged", file=sys.stderr)


if __name__ == "__main__":
    main()
