"""check_paths.py refuses planted paths and names that are not in the tree."""

import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("check_paths.py")
WAY = "1. `cli/run/a.cpp` `begin`, `end()`: the way."


def run(way, readme):
    """Exit code and output for a tree with one source and two documents."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ["cli/run", "docs"]:
            (root / folder).mkdir(parents=True)
        (root / "cli/run/a.cpp").write_text("void begin();\nvoid end();\n")
        (root / "cli/README.md").write_text(readme + "\n")
        (root / "docs/architecture.md").write_text(f"# Architecture\n\n{way}\n")
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def expect(way, readme, code, text):
    got = run(way, readme)
    if got[0] != code or text not in got[1]:
        sys.exit(f"{way!r} with {readme!r}: expected {code} and {text!r}, got {got}")


for good in ["`run/` and `cli/run/`", "`a.cpp`, `run/a.cpp`, `cli/run/a.cpp`", "`cli/NAME/b.h`", "`build/b.txt`", "`out/b.txt`"]:
    expect(WAY, good, 0, "")
for bad in ["b.h", "run/b.cpp", "cli/run/b.cpp", "cli/runs/", "docs/b.md"]:
    expect(WAY, f"Read `{bad}`.", 1, f"cli/README.md:1: there is no {bad}")
expect("1. `cli/run/b.cpp` `begin`: gone.", "", 1, "docs/architecture.md: there is no cli/run/b.cpp")
expect("1. `cli/run/a.cpp` `begin`, `beg`: gone.", "", 1, "docs/architecture.md: cli/run/a.cpp has no beg")
expect("No list.", "", 1, "no item of a list names a file")
print("all planted paths were refused")
