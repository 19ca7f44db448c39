"""Searches the product for words that belong to the adapters and the rules.

The folders above adapters/ and rules/ know no protocol and no game, and count programs by id, not as
two. Each place that may have such a word all the same is a line of the list, with its reason. A line
that no file needs is an error too, so that the list stays short.

usage: check_words.py ROOT LIST
"""

import pathlib
import re
import sys

FOLDERS = ["base", "stats", "openings", "harness", "configs", "reports", "cli", "gtql"]
SUFFIXES = {".h", ".cpp", ".js", ".css", ".mustache"}
# Names of programs (fastchess, gnuchess) and of authors (White, Black) are not these words.
WORDS = {
    "uci": re.compile(r"uci", re.IGNORECASE),
    "chess": re.compile(r"(?<!fast)(?<!cute)(?<!gnu)(?<!Sear)chess", re.IGNORECASE),
    "white": re.compile(r"white(?!-?space| 1982)", re.IGNORECASE),
    "black": re.compile(r"black(?! and Rogaway)", re.IGNORECASE),
    "fen": re.compile(r"(?<![a-z])fen(?![a-z])|Fen(?![a-z])|FEN(?!SIVE)"),
    # Arrays of two: std::array<T, 2> and T name[2]. Those of anything but programs and players are
    # exceptions of their folder.
    "two": re.compile(r"array<.*, 2>|^\s*(const |constexpr |static )*[\w:<>]+[*&]? \w+\[2\]"),
}


def read_list(path):
    """The exceptions: (file or folder, word) -> number of the line in the list."""
    found = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|", 2)]
        if len(parts) != 3 or not parts[2]:
            sys.exit(f"{path}:{number}: expected 'place | words | reason'")
        for word in parts[1].split():
            if word not in WORDS:
                sys.exit(f"{path}:{number}: '{word}' is not a word that is searched for")
            found[parts[0], word] = number
    return found


def covers(place, name):
    return name.startswith(place) if place.endswith("/") else name == place


def main(root, list_path):
    allowed = read_list(list_path)
    used = set()
    errors = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES:
                continue
            name = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                for word, pattern in WORDS.items():
                    if not pattern.search(line):
                        continue
                    found = [key for key in allowed if key[1] == word and covers(key[0], name)]
                    used.update(found)
                    if not found:
                        errors.append(f"{name}:{number}: '{word}' above adapters/ and rules/: {line.strip()}")
    for (place, word), number in allowed.items():
        if (place, word) not in used:
            errors.append(f"{list_path}:{number}: {place} no longer has '{word}': delete the exception")
    if errors:
        print("\n".join(errors))
        print(f"Ask the game or the protocol instead, or add a line with the reason to {list_path}.")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
