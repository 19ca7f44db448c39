#!/usr/bin/env python3
"""Measures whole matches of `assay` between two `engines/instant`, beside bare pipes in the same run.

Usage: bench/match_bench.py [--build DIR] [--repeat N] [SECTION ...]
Sections: plies game dropin lines calls start restart clock schedule; without one, all. See bench/README.md.
Every figure is the median of the repetitions, with the lowest and the highest behind it.
"""
import argparse
import json
import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")
PLIES = {1: 60_000, 2: 100_000, 8: 150_000, 32: 150_000, 512: 200_000}
MOST_PLIES = 200  # a game; the floor's too
BOOK = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "openings", "books",
                                    "unbalanced.epd.zst"))
CONNECT4 = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "rules", "multigame",
                                        "programs", "connect4.mg"))


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def own_cpu(pid):
    """Seconds of the process itself, ended children excluded. In steps of a tick."""
    fields = text_of(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def peak_mib(pid):
    for line in text_of(f"/proc/{pid}/status").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def programs_of(pid):
    """Its players: a child is listed with the thread that started it, and the warden is none."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        found += map(int, text_of(f"/proc/{pid}/task/{thread}/children").split())
    return [child for child in found if text_of(f"/proc/{child}/comm").strip() == "instant"]


def spread(values, digits=1):
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


class Match:
    """One run of assay in a folder of its own."""

    def __init__(self, bench, concurrency, pairs, *, clock="60+1", length=MOST_PLIES // 2,
                 options="{}", game=None, more=""):
        self.bench = bench
        self.folder = tempfile.TemporaryDirectory(prefix="match_bench.")
        self.plan = self.path("m.yaml")
        command = f"[{bench.instant}, --game, {game}]" if game else bench.instant
        rules = f"game: {game}, openings: {{random: 2}}, " if game else ""
        with open(self.plan, "w", encoding="utf-8") as file:
            file.write(f"each: {{command: {command}, options: {options}}}\n"
                       "programs: {a: {options: {Seed: 1}}, b: {options: {Seed: 2}}}\n"
                       f"match: {{between: [a, b], {rules}time: {clock}, pairs: {pairs}, seed: 1, "
                       f"concurrency: {concurrency}, adjudicate: {{length: {length}}}}}\n{more}")
        self.peak = 0.0
        self.process = None
        self.cpu = 0.0
        self.wall = 0.0

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def words(self):
        return ["run", self.plan, "--db", self.path("m.db"), "--json"]

    def start(self):
        with open(self.path("err"), "wb") as err, open(self.path("out"), "wb") as out:
            self.started = time.monotonic()
            self.process = subprocess.Popen(
                [self.bench.assay, *self.words()], cwd=self.folder.name, stdout=out, stderr=err)
        return self

    def is_over(self):
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, flags) is not None

    def watch(self, seconds=1e9, every=0.02):
        until = time.monotonic() + seconds
        while not self.is_over() and time.monotonic() < until:
            self.peak = max(self.peak, peak_mib(self.process.pid))
            time.sleep(every)
        return self

    def finish(self):
        """Waits for the end; the processor time is read of the zombie, before it is reaped."""
        if self.process.returncode is not None:
            raise SystemExit("ended by itself: " + text_of(self.path("err")))
        os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
        self.wall = time.monotonic() - self.started
        self.cpu = own_cpu(self.process.pid)
        if self.process.wait() not in (0, 130):
            raise SystemExit(text_of(self.path("err")))
        return self

    def result(self):
        return json.loads(text_of(self.path("out")))

    def query(self, sql):
        store = sqlite3.connect(self.path("m.db"))
        try:
            return store.execute(sql).fetchall()
        finally:
            store.close()

    def plies(self):
        return self.query("SELECT sum(plies) FROM games")[0][0]

    def plies_a_second(self):
        first, last = self.query("SELECT min(started_us), max(ended_us) FROM games")[0]
        return self.plies() * 1e6 / (last - first)

    def plies_between(self, since, until):
        """Of games that are over, taking a game's moves as evenly spread."""
        total = 0.0
        for plies, started, ended in self.query("SELECT plies, started_us, ended_us FROM games"):
            inside = min(ended, until) - max(started, since)
            if inside > 0:
                total += plies * inside / (ended - started)
        return total


class DropIn(Match):
    """The same games by the command line of fastchess, with its PGN written as they end."""

    def __init__(self, bench, concurrency, pairs):
        super().__init__(bench, concurrency, pairs)
        self.concurrency = concurrency
        self.pairs = pairs

    def words(self):
        engine = ["-engine", f"cmd={self.bench.instant}", "proto=uci"]
        return ["match", "--db", self.path("m.db"), *engine, "name=a", "option.Seed=1", *engine,
                "name=b", "option.Seed=2", "-each", "tc=60+1", "-rounds", str(self.pairs),
                "-concurrency", str(self.concurrency), "-force-concurrency", "-srand", "1",
                "-recover", "-maxmoves", str(MOST_PLIES // 2), "-pgnout", "file=g.pgn",
                "nodes=true", "seldepth=true", "-crc32", "pgn=true", "-ratinginterval", "1",
                "-openings", f"file={BOOK}", "format=epd", "order=random"]


class Lines(Match):
    """Programs that say lines of moves, which are judged or not; the games are the same."""

    def __init__(self, bench, player, is_judged, pairs):
        super().__init__(bench, 1, pairs)
        with open(self.plan, "w", encoding="utf-8") as file:
            file.write(f"each: {{command: {player}, options: {{Hash: 4, Threads: 1}}}}\n"
                       "programs: {a: {}, b: {}}\n"
                       f"match: {{between: [a, b], time: {{nodes: 1000}}, pairs: {pairs}, seed: 1, "
                       f"concurrency: 1, check_pv: {str(is_judged).lower()}, openings: {BOOK}, "
                       f"adjudicate: {{length: {MOST_PLIES // 2}}}}}\n")


class Bench:
    def __init__(self, build, repeat):
        self.assay = os.path.join(build, "assay")
        self.instant = os.path.join(build, "engines", "instant")
        self.floors = os.path.join(build, "bench", "adapters_bench")
        self.repeat = repeat

    def floor(self, concurrency, plies):
        """Plies a second and microseconds of processor time a ply of bare pipes."""
        words = self.run_floor("bare", concurrency, plies).split()
        return float(words[3]), float(words[4])

    def run_floor(self, *words):
        return subprocess.run([self.floors, *map(str, words)], check=True, capture_output=True,
                              text=True).stdout

    def measure_plies(self):
        print("| concurrency | CPU µs/ply | its own figure | bare CPU | ratio | with PGN "
              "| plies/s | bare plies/s | peak RSS MiB |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for concurrency, plies in PLIES.items():
            cpu, own, bare_cpu, ratio, pgn, speed, bare_speed, peak = ([] for _ in range(8))
            for _ in range(self.repeat):
                floor_speed, floor_cpu = self.floor(concurrency, plies)
                match = Match(self, concurrency, plies // (2 * MOST_PLIES) + concurrency)
                match.start().watch().finish()
                played = match.plies()
                cpu.append(match.cpu * 1e6 / played)
                own.append(match.result()["harness"]["cpu_us_per_ply"])
                bare_cpu.append(floor_cpu)
                ratio.append(cpu[-1] / floor_cpu)
                pgn.append(cpu[-1] + self.pgn_cpu(match) * 1e6 / played)
                speed.append(match.plies_a_second() / 1000)
                bare_speed.append(floor_speed / 1000)
                peak.append(match.peak)
            print(f"| {concurrency} | {spread(cpu)} | {spread(own)} | {spread(bare_cpu)} "
                  f"| {spread(ratio)} | {spread(pgn)} | {spread(speed, 0)}k "
                  f"| {spread(bare_speed, 0)}k | {spread(peak)} |", flush=True)
        print("goal: ≤ 8 µs (10 at worst) at 1–32 with PGN; ≥ 80k plies/s at 2–8; "
              "≤ 20 MiB at 32, ≤ 64 MiB at 512")

    def measure_game(self):
        """Games by rules of a file, which end after some 20 plies, so that a ply has a larger share
        of what a game costs."""
        for concurrency in (1, 2, 8):
            cpu, own, peak = [], [], []
            for _ in range(self.repeat):
                match = Match(self, concurrency, 1_000, game=CONNECT4).start().watch().finish()
                cpu.append(match.cpu * 1e6 / match.plies())
                own.append(match.result()["harness"]["cpu_us_per_ply"])
                peak.append(match.peak)
            print(f"connect-4, {concurrency} at once, {match.plies()} plies: CPU {spread(cpu)} µs a "
                  f"ply, its own figure {spread(own)}; goal ≤ 12; peak RSS {spread(peak)} MiB",
                  flush=True)

    def pgn_cpu(self, match):
        before = os.times().children_user + os.times().children_system
        subprocess.run([self.assay, "report", "--format", "pgn", "--db", match.path("m.db"), "-o",
                        match.path("m.pgn")], check=True, capture_output=True)
        return os.times().children_user + os.times().children_system - before

    def measure_dropin(self):
        print("| concurrency | own mode, PGN afterwards: CPU µs/ply | drop-in mode, PGN and CRC live "
              "| ratio | plies/s, own mode | drop-in |")
        print("| --- | --- | --- | --- | --- | --- |")
        for concurrency in (1, 2, 8, 32):
            pairs = PLIES[concurrency] // (2 * MOST_PLIES) + concurrency
            own, drop, ratio, speed, drop_speed = ([] for _ in range(5))
            for _ in range(self.repeat):
                match = Match(self, concurrency, pairs).start().finish()
                own.append((match.cpu + self.pgn_cpu(match)) * 1e6 / match.plies())
                other = DropIn(self, concurrency, pairs).start().finish()
                drop.append(other.cpu * 1e6 / other.plies())
                ratio.append(drop[-1] / own[-1])
                speed.append(match.plies_a_second() / 1000)
                drop_speed.append(other.plies_a_second() / 1000)
            print(f"| {concurrency} | {spread(own)} | {spread(drop)} | {spread(ratio, 2)} "
                  f"| {spread(speed, 0)}k | {spread(drop_speed, 0)}k |", flush=True)
        print("goal: ratio ≤ 1.1")

    def measure_lines(self):
        """In turn, so that both meet the same load; the least time is what other work adds to."""
        player = shutil.which("stockfish", path=os.environ["PATH"] + ":/usr/games")
        player = player or os.path.join(os.path.dirname(self.instant), "player")
        judged, plain, ratio, plies = [], [], [], []
        for _ in range(self.repeat + 2):
            for times, is_judged in ((judged, True), (plain, False)):
                match = Lines(self, player, is_judged, 20).start().finish()
                times.append(match.result()["harness"]["cpu_us_per_ply"])
                plies.append(match.plies())
            ratio.append(judged[-1] / plain[-1])
        if len(set(plies)) != 1:
            raise SystemExit(f"the games differ: {plies} plies")
        print(f"{os.path.basename(player)}, {plies[0]:,} plies a run: with check_pv {spread(judged)} "
              f"µs of the harness's processor time a ply, without {spread(plain)}; ratio in turn "
              f"{spread(ratio, 2)}, of the least {min(judged) / min(plain):.2f}; goal ≤ 1.10",
              flush=True)

    def measure_calls(self):
        print("| concurrency | system calls/ply, event loop | all threads |")
        print("| --- | --- | --- |")
        for concurrency in PLIES:
            main, everyone = [], []
            for _ in range(self.repeat):
                match = Match(self, concurrency, 1_000_000).start().watch(2.0)
                main.append(self.calls_a_ply(match, "-t"))
                everyone.append(self.calls_a_ply(match, "-p"))
                # Games that an interrupt cuts are not stored: those of the windows must be over.
                time.sleep(concurrency / 40)
                match.process.send_signal(signal.SIGINT)
                match.finish()
            print(f"| {concurrency} | {spread(list(self.settle(main)), 2)} "
                  f"| {spread(list(self.settle(everyone)), 2)} |", flush=True)
        print("goal: ≤ 4 at 2 and more")

    @staticmethod
    def settle(windows):
        """Counts become ratios when their matches are over and every game is stored."""
        return (calls / match.plies_between(since, until) for match, calls, since, until in windows)

    @staticmethod
    def calls_a_ply(match, whom):
        since = time.time() * 1e6
        counted = subprocess.run(
            ["perf", "stat", "-x", ",", "-e", "raw_syscalls:sys_enter", whom,
             str(match.process.pid), "--no-inherit", "--", "sleep", "1.5"],
            capture_output=True, text=True, check=True)
        until = time.time() * 1e6
        lines = [line for line in counted.stderr.splitlines() if "sys_enter" in line]
        return match, float(lines[0].split(",")[0]), since, until

    def measure_start(self):
        wall, cpu, bare_wall, ratio = [], [], [], []
        for _ in range(3 * self.repeat):
            bare = float(self.run_floor("spawns", 64).split()[0])
            match = Match(self, 32, 32, length=1).start().finish()
            wall.append(match.wall * 1e3)
            cpu.append(match.cpu * 1e3)
            bare_wall.append(bare)
            ratio.append(wall[-1] / bare)
        print(f"start + end of 32 games of one move each, 64 programs: {spread(wall)} ms "
              f"(CPU {spread(cpu)}), bare spawns {spread(bare_wall)} ms, ratio {spread(ratio, 2)}; "
              "goal ≤ 2", flush=True)

    def measure_restart(self):
        """Programs are killed now and then; the game after takes longer by a start."""
        after, others = [], []
        match = Match(self, 1, 100_000, length=1, more="failures_in_a_row: 1000000\n").start()
        time.sleep(0.5)
        for _ in range(60):
            time.sleep(0.05)
            programs = programs_of(match.process.pid)
            if programs:
                os.kill(programs[-1], signal.SIGKILL)
        match.process.send_signal(signal.SIGINT)
        match.finish()
        was_crash = False
        for termination, took in match.query(
                "SELECT termination, ended_us - started_us FROM games ORDER BY started_us"):
            (after if was_crash else others).append(took / 1000)
            was_crash = termination in ("crash", "disconnect")
        print(f"restart of a program: a game of two plies after a crash {spread(after, 2)} ms, "
              f"other such games {spread(others, 2)} ms, {len(after)} crashes; goal ≤ 6", flush=True)

    def measure_clock(self):
        mean, p99, delays, bare_mean, bare_p99 = [], [], [], [], []
        for _ in range(self.repeat):
            floor = self.run_floor("sleepers", 32, 12_000).split()
            bare_mean.append(float(floor[0]))
            bare_p99.append(float(floor[1]))
            match = Match(self, 32, 1_000_000, options="{SleepMs: 20}", length=20).start()
            time.sleep(8)
            match.process.send_signal(signal.SIGINT)
            match.finish()
            errors = []
            for (blob,) in match.query("SELECT moves FROM records"):
                for move in decode(blob):
                    errors.append((move["used"] - move["nodes"]) / 1000)
                    delays.append(move["delay"] / 1000)
            errors.sort()
            mean.append(statistics.mean(errors))
            p99.append(errors[len(errors) * 99 // 100])
        print(f"clock, 32 sleepers of 20 ms, {len(errors)} moves a run, booked minus own time: mean "
              f"{spread(mean, 3)} ms, p99 {spread(p99, 3)} ms (of it known as the harness's own "
              f"delay: mean {statistics.mean(delays):.3f} ms); bare pipes {spread(bare_mean, 3)}, "
              f"{spread(bare_p99, 3)} ms; goal ≤ 0.02 and ≤ 0.3", flush=True)

    def measure_schedule(self):
        for pairs in (1_000, 10_000_000):
            peak = []
            for _ in range(self.repeat):
                match = Match(self, 32, pairs).start().watch(2.5)
                if not match.is_over():
                    match.process.send_signal(signal.SIGINT)
                match.finish()
                peak.append(match.peak)
            print(f"peak RSS with {pairs:,} pairs, 32 games at once: {spread(peak)} MiB", flush=True)
        print("goal: no growth")


def varint(blob, at):
    value, shift = 0, 0
    while True:
        byte = blob[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def decode(blob):
    """Used, delay and nodes of each move: see harness/record/move_codec.cpp."""
    at = 1
    if blob[0] > 1:
        _, at = varint(blob, at)  # players
    count, at = varint(blob, at)
    for _ in range(count):
        flags, at = varint(blob, at)
        if flags >> 14 & 1:
            _, at = varint(blob, at)  # the player
        size, at = varint(blob, at)
        at += size
        used, at = varint(blob, at)
        move = {"used": (used >> 1) ^ -(used & 1), "delay": 0, "nodes": 0}
        for bit in (0, 1, 2, 6, 7, 8, 9, 10, 11, 12):  # left … said
            if flags >> bit & 1:
                value, at = varint(blob, at)
                if bit == 1:
                    move["delay"] = (value >> 1) ^ -(value & 1)
                if bit == 8:
                    move["nodes"] = value
        yield move


def main():
    sections = ["plies", "game", "dropin", "lines", "calls", "start", "restart", "clock", "schedule"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(os.path.dirname(__file__), "..", "build",
                                                        "release"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("section", nargs="*", choices=[[], *sections])
    arguments = parser.parse_args()
    bench = Bench(os.path.abspath(arguments.build), arguments.repeat)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, "
          f"{time.strftime('%Y-%m-%d')}, {arguments.repeat} repetitions")
    for section in arguments.section or sections:
        print(f"\n## {section}", flush=True)
        getattr(bench, f"measure_{section}")()


if __name__ == "__main__":
    main()
