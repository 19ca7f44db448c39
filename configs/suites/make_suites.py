#!/usr/bin/env python3
"""Makes the EPD suites of this folder: tactics.epd and endings.epd.

Tactics come from games that Stockfish plays against itself at a low level, after a few random moves.
Endings are pieces on random squares: kings, one to five pawns a side, and at most one piece a side. No
position is taken from another suite.

A position is a candidate if the four best moves of a search of depth 9 fall into two groups with a clear
margin between them, if a search of depth 1 to 3 chooses a move of the worse group at least once,
and if the move is not a recapture. A candidate is verified in two ways:

  1. Stockfish searches the four best moves with 1,500,000 nodes. The groups must be the same, and the
     margin must still be there.
  2. Fairy-Stockfish, which evaluates positions differently, searches 400,000 nodes. It must choose a
     move of the better group.

The better group becomes `bm`. In a second kind of position most moves are good, and only the move that
a shallow search chooses is a mistake: that move becomes `am`. The comment c0 has the scores.

usage: make_suites.py tactics|endings COUNT SEED > FILE.epd

Needs stockfish and fairy-stockfish (Debian's packages). The result depends on their versions.
"""

import random
import subprocess
import sys

MATE = 30_000
WIN = 250  # centipawns: at least this is a win
DRAWN = 60  # at most this is a draw
MARGIN = 200  # between the two groups
NODES = 1_500_000  # of Stockfish's last search
SECOND_NODES = 400_000  # of Fairy-Stockfish's


class Engine:
    """A UCI program with one thread."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.until("uciok")
        self.set("Threads", 1)
        self.set("Hash", 8)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine ended")
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines

    def set(self, name, value):
        self.send(f"setoption name {name} value {value}")

    def best(self, position, limit):
        self.send(f"position {position}")
        self.send(f"go {limit}")
        return self.until("bestmove")[-1].split()[1]

    def ranked(self, position, limit, lines):
        """The best moves with their scores in centipawns, the best first."""
        self.send("ucinewgame")
        self.set("MultiPV", lines)
        self.send(f"position {position}")
        self.send(f"go {limit}")
        found = {}
        for line in self.until("bestmove"):
            words = line.split()
            if "pv" not in words or "multipv" not in words or "bound" in line:
                continue
            at = words.index("score")
            value = int(words[at + 2])
            if words[at + 1] == "mate":
                value = MATE - value if value > 0 else -MATE - value
            found[int(words[words.index("multipv") + 1])] = (words[words.index("pv") + 1], value)
        self.set("MultiPV", 1)
        return [found[i] for i in sorted(found)]

    def board(self, position):
        """The position in FEN, and whether the player to move is in check."""
        self.send(f"position {position}")
        self.send("d")
        lines = self.until("Checkers")
        fen = next(line for line in lines if line.startswith("Fen: "))[5:]
        return fen, lines[-1].split(":")[1].strip() != ""

    def moves(self, position):
        self.send(f"position {position}")
        self.send("go perft 1")
        lines = self.until("Nodes searched")
        return [line.split(":")[0] for line in lines if ": 1" in line and len(line) < 9]


def squares_of(fen):
    """By square name: the piece's letter."""
    found = {}
    for row, text in enumerate(fen.split()[0].split("/")):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
            else:
                found["abcdefgh"[column] + str(8 - row)] = letter
                column += 1
    return found


def san(engine, fen, move):
    """The move in standard algebraic notation."""
    squares = squares_of(fen)
    start, end = move[:2], move[2:4]
    piece = squares[start].upper()
    if piece == "K" and abs(ord(start[0]) - ord(end[0])) == 2:
        text = "O-O" if end[0] == "g" else "O-O-O"
    else:
        is_capture = end in squares or (piece == "P" and start[0] != end[0])
        text = "" if piece == "P" else piece
        if piece == "P" and is_capture:
            text = start[0]
        if piece not in "PK":
            others = [
                other[:2]
                for other in engine.moves(f"fen {fen}")
                if other[2:4] == end
                and other[:2] != start
                and squares[other[:2]].upper() == piece
            ]
            if others:
                same_file = any(other[0] == start[0] for other in others)
                same_rank = any(other[1] == start[1] for other in others)
                text += start if same_file and same_rank else start[1] if same_file else start[0]
        text += ("x" if is_capture else "") + end
        if len(move) == 5:
            text += "=" + move[4].upper()
    after = f"fen {fen} moves {move}"
    if engine.board(after)[1]:
        text += "+" if engine.moves(after) else "#"
    return text


def is_good(value, best):
    """Whether a move is of the better group: it keeps the win, or else the draw."""
    if best >= WIN:
        return value >= max(WIN, best - MARGIN) or value >= MATE - 100
    return value >= -DRAWN


def groups(ranked):
    """The better and the worse moves, or None where they are not clearly apart."""
    if len(ranked) < 2:
        return None
    best = ranked[0][1]
    good = [(move, value) for move, value in ranked if is_good(value, best)]
    bad = [(move, value) for move, value in ranked if not is_good(value, best)]
    if best < -DRAWN or not bad:
        return None
    if best >= WIN and bad[0][1] > DRAWN + 40:
        return None  # the second best wins, too, or nearly
    if best < WIN and (best > DRAWN or bad[0][1] > -WIN):
        return None
    if good[-1][1] - bad[0][1] < MARGIN:
        return None
    return good, bad


def score_text(value):
    if abs(value) > MATE - 1000:
        return f"mate in {MATE - abs(value)}" if value > 0 else f"mated in {MATE - abs(value)}"
    return f"{value / 100:+.2f}"


def board_of(squares):
    """The first field of a FEN."""
    rows = []
    for row in "87654321":
        text = "".join(squares.get(column + row, "1") for column in "abcdefgh")
        for length in range(8, 1, -1):
            text = text.replace("1" * length, str(length))
        rows.append(text)
    return "/".join(rows)


def has_many_pieces(fen):
    return sum(letter.upper() not in "PK" for letter in squares_of(fen).values()) >= 6


class Maker:
    def __init__(self, kind, seed):
        self.kind = kind
        self.random = random.Random(seed)
        self.engine = Engine("/usr/games/stockfish")
        self.second = Engine("/usr/games/fairy-stockfish")
        self.seen = set()

    def game(self):
        """The positions of one game, as FEN with the square of the last move's end."""
        moves = []
        for _ in range(self.random.choice([4, 5, 6])):
            legal = self.engine.moves("startpos moves " + " ".join(moves))
            if not legal:
                return
            moves.append(self.random.choice(legal))
        while len(moves) < 120:
            position = "startpos moves " + " ".join(moves)
            self.engine.set("Skill Level", self.random.choice([4, 8, 12]))
            move = self.engine.best(position, f"nodes {self.random.choice([200, 500, 1500])}")
            self.engine.set("Skill Level", 20)
            if move == "(none)":
                return
            moves.append(move)
            fen = self.engine.board("startpos moves " + " ".join(moves))[0]
            if len(moves) >= 14 and has_many_pieces(fen):
                yield fen, move[2:4]

    def ending(self):
        """One position, in the form of game()."""
        draw = self.random
        pieces = draw.choice(["", "", "Rr", "Rr", "Nn", "Bb", "Bn", "Nb", "R", "Q", "Bb", "Rb"])
        if draw.random() < 0.5:
            pieces = pieces.swapcase()
        letters = "Kk" + pieces + "P" * draw.randint(1, 5) + "p" * draw.randint(1, 5)
        squares = {}
        for letter in letters:
            rows = "234567" if letter in "Pp" else "12345678"
            square = draw.choice("abcdefgh") + draw.choice(rows)
            while square in squares:
                square = draw.choice("abcdefgh") + draw.choice(rows)
            squares[square] = letter
        kings = sorted((letter, square) for square, letter in squares.items() if letter in "Kk")
        (_, white), (_, black) = kings
        if max(abs(ord(a) - ord(b)) for a, b in zip(white, black)) < 2:
            return
        board = board_of(squares)
        mover = draw.choice("wb")
        other = "b" if mover == "w" else "w"
        if not self.engine.board(f"fen {board} {other} - - 0 1")[1]:
            yield f"{board} {mover} - - 0 1", ""

    def shallow(self, fen):
        """The choices of searches of depth 1 to 3."""
        choices = []
        for depth in (1, 2, 3):
            self.engine.send("ucinewgame")
            choices.append(self.engine.best(f"fen {fen}", f"depth {depth}"))
        return choices

    def is_promising(self, fen):
        """A quick look: the move that a search of one ply chooses is not the choice of depth 6."""
        self.engine.send("ucinewgame")
        first = self.engine.best(f"fen {fen}", "depth 1")
        return first != self.engine.best(f"fen {fen}", "depth 6")

    def candidate(self, fen, last_square):
        if not self.is_promising(fen):
            return None
        ranked = self.engine.ranked(f"fen {fen}", "depth 9", 4)
        found = groups(ranked)
        if found and not any(move[2:4] == last_square for move, _ in found[0]):
            good = {move for move, _ in found[0]}
            if any(choice not in good for choice in self.shallow(fen)):
                return ("bm", good)
        return self.mistake(fen, ranked)

    def mistake(self, fen, ranked):
        """A shallow choice that throws away what at least two other moves keep."""
        if len(ranked) < 3 or ranked[1][1] < ranked[0][1] - 50 or ranked[0][1] < -DRAWN:
            return None
        choices = self.shallow(fen)
        if len(set(choices)) != 1 or choices[0] in {move for move, _ in ranked[:3]}:
            return None
        return ("am", {choices[0]})

    def verified(self, fen, kind, moves):
        """The comment, or None where the final searches disagree."""
        ranked = self.engine.ranked(f"fen {fen}", f"nodes {NODES}", 4)
        other = self.second.best(f"fen {fen}", f"nodes {SECOND_NODES}")
        if kind == "bm":
            found = groups(ranked)
            if not found or {move for move, _ in found[0]} != moves or other not in moves:
                return None
            return f"{score_text(found[0][-1][1])}, the next move {score_text(found[1][0][1])}"
        move = next(iter(moves))
        if not ranked or move in {found for found, _ in ranked[:2]} or other == move:
            return None
        best = ranked[0][1]
        reply = self.engine.ranked(f"fen {fen} moves {move}", f"nodes {NODES}", 1)
        if not reply:
            return None
        value = -reply[0][1]
        is_thrown_away = (best >= WIN and value <= DRAWN) or (-DRAWN <= best and value <= -WIN)
        if not is_thrown_away or best - value < WIN or ranked[1][1] < best - 60:
            return None
        return f"{score_text(value)}, the best move {score_text(best)}"

    def positions(self, count):
        made = 0
        while made < count:
            for fen, last_square in self.game() if self.kind == "tactics" else self.ending():
                key = " ".join(fen.split()[:4])
                if key in self.seen:
                    continue
                self.seen.add(key)
                found = self.candidate(fen, last_square)
                comment = self.verified(fen, *found) if found else None
                if not comment:
                    continue
                made += 1
                opcode, moves = found
                names = " ".join(sorted(san(self.engine, fen, move) for move in moves))
                yield (
                    f'{key} {opcode} {names}; id "{self.kind}.{made:03}"; '
                    f'c0 "{comment}";'
                )
                break  # one position a game


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in ("tactics", "endings"):
        sys.exit("usage: make_suites.py tactics|endings COUNT SEED > FILE.epd")
    for line in Maker(arguments[0], int(arguments[2])).positions(int(arguments[1])):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
