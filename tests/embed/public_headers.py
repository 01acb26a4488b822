"""trestle/*.h include the standard library and each other only, and define no macro."""

import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+[>"])', re.MULTILINE)
STANDARD = re.compile(r"<[a-z_0-9]+>")


def macros(compiler: str, folder: pathlib.Path, includes) -> set[str]:
    source = "".join(f"#include {include}\n" for include in includes)
    done = subprocess.run(
        [compiler, "-std=c++20", "-dM", "-E", "-x", "c++", f"-I{folder}", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines())


def problems(compiler: str, folder: pathlib.Path):
    headers = sorted((folder / "trestle").glob("*.h"))
    if not headers:
        yield f"no headers in {folder}/trestle"
    standard = set()
    for header in headers:
        for include in INCLUDE.findall(header.read_text(encoding="utf-8")):
            if STANDARD.fullmatch(include):
                standard.add(include)
            elif not (folder / include.strip('"')).is_file() or not include.startswith('"trestle/'):
                yield f"{header.name} includes {include}"
    ours = [f'"trestle/{header.name}"' for header in headers]
    allowed = macros(compiler, folder, sorted(standard))
    for line in sorted(macros(compiler, folder, ours) - allowed):
        yield f"a macro: {line}"


if __name__ == "__main__":
    found = list(problems(sys.argv[1], pathlib.Path(sys.argv[2])))
    print("\n".join(found) or "public headers: no problem")
    sys.exit(1 if found else 0)
