"""The tests that docs/acceptance.md names exist."""

import re
import sys

from files import ROOT, text_files

PAGE = ROOT / "docs/acceptance.md"
NAMED = re.compile(r"`(\w+)\.(\w+)`")
FILE = re.compile(r"`((?:tests|src)/\S+)`")
GOOGLE = re.compile(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", re.MULTILINE)
PYTHON = re.compile(r"^class (\w+)|^    def (test_\w+)", re.MULTILINE)


def tests():
    for file in text_files():
        if file.name.endswith("_test.cc"):
            yield from GOOGLE.findall(file.read_text(encoding="utf-8"))
        elif file.name.endswith("_test.py"):
            suite = None
            for name, test in PYTHON.findall(file.read_text(encoding="utf-8")):
                suite = name or suite
                if test:
                    yield suite, test


def problems():
    known = set(tests())
    text = PAGE.read_text(encoding="utf-8")
    for suite, test in NAMED.findall(text):
        if (suite, test) not in known:
            yield f"{PAGE.relative_to(ROOT)}: there is no test {suite}.{test}"
    for path in FILE.findall(text):
        if not (ROOT / path).exists():
            yield f"{PAGE.relative_to(ROOT)}: there is no {path}"


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "proofs: no problem")
    sys.exit(bool(found))
