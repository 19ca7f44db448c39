"""Holds the tests to waiting for events: a line, a file, an exit.

A test that waits for a time fails on a busy machine. The one sleep that a test may have is the step
of a loop that looks for an event; each is listed here, but for those of the shell, which are known by
"until EVENT; do sleep TIME; done", also with "while". Such a loop has no bound: one that counts goes
on without the event. Programs that play a part (tests/engines) are
slow on purpose.

usage: check_waits.py ROOT
"""

import pathlib
import re
import sys
import tempfile

SLEEP = re.compile(r"sleep_(for|until)\(|\b(u|nano)?sleep\(")
# Of the shell. One of ten seconds and more is a program that is ended, and no wait of the test.
SHELL_SLEEP = re.compile(r"(?<![-\w])sleep (\d*\.\d+|\d)(?![\d.])")
LOOP = re.compile(r"\b(until|while|for)\b(?!.*\b(?:until|while|for)\b)", re.DOTALL)
COUNTS = re.compile(r"\bseq\b|\$\(\(|\bexpr\b|\blet\b|\+\+|\+=")
STEPS = {
    "e2e/git_test.cpp": "looks whether another process waits for the lock",
    "reports/browser/live_test.py": "looks whether the page has what is waited for",
}
# Sleeps of these are not looked at: daemons that tell nobody whether they are up, or have ended.
WITHOUT_EVENTS = {"support/slurm-local.sh"}


def is_step(before, behind):
    """Whether a sleep of the shell is the step of a loop that ends by its event alone."""
    loop = LOOP.search(before)
    if not loop or loop[1] == "for" or not before.rstrip().endswith(" do"):
        return False
    body, done, _ = behind.partition("done")
    return bool(done) and not COUNTS.search(before[loop.start():] + body)


def shell_sleeps(text):
    """Numbers of lines with a sleep of the shell that is no such step."""
    # Strings that stand below each other are one text.
    joined = re.sub(r'"[ \t]*\n[ \t]*"', lambda match: " " * len(match[0]), text)
    for match in SHELL_SLEEP.finditer(joined):
        if not is_step(joined[max(0, match.start() - 400) : match.start()], joined[match.end() :]):
            yield text.count("\n", 0, match.start()) + 1


def sleeps(folder):
    """Lines with a sleep, "name:line", in the tests of the folder."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_ours = path.suffix in {".cpp", ".h", ".py", ".sh"} and not name.startswith("engines/")
        if not is_ours or name in WITHOUT_EVENTS or path.name == pathlib.Path(__file__).name:
            continue
        text = path.read_text(errors="replace")
        lines = [i for i, line in enumerate(text.splitlines(), 1) if SLEEP.search(line)]
        found += [f"{name}:{i}" for i in lines + list(shell_sleeps(text))]
    return found


def faults(folder):
    found = sleeps(folder)
    names = [place.partition(":")[0] for place in found]
    extra = [place for place, name in zip(found, names) if name not in STEPS or names.count(name) > 1]
    return extra + [f"{name}: listed, and has no sleep" for name in STEPS if name not in names]


def refuses_what_is_planted():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for place in STEPS:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text("time.sleep(1)\n")
        (folder / "a_test.cpp").write_text("int a;\nstd::this_thread::sleep_for(1s);\n::usleep(5);\n")
        shell = folder / "b_test.cpp"
        shell.write_text(
            '"until grep -q a b; "\n"do sleep 0.02; done"\n'  # an event
            '"for i in $(seq 100); do sleep 0.02; done"\n'
            '"i=0; while [ $i -lt 9 ]; do sleep 1; i=$((i + 1)); done"\n'
            '"until test -e a; do :; done; sleep 2"\n'
            '"exec sleep 100"\n'
        )
        found = ["a_test.cpp:2", "a_test.cpp:3", "b_test.cpp:3", "b_test.cpp:4", "b_test.cpp:5"]
        return faults(folder) == found


def main(root):
    if not refuses_what_is_planted():
        sys.exit("check_waits.py does not find what was planted")
    found = faults(root / "tests")
    for fault in found:
        print(f"tests/{fault}: wait for an event, not for a time")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
