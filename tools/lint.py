"""clang-tidy over the sources of a Clang build: tools/lint.py BUILD_FOLDER [MINUTES].

Tests are left out: GoogleTest's macros take tens of seconds a file, and two compilers and the
sanitizers see the tests anyway.
A file that passed is not read again, in any checkout of this machine, until it, a header of
ours that it includes, its compile command or .clang-tidy changes. What changed last is read
first, and after MINUTES no other file is begun: the next run goes on.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("src", "include", "bench", "fuzz")
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
STAMPS = CACHE / "trestle-lint"
STAMP_DAYS = 30
# Not all of their files have been through clang-tidy yet; compilers and sanitizers see them.
NOT_YET = ("src/apps", "src/platform")


def is_ours(file: str) -> bool:
    path = pathlib.Path(file)
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in FOLDERS


def dependencies(build: pathlib.Path) -> dict[str, list[str]]:
    """object file -> our own files that it was compiled from, as ninja recorded them"""
    text = subprocess.run(
        ["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True
    ).stdout
    found: dict[str, list[str]] = {}
    files: list[str] = []
    for line in text.splitlines():
        if line.startswith("    "):
            file = os.path.normpath(build / line.strip())
            if is_ours(file):
                files.append(file)
        elif ":" in line:
            files = found.setdefault(line.split(":")[0], [])
    return found


def object_of(entry: dict) -> str:
    words = shlex.split(entry["command"])
    return words[words.index("-o") + 1]


def state_of(entry: dict, files: list[str]) -> str:
    """A hash of all that the verdict on a file depends on, the same in every checkout."""
    digest = hashlib.sha256(entry["command"].replace(str(ROOT), "").encode())
    for file in [ROOT / ".clang-tidy", entry["file"], *sorted(files)]:
        digest.update(pathlib.Path(file).read_bytes())
    return digest.hexdigest()


def check(build: pathlib.Path, entry: dict, files: list[str], deadline: float):
    """-> (file, what clang-tidy said, "" if it is content and None if there was no time)"""
    name = str(pathlib.Path(entry["file"]).relative_to(ROOT))
    stamp = STAMPS / state_of(entry, files)
    # Without recorded headers the file was not built, and nothing is known of them.
    if files and stamp.exists():
        stamp.touch()
        return name, ""
    if time.monotonic() > deadline:
        return name, None
    command = ["clang-tidy-14", "--quiet", "-p", str(build), entry["file"]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return name, f"exit code {result.returncode}\n{result.stdout}"
    stamp.touch()
    return name, ""


def last_changes() -> dict[str, int]:
    """file -> its place in the order of last changes, the newest first"""
    changed = []
    for command in ("git diff --name-only HEAD", "git log --format= --name-only"):
        listed = subprocess.run(
            command.split(), cwd=ROOT, capture_output=True, text=True, check=False
        )
        changed += listed.stdout.splitlines()
    ages: dict[str, int] = {}
    for age, name in enumerate(changed):
        ages.setdefault(str(ROOT / name), age)
    return ages


def forget_old() -> None:
    oldest = time.time() - STAMP_DAYS * 86400
    for stamp in STAMPS.iterdir():
        if stamp.stat().st_mtime < oldest:
            stamp.unlink(missing_ok=True)


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    STAMPS.mkdir(parents=True, exist_ok=True)
    forget_old()
    entries = json.loads((build / "compile_commands.json").read_text())
    entries = [
        entry
        for entry in entries
        if is_ours(entry["file"])
        and not entry["file"].endswith("_test.cc")
        and not any(pathlib.Path(entry["file"]).is_relative_to(ROOT / name) for name in NOT_YET)
    ]
    recorded = dependencies(build)
    ages = last_changes()

    def age(entry: dict) -> float:
        files = [entry["file"], *recorded.get(object_of(entry), [])]
        return min(ages.get(file, float("inf")) for file in files)

    deadline = time.monotonic() + 60 * (float(sys.argv[2]) if len(sys.argv) > 2 else float("inf"))
    passed = failed = left = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [
            pool.submit(check, build, entry, recorded.get(object_of(entry), []), deadline)
            for entry in sorted(entries, key=age)
        ]
        for job in concurrent.futures.as_completed(jobs):
            name, complaint = job.result()
            if complaint is None:
                left += 1
            elif not complaint:
                passed += 1
            else:
                failed += 1
                print(f"FAILED {name}:\n{complaint}", flush=True)
    if left:
        print(f"{left} files have not been read yet; the next run goes on with them")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
