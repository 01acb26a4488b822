"""Installs the library into a prefix, builds the example against it, and runs the example."""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def run(*command) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def that_lead_back(prefix: pathlib.Path, origins):
    """Installed package files that name where they came from."""
    for file in sorted(prefix.rglob("*.cmake")):
        text = file.read_text(encoding="utf-8")
        if any(str(origin) in text for origin in origins):
            yield file.relative_to(prefix)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--example", required=True, type=pathlib.Path)
    parser.add_argument("--define", action="append", default=[])
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="trestle-package-") as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        run(
            options.cmake,
            "--install",
            options.build,
            "--prefix",
            prefix,
            "--component",
            "development",
        )
        if found := list(that_lead_back(prefix, (options.build, options.example.parents[1]))):
            sys.exit(f"these name the folders of the build: {', '.join(map(str, found))}")

        built = folder / "build"
        run(
            options.cmake,
            "-S",
            options.example,
            "-B",
            built,
            "-G",
            "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix}",
            *(f"-D{define}" for define in options.define),
        )
        run(options.cmake, "--build", built)
        output = run(built / "embedded_example", folder / "data")

    expected = (options.example / "expected_output.txt").read_text(encoding="utf-8")
    if output != expected:
        sys.exit(f"expected:\n{expected}\ngot:\n{output}")
    print("package: the example says what it should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
