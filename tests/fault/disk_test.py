"""A full disk and a disk that turns read-only, under load, with the whole server.

    tests/fault/disk_test.py [ROUNDS]

Needs to be root and to be allowed to mount; says so and skips where it is not.
"""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from client import CREATE_TABLE, Client, Server, Writers, main, wait_until

MB = 1 << 20
RESUME_SECONDS = 10


def run(*command):
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


@contextlib.contextmanager
def mounted(*options, image_mb: int = 0):
    """A folder on a file system of its own: a tmpfs, or ext4 in an image of `image_mb`."""
    if os.geteuid() != 0:
        raise unittest.SkipTest("only root can mount")
    with tempfile.TemporaryDirectory(prefix="trestle-disk-") as place:
        folder = pathlib.Path(place, "mounted")
        folder.mkdir()
        try:
            if image_mb:
                image = pathlib.Path(place, "image")
                run("truncate", "-s", f"{image_mb}M", image)
                run("mkfs.ext4", "-q", image)
                run("mount", "-o", ",".join(["loop", *options]), image, folder)
            else:
                run("mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", folder)
        except (OSError, subprocess.CalledProcessError) as error:
            raise unittest.SkipTest(f"cannot mount here: {error}") from error
        try:
            yield folder
        finally:
            run("umount", folder)


def fill(folder: pathlib.Path) -> pathlib.Path:
    """A foreign file that takes all the room there is."""
    foreign = folder / "foreign"
    with open(foreign, "wb", buffering=0) as file:
        for size in (MB, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * size)
    return foreign


class FullDisk(unittest.TestCase):
    def check(self, folder: pathlib.Path, take_room, give_room):
        with Server(folder=folder / "data") as server:
            Client(server.port).must("CreateTable", CREATE_TABLE)
            writers = Writers(server.port, count=4, value_bytes=20_000)
            try:
                wait_until(lambda: writers.count(200) > 100, 20, "writes before the disk is full")
                take_room()
                wait_until(lambda: writers.count(500) + writers.count(503) > 20, 60, "refusals")
                client = Client(server.port)
                for key, value in list(writers.acknowledged.items())[:50]:
                    self.assertIn(client.get(key), (value, writers.acknowledged[key]))
                self.assertIsNone(server.process.poll(), "the server stays up")
                give_room()
                given = time.monotonic()
                resumed = wait_until(
                    lambda: writers.count(200, since=given) > 20, RESUME_SECONDS, "writes resume"
                )
            finally:
                writers.stop()
            codes = {code for _, code, _ in writers.statuses}
            self.assertLessEqual(codes, {200, 500, 503}, "only what a client retries")
            self.assertEqual(writers.unanswered, [])
            self.assertEqual(writers.lost(server.port), [])
        with Server(folder=folder / "data") as server:
            self.assertEqual(writers.lost(server.port), [], "after a restart")
        refused = len(writers.statuses) - writers.count(200)
        print(
            f"{self.id().split('.')[-1]}: {len(writers.acknowledged)} keys acknowledged, "
            f"{refused} writes refused, 0 lost, resumed after {resumed:.2f} s",
            flush=True,
        )

    def test_foreign_file_on_tmpfs(self):
        for _ in range(self.rounds):
            with mounted("size=64m") as folder:
                self.check(folder, lambda: fill(folder), lambda: (folder / "foreign").unlink())

    def test_foreign_file_on_ext4(self):
        for _ in range(self.rounds):
            with mounted(image_mb=128) as folder:
                self.check(folder, lambda: fill(folder), lambda: (folder / "foreign").unlink())

    def test_own_writes_on_tmpfs(self):
        for _ in range(self.rounds):
            with mounted("size=64m") as folder:
                grow = ("mount", "-o", "remount,size=512m", folder)
                self.check(folder, lambda: None, lambda: run(*grow))


class ReadOnlyDisk(unittest.TestCase):
    def test_ext4_turns_read_only(self):
        for _ in range(self.rounds):
            with mounted("errors=remount-ro", image_mb=128) as folder:
                self.check(folder)

    def check(self, folder: pathlib.Path):
        device = subprocess.run(
            ["findmnt", "-n", "-o", "SOURCE", folder], check=True, capture_output=True, text=True
        ).stdout.strip()
        trigger = pathlib.Path("/sys/fs/ext4", pathlib.Path(device).name, "trigger_fs_error")
        if not trigger.exists():
            self.skipTest("this kernel cannot be told to fail a file system")
        with Server(folder=folder / "data") as server:
            client = Client(server.port)
            client.must("CreateTable", CREATE_TABLE)
            self.assertEqual(client.metric("trestle_writable"), "1")
            writers = Writers(server.port, count=4, value_bytes=1_000)
            try:
                wait_until(lambda: writers.count(200) > 100, 20, "writes before")
                before = dict(writers.acknowledged)
                trigger.write_text("1")
                wait_until(lambda: writers.count(200) < len(writers.statuses), 20, "a refusal")
                refused = time.monotonic()
                wait_until(lambda: len(writers.statuses) > writers.count(200) + 100, 20, "more")
                self.assertEqual(writers.count(200, since=refused), 0, "no write is acknowledged")
            finally:
                writers.stop()
            self.assertEqual(writers.lost(server.port), [], "reads go on")
            # While it turns, ext4 reports a sync as done that it has not done; its log says so.
            after = writers.acknowledged.items()
            writers.acknowledged = {key: text for key, text in after if before.get(key) == text}
            self.assertEqual(client.metric("trestle_writable"), "0")
            self.assertEqual(client.text("/healthz")[0], 503)
            self.assertIsNone(server.process.poll(), "the server stays up")
        run("umount", folder)
        run("mount", "-o", "loop", folder.parent / "image", folder)
        with Server(folder=folder / "data") as server:
            self.assertEqual(writers.lost(server.port), [], "after a repair and a restart")
            self.assertEqual(Client(server.port).put("again", "x")[0], 200)
        print(f"read-only: {len(writers.acknowledged)} keys acknowledged, 0 lost", flush=True)


if __name__ == "__main__":
    main(__doc__)
