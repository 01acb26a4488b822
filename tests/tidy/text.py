"""Plain faults of text: tabs, trailing blanks, long lines, leftovers, paths of one machine."""

import re
import sys

from files import ROOT, text_files

COLUMNS = 100
LEFTOVER = re.compile(r"\b(FIXM[E]|TOD[O])\b|\bDEBUG\b.*<<|printf\(\"DEBUG")
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|home/\w+|root)/")
CODE = {".cc", ".h", ".py", ".mjs", ".ts", ".tsx"}


def line_problems(file, number, line):
    where = f"{file.relative_to(ROOT)}:{number}"
    if "\t" in line:
        yield f"{where}: a tab"
    if line != line.rstrip():
        yield f"{where}: blanks at the end"
    if file.suffix in CODE and len(line) > COLUMNS:
        yield f"{where}: {len(line)} columns, more than {COLUMNS}"
    if LEFTOVER.search(line):
        yield f"{where}: a leftover"
    if MACHINE_PATH.search(line):
        yield f"{where}: a path of one machine"


def title_problems(file, lines):
    titles, fenced = 0, False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        titles += line.startswith("# ") and not fenced
    if titles != 1 or not lines[0].startswith("# "):
        yield f"{file.relative_to(ROOT)}: {titles} titles; a document begins with its only one"


def problems():
    for file in text_files():
        text = file.read_text(encoding="utf-8")
        lines = text.split("\n")
        if text and not text.endswith("\n"):
            yield f"{file.relative_to(ROOT)}: no newline at the end"
        for number, line in enumerate(lines, 1):
            yield from line_problems(file, number, line)
        # A note of a change is a part of a later CHANGELOG, not a document.
        if file.suffix == ".md" and "changes" not in file.parts:
            yield from title_problems(file, lines)


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "text: no problem")
    sys.exit(1 if found else 0)
