"""Holds the tests to waiting for events: a line, a file, an exit.

A test that waits for a time fails on a busy machine. The one sleep that a test may have is the step
of a loop that looks for an event; each is listed here. Programs that play a part (tests/engines) are
slow on purpose.

usage: check_waits.py ROOT
"""

import pathlib
import re
import sys
import tempfile

SLEEP = re.compile(r"sleep_(for|until)\(|\b(u|nano)?sleep\(")
STEPS = {
    "e2e/git_test.cpp": "looks whether another process waits for the lock",
    "reports/browser/live_test.py": "looks whether the page has what is waited for",
}


def sleeps(folder):
    """Lines with a sleep, "name:line", in the tests of the folder."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_ours = path.suffix in {".cpp", ".h", ".py"} and not name.startswith("engines/")
        if not is_ours or path.name == pathlib.Path(__file__).name:
            continue
        lines = path.read_text(errors="replace").splitlines()
        found += [f"{name}:{i}" for i, line in enumerate(lines, 1) if SLEEP.search(line)]
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
        return faults(folder) == ["a_test.cpp:2", "a_test.cpp:3"]


def main(root):
    if not refuses_what_is_planted():
        sys.exit("check_waits.py does not find what was planted")
    found = faults(root / "tests")
    for fault in found:
        print(f"tests/{fault}: wait for an event, not for a time")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
