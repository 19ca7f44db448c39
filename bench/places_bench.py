#!/usr/bin/env python3
"""How much of the time the places of `assay` play games: a gauntlet of many engines, and several
matches of one config. Counted from the events of the run.

Usage: bench/places_bench.py [--build DIR] [--engines N] [--places N]
See bench/README.md.
"""
import argparse
import json
import os
import subprocess
import tempfile

SETTINGS = "time: {move: 10ms}, adjudicate: {length: 15}, concurrency: %d"


def events_of(assay, config, folder):
    path = os.path.join(folder, "c.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(config)
    run = subprocess.run([assay, "run", path, "--db", os.path.join(folder, "c.db"), "--events", "-"],
                         cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False)
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def busy_share(events, places):
    """Of the time from the first game's start: until the last pair begins, and until the end."""
    starts, last_pair, spans = {}, 0.0, []
    for event in events:
        if event["event"] == "game_start":
            starts[event["slot"]] = event["time"]
            if event["game"] % 2 == 1:
                last_pair = event["time"]
        elif event["event"] == "game_end":
            spans.append((starts.pop(event["slot"]), event["time"]))
    first, end = min(span[0] for span in spans), max(span[1] for span in spans)

    def share(until):
        busy = sum(max(0.0, min(stop, until) - start) for start, stop in spans)
        return busy / (places * (until - first))

    return share(last_pair), share(end), end - first, len(spans)


def gauntlet(player, engines, places):
    programs = "".join(f"  p{i}: {{command: [{player}]}}\n" for i in range(engines))
    return (f"programs:\n{programs}tournament: {{kind: gauntlet, openings: 4}}\n"
            f"match: {{{SETTINGS % places}}}\n")


def matches(player, places):
    programs = "".join(f"  p{i}: {{command: [{player}]}}\n" for i in range(5))
    listed = "".join(f"- {{name: m{i}, between: [p0, p{i}], pairs: {2 * places + 1}, "
                     f"{SETTINGS % places}}}\n" for i in range(1, 5))
    return f"programs:\n{programs}matches:\n{listed}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--engines", type=int, default=32)
    parser.add_argument("--places", type=int, default=2)
    flags = parser.parse_args()
    assay = os.path.abspath(os.path.join(flags.build, "assay"))
    player = os.path.abspath(os.path.join(flags.build, "engines", "player"))
    for name, config in (("gauntlet", gauntlet(player, flags.engines, flags.places)),
                         ("matches", matches(player, flags.places))):
        with tempfile.TemporaryDirectory(prefix="places_bench.") as folder:
            before_last, whole, seconds, games = busy_share(events_of(assay, config, folder),
                                                            flags.places)
        print(f"{name:9} {games} games at {flags.places} places in {seconds:.1f} s: "
              f"busy {100 * before_last:.2f} % until the last pair begins, {100 * whole:.2f} % in all")


if __name__ == "__main__":
    main()
