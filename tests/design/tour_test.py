"""Follows the tour of the design language: every file it shows, every command, every output.

  tour_test.py TRESTLE
"""

import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOUR = (ROOT / "docs/design/tour.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(design|sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Tour(unittest.TestCase):
    def test_every_step(self):
        blocks = BLOCK.findall(TOUR)
        ports = {"8000": free_port(), "8080": free_port()}
        path = f"{TRESTLE.parent}:{os.environ['PATH']}"
        with tempfile.TemporaryDirectory() as folder:
            for index, (kind, text) in enumerate(blocks):
                if kind == "design":
                    pathlib.Path(folder, "tickets.design").write_text(text, encoding="utf-8")
                if kind != "sh":
                    continue
                script = re.sub("8000|8080", lambda port: ports[port[0]], text)
                done = subprocess.run(
                    ["bash", "-euc", script],
                    cwd=folder,
                    env=dict(os.environ, PATH=path),
                    capture_output=True,
                    text=True,
                    timeout=60,
                    check=False,
                )
                self.assertEqual((done.returncode, done.stderr), (0, ""), script)
                shown = index + 1 < len(blocks) and blocks[index + 1][0] == "text"
                expected = blocks[index + 1][1] if shown else ""
                self.assertEqual(TIME.sub("TIME", done.stdout), TIME.sub("TIME", expected), script)


if __name__ == "__main__":
    TRESTLE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
