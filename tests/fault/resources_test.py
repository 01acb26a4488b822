"""Few descriptors, and bodies that are too large: the server stays small and serves the others.

    tests/fault/resources_test.py
"""

import gzip
import os
import select
import socket
import tempfile
import threading
import time
import unittest

from client import CREATE_TABLE, HEADERS, Client, Server, main, wait_until

MB = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")
PARALLEL = 64


def cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(pid: int, name: str) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        line = next(line for line in file if line.startswith(name + ":"))
    return int(line.split()[1]) * 1024


class Descriptors(unittest.TestCase):
    def test_accepting_pauses_and_goes_on(self):
        with tempfile.TemporaryDirectory(prefix="trestle-fds-") as folder, Server(
            folder=folder, descriptors=256
        ) as server:
            pid = server.process.pid
            early = Client(server.port)
            early.must("CreateTable", CREATE_TABLE)
            crowd = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(400)]
            before, start = cpu_seconds(pid), time.monotonic()
            while time.monotonic() - start < 2:
                early.must("ListTables", {})  # an idle connection would have to make room
                time.sleep(0.1)
            share = (cpu_seconds(pid) - before) / (time.monotonic() - start)
            self.assertLess(share, 0.1, "it does not spin")
            # Enough to make the store write, switch and open files of its own.
            for i in range(300):
                self.assertEqual(early.put(f"{i}", "x" * 300_000)[0], 200)
            self.assertEqual(early.get("7"), "x" * 300_000)
            self.assertEqual(early.text("/healthz")[0], 200)
            for connection in crowd:
                connection.close()
            start = time.monotonic()
            self.assertEqual(Client(server.port).get("7"), "x" * 300_000)
            recovered = time.monotonic() - start
            self.assertLess(recovered, 1)
            print(f"descriptors: {share:.1%} of a core, back after {recovered:.2f} s", flush=True)


def head(*lines: str) -> bytes:
    names = {**HEADERS, "X-Amz-Target": "DynamoDB_20120810.ListTables", "Host": "localhost"}
    all_lines = ["POST / HTTP/1.1", *(f"{name}: {value}" for name, value in names.items()), *lines]
    return ("\r\n".join(all_lines) + "\r\n\r\n").encode()


def send_all(port: int, begin: bytes, piece: bytes, bytes_to_send: int) -> tuple[int, int, float]:
    """Sends until there is an answer -> (status, bytes sent, seconds to the answer)."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        sent = 0
        try:
            connection.sendall(begin)
            while sent < bytes_to_send:
                readable, _, _ = select.select([connection], [], [], 0)
                if readable:
                    break
                sent += connection.send(piece)
        except (ConnectionResetError, BrokenPipeError):
            pass
        try:
            answer = connection.recv(65536)
        except ConnectionResetError:
            answer = b""
        status = int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0
        return status, sent, time.monotonic() - start


class Bodies(unittest.TestCase):
    """A gigabyte in each of 64 connections at once."""

    def check(self, begin: bytes, piece: bytes, bytes_to_send: int, statuses: set[int]):
        with Server() as server:
            pid = server.process.pid
            good = Client(server.port)
            good.must("ListTables", {})
            before = memory(pid, "VmRSS")
            results = []
            threads = [
                threading.Thread(
                    target=lambda: results.append(
                        send_all(server.port, begin, piece, bytes_to_send)
                    )
                )
                for _ in range(PARALLEL)
            ]
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                good.must("ListTables", {})
                time.sleep(0.01)
            rise = memory(pid, "VmHWM") - before
            self.assertLessEqual({status for status, _, _ in results}, statuses)
            sent = max(sent for _, sent, _ in results)
            print(
                f"{self.id().split('.')[-1]}: {sorted(s for s, _, _ in results)[:3]}..., at most "
                f"{sent / MB:.1f} MB sent, memory rose by {rise / MB:.1f} MB",
                flush=True,
            )
            return rise, sent

    def test_with_a_length(self):
        rise, sent = self.check(head("Content-Length: 1073741824"), b" " * 65536, 1 << 30, {413, 0})
        self.assertLess(rise, 32 * MB)
        self.assertLess(sent, 16 * MB)

    def test_in_chunks(self):
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        begin = head("Transfer-Encoding: chunked")
        rise, sent = self.check(begin, chunk, 1 << 30, {413, 503, 0})
        self.assertLess(rise, 32 * MB)
        self.assertLess(sent, 64 * MB)

    def test_without_a_length(self):
        # Without a length there is no body: what follows is not a request.
        rise, _ = self.check(head(), b" " * 65536, 1 << 30, {200, 400, 0})
        self.assertLess(rise, 32 * MB)

    def test_a_gzip_bomb(self):
        bomb = gzip.compress(b" " * (256 * MB), compresslevel=9)
        begin = head("Content-Encoding: gzip", f"Content-Length: {len(bomb)}")
        rise, _ = self.check(begin, bomb, len(bomb), {400, 413, 0})
        self.assertLess(rise, 32 * MB)


if __name__ == "__main__":
    main(__doc__)
