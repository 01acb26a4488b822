"""Fails when a folder under src/ includes a folder that it may not know about."""

import pathlib
import re
import sys

# Read a line as: "this folder may include these folders (and itself)".
MAY_INCLUDE = {
    "base": set(),
    "json": {"base"},
    "http": {"base"},
    "text": {"base"},
    "value": {"base"},
    "storage": {"base"},
    "expr": {"base", "value"},
    "protocol": {"base", "json", "value"},
    "engine": {"base", "value", "expr", "storage"},
    "wire": {"base", "json", "http", "value", "expr", "protocol", "engine"},
    "bench": {"base", "protocol"},
    "remote": {"base", "json", "http", "value", "protocol"},
    "design": {"base", "json", "text", "value", "expr", "protocol", "engine", "remote"},
    "platform": {"base", "json", "http", "text", "value", "design"},
    "apps": {"base", "json", "text", "value", "design", "platform"},
    "studio": {"base", "json", "value", "protocol", "engine", "wire", "design", "platform"},
    "web": {"base", "platform"},
    "embed": {"base", "value", "expr", "storage", "engine", "trestle"},
    "main": {
        "base",
        "bench",
        "json",
        "http",
        "value",
        "protocol",
        "storage",
        "engine",
        "wire",
        "remote",
        "design",
        "platform",
        "apps",
        "studio",
        "web",
    },
}

# These libraries may be named in one folder only, so that they stay replaceable.
CONFINED = {
    "argon2.h": "platform",
    "curl/": "platform/identity",
    "openssl/": "base",
    "rocksdb/": "storage",
    "simdjson": "json",
    "sqlite3": "platform/search",
    "unicode/": "text",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def known_to(file: pathlib.Path, folder: str) -> set[str]:
    """What a file may include. A test builds what its folder stands on, so it may reach further
    down: to all that the folders it knows may include."""
    known = set(MAY_INCLUDE.get(folder, set()))
    if file.name.endswith(("_test.cc", "_test.h")):
        for lower in list(known):
            known |= MAY_INCLUDE.get(lower, set())
    return known


def problems_in(file: pathlib.Path, src: pathlib.Path):
    folder = file.relative_to(src).parts[0]
    path = file.relative_to(src).as_posix()
    for quote, target in INCLUDE.findall(file.read_text(encoding="utf-8")):
        first = target.split("/")[0]
        if quote == '"' and first != folder and first not in known_to(file, folder):
            yield f"{file}: {folder}/ may not include {target}"
        for prefix, home in CONFINED.items():
            if target.startswith(prefix) and not path.startswith(home + "/"):
                yield f"{file}: only {home}/ may include {target}"


def main() -> int:
    src = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    files = sorted(p for p in src.rglob("*") if p.suffix in {".h", ".cc"} and p.parent != src)
    found = [problem for file in files for problem in problems_in(file, src)]
    print("\n".join(found) if found else f"layers: {len(files)} files, no problem")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
