"""check_words.py refuses planted words, and exceptions that nothing needs."""

import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("check_words.py")


def run(source, exceptions):
    """Exit code and output for a tree with the one file harness/match/a.h."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "harness/match").mkdir(parents=True)
        (root / "harness/match/a.h").write_text(source)
        (root / "list").write_text(exceptions)
        done = subprocess.run([sys.executable, SCRIPT, root, root / "list"], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def expect(source, exceptions, code, text):
    got = run(source, exceptions)
    if got[0] != code or text not in got[1]:
        sys.exit(f"{source!r} with {exceptions!r}: expected {code} and {text!r}, got {got}")


for word, line in [
    ("uci", "void send_uci();"),
    ("uci", '// asks for "UCI_Chess960"'),
    ("chess", 'make_game("chess960")'),
    ("white", "bool is_white = true;"),
    ("black", "// Black moves"),
    ("fen", "std::string start_fen;"),
    ("fen", "Fen text;"),
    ("two", "std::array<std::optional<int>, 2> wins;"),
    ("two", "    int games[2] = {};"),
]:
    expect(line + "\n", "", 1, f"harness/match/a.h:1: '{word}'")
    if word != "uci" or "Chess" not in line:
        expect(line + "\n", f"harness/match/a.h | {word} | a reason\n", 0, "")
        expect(line + "\n", f"harness/ | {word} | a reason\n", 0, "")
        expect("int clean;\n", f"harness/ | {word} | a reason\n", 1, "list:1: harness/ no longer has")

expect("// as fastchess does; offence; whitespace; steps[2]\n", "", 0, "")
expect("int clean;\n", "harness/ | chess |\n", 1, "expected 'place | words | reason'")
expect("int clean;\n", "harness/ | draughts | a reason\n", 1, "'draughts' is not a word")
print("all planted words were refused")
