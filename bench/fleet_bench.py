#!/usr/bin/env python3
"""Measures what a fleet costs beside a run on one machine: processor time a ply of whole processes.

Usage: bench/fleet_bench.py [--build DIR] [--before DIR] [--rounds N] [--pairs N]
A round plays one match twice, in turn: by `assay run`, and by `assay work` as one batch. With
--before it is played by `assay run` of that build too. The players are those of --build in all of
them, and all games are equal. See bench/README.md.
"""
import argparse
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")


def play(words, folder):
    """Runs it; seconds of processor time of assay itself, and with its programs."""
    with open(os.path.join(folder, "out"), "ab") as out:
        process = subprocess.Popen(words, cwd=folder, stdout=out, stderr=out)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    with open(f"/proc/{process.pid}/stat", encoding="utf-8", errors="replace") as file:
        fields = file.read().rpartition(")")[2].split()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        with open(os.path.join(folder, "out"), encoding="utf-8", errors="replace") as file:
            raise SystemExit(f"{words}: exit code {process.returncode}: {file.read()}")
    own = (int(fields[11]) + int(fields[12])) / TICK
    return own, used.ru_utime + used.ru_stime


def plies_in(store):
    with sqlite3.connect(store) as database:
        return database.execute("SELECT sum(plies) FROM games").fetchone()[0]


class Bench:
    def __init__(self, build, pairs):
        self.assay = os.path.join(build, "assay")
        instant = os.path.join(build, "engines", "instant")
        self.config = (
            f"each: {{command: {instant}}}\n"
            "programs: {a: {options: {Seed: 1}}, b: {options: {Seed: 2}}}\n"
            f"match: {{between: [a, b], time: {{nodes: 100}}, pairs: {pairs}, seed: 1, "
            "concurrency: 2, adjudicate: {length: 100}}\n")
        self.pairs = pairs

    def local(self, assay):
        with tempfile.TemporaryDirectory(prefix="fleet_bench.") as folder:
            with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as file:
                file.write(self.config)
            used = play([assay, "run", "m.yaml", "--db", "m.db"], folder)
            return [1e6 * one / plies_in(os.path.join(folder, "m.db")) for one in used]

    def worker(self):
        with tempfile.TemporaryDirectory(prefix="fleet_bench.") as folder:
            with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as file:
                file.write(self.config + f"executor: {{slurm: {{folder: {folder}/fleet, "
                           f"submit: false, batch: {self.pairs}}}}}\n")
            with open(os.path.join(folder, "log"), "wb") as log:
                coordinator = subprocess.Popen([self.assay, "run", "m.yaml", "--db", "m.db"],
                                               cwd=folder, stdout=log, stderr=log)
            fleet = os.path.join(folder, "fleet")
            while not (os.path.isdir(fleet) and
                       any(os.path.exists(os.path.join(fleet, name, "spec.json"))
                           for name in os.listdir(fleet))):
                if coordinator.poll() is not None:
                    with open(os.path.join(folder, "log"), encoding="utf-8") as log:
                        raise SystemExit("the coordinator ended: " + log.read())
                time.sleep(0.05)
            try:
                used = play([self.assay, "work", "--batch",
                             os.path.join(fleet, os.listdir(fleet)[0]), "0", "--slots", "2"],
                            folder)
            except BaseException:
                coordinator.terminate()
                raise
            finally:
                coordinator.wait()
            if coordinator.returncode != 0:
                raise SystemExit(f"the coordinator ended with {coordinator.returncode}")
            return [1e6 * one / plies_in(os.path.join(folder, "m.db")) for one in used]


def spread(values, digits=2):
    return (f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to "
            f"{max(values):.{digits}f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--before")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--pairs", type=int, default=400)
    arguments = parser.parse_args()
    build = os.path.abspath(arguments.build)
    bench = Bench(build, arguments.pairs)
    ways = {"local": lambda: bench.local(bench.assay), "worker": bench.worker}
    if arguments.before:
        before = os.path.join(os.path.abspath(arguments.before), "assay")
        ways["before"] = lambda: bench.local(before)
    found = {name: [] for name in ways}
    for i in range(arguments.rounds):
        order = list(ways)
        for name in order if i % 2 == 0 else reversed(order):
            found[name].append(ways[name]())
    for which, what in enumerate(("assay itself", "with its programs")):
        base = [one[which] for one in found["local"]]
        print(f"{what}, µs a ply: local {spread(base)}")
        for name in found:
            if name == "local":
                continue
            own = [one[which] for one in found[name]]
            # Of the local run to the build before; of the worker to the local run.
            ratios = ([b / o for b, o in zip(base, own)] if name == "before" else
                      [o / b for o, b in zip(own, base)])
            middle = (statistics.median(base) / statistics.median(own) if name == "before" else
                      statistics.median(own) / statistics.median(base))
            label = "local to before" if name == "before" else "worker to local"
            print(f"  {name} {spread(own)}; {label}: {middle:.3f} of the medians, by round "
                  f"{spread(ratios, 3)}")


if __name__ == "__main__":
    main()
