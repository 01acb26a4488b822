"""A freshly started Trestle for the tests that speak to it from outside.

As a program: tests/server.py COMMAND... runs the command with DYNAMODB_ENDPOINT set to a
server of its own, and fails if the command fails or the server does not end cleanly.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ADDRESS = re.compile(rb"https?://127\.0\.0\.1:(\d+)")
START_SECONDS = 30
STOP_SECONDS = 30


def binary() -> pathlib.Path:
    """The server to test: the release build, or what TRESTLE_BINARY names."""
    return pathlib.Path(os.environ.get("TRESTLE_BINARY", ROOT / "build/release/bin/trestle"))


class Server:
    """with Server() as server: requests to server.endpoint. Without a folder, in memory."""

    def __init__(self, *flags: str, folder=None, descriptors: int | None = None, variables=None):
        place = ["--data", str(folder)] if folder else ["--in-memory"]
        apps = [] if "--apps" in flags else ["--no-apps"]
        self.command = [str(binary()), "serve", *place, "--port", "0", *apps, *flags]
        if descriptors:
            self.command = ["prlimit", f"--nofile={descriptors}", *self.command]
        self.environment = dict(os.environ, **(variables or {}))

    def __enter__(self):
        # A file and not a pipe: nobody has to keep reading it.
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            self.command, stdout=self.log, stderr=subprocess.STDOUT, env=self.environment
        )
        deadline = time.monotonic() + START_SECONDS
        while not (found := ADDRESS.search(self.output())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                raise RuntimeError(f"the server did not start:\n{self.output().decode()}")
            time.sleep(0.01)
        self.endpoint = found.group().decode()
        self.port = int(found.group(1))
        return self

    def __exit__(self, kind, *_):
        self.process.terminate()
        try:
            code = self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "no exit code: it had to be killed"
        # A sanitizer reports leaks with the exit code.
        if code != 0 and kind is None:
            raise RuntimeError(f"the server ended with {code}:\n{self.output().decode()}")

    def output(self) -> bytes:
        return os.pread(self.log.fileno(), 1 << 20, 0)


def main() -> int:
    with Server() as server:
        environment = dict(os.environ, DYNAMODB_ENDPOINT=server.endpoint)
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
