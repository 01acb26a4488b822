"""Runs the parts of ./test, goes on after a failure, and adds up what passed and failed."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
PYTHON = "/usr/bin/python3"  # Debian's, which has Debian's boto3
JOBS = str(os.cpu_count())

# All files take half an hour the first time on a machine: see tools/lint.py.
LINT_MINUTES = 8

# The tests of what several threads touch. Debian's RocksDB is not instrumented, so these are
# the ones that run on the in-memory store.
THREADED = ["base", "http", "storage", "engine", "wire", "remote"]

COUNTS = [  # (pattern of passed, pattern of failed) of each kind of test
    (r"^\[  PASSED  \] (\d+) test", r"^\[  FAILED  \] (\d+) test"),  # GoogleTest
    (r"^# pass (\d+)$", r"^# (?:fail|cancelled) (\d+)$"),  # node:test
    (r"^(\d+) passed, \d+ failed$", r"^\d+ passed, (\d+) failed$"),  # our own
]
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
UNITTEST_NOT_PASSED = re.compile(r"^(?:OK|FAILED) \((.*)\)$", re.MULTILINE)
FAILURE = re.compile(
    r"^(?:\[  FAILED  \] (\w+\.\S+)|FAILED (\S+?):?$|(?:FAIL|ERROR): (.+)| {4,}not ok \d+ - (.+))",
    re.MULTILINE,
)


class Part:
    """The result of one part."""

    def __init__(self, name: str):
        self.name = name
        self.passed = 0
        self.failures: list[str] = []

    def add(self, name: str, output: str, status: int):
        """One program's result. Without counts of its own it is one test."""
        passed, failed = counts_in(output) or (int(status == 0), 0)
        self.passed += passed
        if status != 0 or failed:
            names = [next(filter(None, found)) for found in FAILURE.findall(output)]
            names = list(dict.fromkeys(names))[:failed] or [f"exit code {status}"]
            names += ["..."] * (failed - len(names))
            self.failures += [f"{name}: {failure}" for failure in names]

    def fail(self, text: str):
        self.failures.append(text)


def counts_in(output: str) -> tuple[int, int] | None:
    passed, failed = [], []
    for passed_pattern, failed_pattern in COUNTS:
        passed += map(int, re.findall(passed_pattern, output, re.MULTILINE))
        failed += map(int, re.findall(failed_pattern, output, re.MULTILINE))
    if ran := UNITTEST_RAN.search(output):
        rest = UNITTEST_NOT_PASSED.search(output)
        numbers = dict(re.findall(r"(\w+)=(\d+)", rest[1])) if rest else {}
        wrong = int(numbers.get("failures", 0)) + int(numbers.get("errors", 0))
        failed.append(wrong)
        passed.append(int(ran[1]) - wrong - int(numbers.get("skipped", 0)))
    return (sum(passed), sum(failed)) if passed or failed else None


def run(*command, **environment) -> tuple[int, str]:
    """Runs a program, shows what it prints, -> (exit code, what it printed)."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env=dict(os.environ, **environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    lines = []
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        lines.append(line)
    return process.wait(), "".join(lines)


def run_together(commands):
    """Runs programs, two at a time; as run, for each of them, in their order."""

    def one(command):
        done = subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        return done.returncode, done.stdout

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for status, output in pool.map(one, commands):
            sys.stdout.write(output)
            sys.stdout.flush()
            yield status, output


built: dict[str, bool] = {}


def build(preset: str, *targets: str) -> bool:
    key = " ".join([preset, *targets])
    if key not in built:
        configured = (BUILD / preset / "build.ninja").exists()
        if not configured and run("cmake", "--preset", preset)[0] != 0:
            built[key] = False
        else:
            wanted = ["--target", *targets] if targets else []
            built[key] = run("cmake", "--build", "--preset", preset, *wanted)[0] == 0
    return built[key]


def ctest(part: Part, preset: str, *selection: str, **environment):
    """Runs tests of a build and adds the cases inside each of them."""
    results = BUILD / preset / "results.xml"
    results.unlink(missing_ok=True)
    # Clang 14's and GCC 12's sanitizers do not know where newer kernels put a program.
    fixed_addresses = ["setarch", "-R"] if shutil.which("setarch") and preset != "release" else []
    if fixed_addresses and subprocess.run([*fixed_addresses, "true"], check=False).returncode != 0:
        fixed_addresses = []
    status, _ = run(
        *fixed_addresses,
        *("ctest", "--test-dir", BUILD / preset, "-j", JOBS, "--output-on-failure"),
        *("--output-junit", results, "--timeout", "600"),
        *("--test-output-size-passed", "10000000", "--test-output-size-failed", "10000000"),
        *selection,
        **environment,
    )
    cases = list(xml.etree.ElementTree.parse(results).iter("testcase")) if results.exists() else []
    if not cases:
        part.fail(f"ctest ran no tests and ended with {status}")
    for case in cases:
        good = case.get("status") == "run"
        part.add(case.get("name"), case.findtext("system-out") or "", 0 if good else 1)


def need(part: Part, preset: str, *targets: str) -> bool:
    if build(preset, *targets):
        return True
    part.fail(f"the {preset} build failed")
    return False


def unit(part: Part):
    """unit, model, crash and history tests, release build"""
    if need(part, "release"):
        ctest(part, "release", "-LE", "tidy|fuzz")


def tidy(part: Part):
    """tests about the code itself"""
    if need(part, "release"):
        ctest(part, "release", "-L", "tidy")


def headers(part: Part):
    """every header compiles alone"""
    if need(part, "release", "headers_alone"):
        part.passed += 1


def conformance(part: Part, preset: str = "release"):
    """the scenarios of tests/conformance and the examples of docs/reference"""
    if need(part, preset):
        server = str(BUILD / preset / "bin/trestle")
        status, output = run(PYTHON, "tests/conformance/run.py", TRESTLE_BINARY=server)
        part.add("conformance", output, status)


def fault(part: Part):
    """full disks, signals, descriptors, hostile requests and TLS, on the real server"""
    if need(part, "release"):
        for script in sorted((ROOT / "tests/fault").glob("*_test.py")):
            status, output = run(PYTHON, script)
            part.add(script.stem, output, status)


def boto3(part: Part):
    """Python's AWS SDK"""
    if need(part, "release"):
        status, output = run(PYTHON, "tests/server.py", PYTHON, "tests/clients/boto3_test.py")
        part.add("boto3", output, status)


def cli(part: Part):
    """the AWS command line"""
    if need(part, "release"):
        status, output = run(PYTHON, "tests/server.py", PYTHON, "tests/clients/cli_test.py")
        part.add("cli", output, status)


def javascript(part: Part):
    """JavaScript's AWS SDK, which knows newer parameters than Debian's boto3"""
    clients = ROOT / "tests/clients"
    if not need(part, "release") or not install(part, clients):
        return
    status, output = run(
        *(PYTHON, "tests/server.py", "node", "--test", "--test-reporter=tap"),
        clients / "sdk_test.mjs",
    )
    part.add("javascript", output, status)


def install(part: Part, folder: pathlib.Path) -> bool:
    """The npm packages of a folder, as its lock file names them."""
    lock, installed = folder / "package-lock.json", folder / "node_modules/.package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return True
    command = ["npm", "--prefix", folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    if run(*command)[0] == 0:
        return True
    part.fail("npm ci failed")
    return False


def web(part: Part):
    """the pages in a real browser: every screen, the main flows, sizes, accessibility"""
    pages = ROOT / "tests/web"
    if need(part, "release") and install(part, ROOT / "web") and install(part, pages):
        scripts = sorted(pages.glob("*_test.mjs"))
        commands = [("node", "--test", "--test-reporter=tap", script) for script in scripts]
        for script, (status, output) in zip(scripts, run_together(commands), strict=True):
            part.add(script.stem, output, status)


def asan(part: Part):
    """unit tests with the address and undefined-behaviour sanitizers"""
    if need(part, "asan"):
        ctest(part, "asan", "-LE", "tidy|fuzz|timing")


def fuzz(part: Part):
    """each fuzz target over its stored corpus"""
    if need(part, "asan"):
        ctest(part, "asan", "-L", "fuzz")


def conformance_asan(part: Part):
    """the scenarios again, on the sanitized server"""
    conformance(part, "asan")


def tsan(part: Part):
    """tests of threaded code with the thread sanitizer"""
    if need(part, "tsan", "model_test", *(f"{name}_test" for name in THREADED)):
        ctest(part, "tsan", "-R", f"^({'|'.join(THREADED)}|model_fake)$")


def lint(part: Part):
    """clang-tidy; files that passed unchanged before are not read again"""
    if need(part, "asan"):
        status, output = run(PYTHON, "tools/lint.py", BUILD / "asan", LINT_MINUTES)
        part.add("lint", output, status)


PARTS = [
    *(unit, tidy, headers, conformance, fault, boto3, cli, javascript, web),
    *(asan, fuzz, conformance_asan, tsan, lint),
]


def main() -> int:
    by_name = {function.__name__.replace("_", "-"): function for function in PARTS}
    names = sys.argv[1:] or list(by_name)
    if unknown := [name for name in names if name not in by_name]:
        print(f"no such part: {', '.join(unknown)}. The parts are:", file=sys.stderr)
        for name, function in by_name.items():
            print(f"  {name:<18}{function.__doc__}", file=sys.stderr)
        return 2
    os.environ.setdefault("ASAN_SYMBOLIZER_PATH", "/usr/bin/llvm-symbolizer-14")
    os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
    os.environ.setdefault("TSAN_OPTIONS", "ignore_noninstrumented_modules=1")

    summary, failures, passed = [], [], 0
    for name in names:
        print(f"== {name}: {by_name[name].__doc__}", flush=True)
        part, start = Part(name), time.monotonic()
        by_name[name](part)
        seconds = time.monotonic() - start
        counts = f"{part.passed:>6} passed {len(part.failures):>4} failed"
        summary.append(f"{name:<18}{counts} {seconds:>6.0f} s")
        passed += part.passed
        failures += [f"{name}: {failure}" for failure in part.failures]

    print("\n" + "\n".join(summary))
    if failures:
        print("\nFailures:\n" + "\n".join(f"  {failure}" for failure in failures))
    print(f"\n{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
