"""Each operation has its line in the list, its scenarios and its page.

Operations that share a file because they only say that something is off share the other two too.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPERATION = re.compile(r"^(?:constinit )?const Operation k(\w+)\s*[={]", re.MULTILINE)


def snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def problems():
    listed = ROOT / "src/wire/operations.cc"
    entries = set(re.findall(r"\bk(\w+)", listed.read_text())) if listed.exists() else set()
    for file in sorted((ROOT / "src/wire/operations").glob("*.cc")):
        names = OPERATION.findall(file.read_text(encoding="utf-8"))
        for name in names:
            if name not in entries:
                yield f"{name} is not in src/wire/operations.cc"
            page = snake_case(name) if len(names) == 1 else file.stem
            for needed in (f"tests/conformance/{page}.txt", f"docs/reference/{page}.md"):
                if not (ROOT / needed).exists():
                    yield f"{name} has no {needed}"


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "operations: no problem")
    sys.exit(1 if found else 0)
