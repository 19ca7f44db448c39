"""Searches the documents for files and folders that are not in the tree.

A path in backticks begins at the root or at the folder of its document. In a folder's README a name
without a slash may stand for a file anywhere below that folder. In docs/architecture.md an item of a
numbered list, "1. `path`: `name`, `other` …", promises that the names before the first full sentence
are in that file.

usage: check_paths.py ROOT
"""

import pathlib
import re
import sys

SOURCE = re.compile(r"[\w.-]+\.(h|cpp|c|py|cmake|mustache|css|js|md|txt)")
SPAN = re.compile(r"`([^`\n]+)`")
ITEM = re.compile(r"^\d+\. `([^`]+)`((?:,? (?:and )?`[^`]+`)+):", re.MULTILINE)
SKIPPED = {"CHANGELOG.md"}  # tells of earlier versions


def documents(root):
    folders = [each for each in root.iterdir() if each.is_dir() and not each.name.startswith(".")]
    found = sorted(root.glob("*.md"))
    for folder in sorted(folders):
        if folder.name != "build":
            found += sorted(folder.rglob("*.md"))
    return [each for each in found if each.name not in SKIPPED]


def is_missing(root, document, word):
    """Whether the word is a path of ours that leads nowhere."""
    folder = document.parent
    if "*" in word or "NAME" in word or "FOLDER" in word or word.startswith("/"):
        return False
    if "/" not in word:
        is_room = document.name == "README.md" and folder != root and SOURCE.fullmatch(word)
        return bool(is_room) and not (any(folder.rglob(word)) or (root / word).exists())
    if any((base / word).exists() for base in (root, folder)):
        return False
    first, rest = word.split("/", 1)
    is_ours = (first != "build" and (root / first).is_dir()) or (folder != root and (folder / first).is_dir())
    last = word.rstrip("/").split("/")[-1]
    return is_ours and bool(SOURCE.fullmatch(last) or (word.endswith("/") and rest != ""))


def main(root):
    errors = []
    for document in documents(root):
        name = document.relative_to(root).as_posix()
        text = document.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            for word in SPAN.findall(line):
                if is_missing(root, document, word):
                    errors.append(f"{name}:{number}: there is no {word}")
    page = root / "docs/architecture.md"
    items = ITEM.findall(page.read_text())
    for path, names in items:
        if not (root / path).is_file():
            errors.append(f"docs/architecture.md: there is no {path}")
            continue
        source = (root / path).read_text()
        for each in SPAN.findall(names):
            if not re.search(rf"\b{re.escape(each.removesuffix('()'))}\b", source):
                errors.append(f"docs/architecture.md: {path} has no {each}")
    if not items:
        errors.append("docs/architecture.md: no item of a list names a file and what to read in it")
    if errors:
        print("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
