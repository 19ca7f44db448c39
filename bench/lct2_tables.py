#!/usr/bin/env python3
"""The tables of the GTQL paper's experiment with our player, as Markdown.

    bench/lct2_tables.py [--player build/release/engines/player] [--assay build/release/assay]
                         [--most NODES]

Each of the nine positions is searched iteration by iteration, without a log, until one returns the
best move of the suite; SD is that iteration. Where none does within NODES nodes of the whole search
(20 million), SD is the last iteration that ends before them, and the position is marked with a star.
It is then searched to SD with a log, and queries are asked of the tree of the last iteration.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEPTHS_AT_MOST = 40
PV_CHILDREN = (2, 5, 7, 9)
LARGE = (50, 100, 200, 400)


def read_suite():
    """FEN and best move (SAN) of each line of the shipped suite."""
    out = []
    for line in (ROOT / "configs/suites/lct2.epd").read_text().splitlines():
        if line.strip():
            fen = " ".join(line.split()[:4]) + " 0 1"
            out.append((fen, re.search(r"\bbm ([^;]+);", line).group(1)))
    return out


def squares_of(san):
    """The target square of a move in SAN, and the piece that moves there."""
    plain = san.rstrip("+#")
    return plain[-2:], plain[0] if plain[0] in "KQRBN" else "P"


def is_move(uci, san, fen):
    """Whether the move in UCI is that one in SAN; none of the nine is ambiguous by this."""
    to, piece = squares_of(san)
    if uci[2:4] != to:
        return False
    rows = fen.split()[0].split("/")
    row = "".join("." * int(c) if c.isdigit() else c for c in rows[8 - int(uci[1])])
    return row["abcdefgh".index(uci[0])].upper() == piece


def play(player, lines, wait_for="bestmove"):
    process = subprocess.Popen([player], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write("\n".join(lines) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        yield line
        if line.startswith(wait_for):
            break
    process.stdin.write("quit\n")
    process.stdin.close()
    process.wait()


def solve(player, fen, best, most):
    """(SD, whether its iteration returned the best move)."""
    moves = {}
    for line in play(player, [f"position fen {fen}", f"go depth {DEPTHS_AT_MOST} nodes {most}"]):
        found = re.match(r"info depth (\d+) .* pv (\S+)", line)
        if found:
            moves[int(found[1])] = found[2]
    depths = sorted(moves)[:-1]  # the last one may have been cut by the limit
    for depth in depths:
        if is_move(moves[depth], best, fen):
            return depth, True
    return depths[-1], False


def ask(assay, log, query):
    out = subprocess.run([assay, "query", log, query, "--json"], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    answer = json.loads(out.splitlines()[0])
    return answer["count"] if answer["kind"] in ("count", "nodes") else answer["value"]


def measure(options, fen, depth, folder):
    log = folder + "/log"
    for _ in play(options.player,
                  [f"setoption name TreeLog value {log}", f"position fen {fen}", f"go depth {depth}"]):
        pass
    packed = folder + "/tree.gtl"
    subprocess.run([options.assay, "tree", "pack", log, "-o", packed, "--iteration", "last"],
                   check=True, stdout=subprocess.DEVNULL)

    def count(query):
        return ask(options.assay, packed, query)

    nodes = count("node: count(*)")
    return {
        "sd": depth, "ssd": count("node: max(ply)"), "nodes": nodes,
        "types": [count(f"node: count(type = {kind}Node)") for kind in ("PV", "CUT", "ALL")],
        "pv": [count(f"node: type = PVNode; child: count([]type = type) >= {n}")
               for n in PV_CHILDREN],
        "large": [count(f"node: flags & QRootNode; subtree: count(*) > {n}") for n in LARGE],
        "largest": count("node: max(size where flags & QRootNode)"),
        "bytes": pathlib.Path(packed).stat().st_size / nodes,
    }


def row(cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_tables(rows):
    names = [one["name"] for one in rows]
    print("\n| position | SD | SSD | nodes | PV | CUT | ALL | bytes a node, packed |")
    row(["---"] * 8)
    for one in rows:
        types = [f"{100 * n / one['nodes']:.2f} %" for n in one["types"]]
        row([one["name"], one["sd"], one["ssd"], f"{one['nodes']:,}", *types, f"{one['bytes']:.2f}"])
    print()
    row(["PV children", *names])
    row(["---"] * (1 + len(rows)))
    for i, n in enumerate(PV_CHILDREN):
        row([f"{n} or more", *(one["pv"][i] for one in rows)])
    print()
    row(["nodes below a quiescence root", *names])
    row(["---"] * (1 + len(rows)))
    for i, n in enumerate(LARGE):
        row([f"more than {n}", *(one["large"][i] for one in rows)])
    row(["the most", *(one["largest"] for one in rows)])
    nodes = sum(one["nodes"] for one in rows)
    print(f"\n{sum(one['bytes'] * one['nodes'] for one in rows) / nodes:.2f} bytes a node over all"
          f" {nodes:,} nodes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default=str(ROOT / "build/release/engines/player"))
    parser.add_argument("--assay", default=str(ROOT / "build/release/assay"))
    parser.add_argument("--most", type=int, default=20_000_000)
    options = parser.parse_args()
    rows = []
    for number, (fen, best) in enumerate(read_suite(), 15):
        depth, is_solved = solve(options.player, fen, best, options.most)
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(options, fen, depth, folder))
        rows[-1]["name"] = f"{number}{'' if is_solved else '*'}"
        print(f"position {number}: depth {depth}", file=sys.stderr, flush=True)
    print_tables(rows)


if __name__ == "__main__":
    main()
