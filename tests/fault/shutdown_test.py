"""SIGTERM under load: every request that was sent is answered, nothing acknowledged is lost.

    tests/fault/shutdown_test.py [ROUNDS]
"""

import json
import random
import socket
import tempfile
import time
import unittest

from client import CREATE_TABLE, HEADERS, TABLE, Client, Server, Writers, main, wait_until

EXIT_SECONDS = 10


def slow_reader(port: int) -> socket.socket:
    """A client that asks for megabytes, many times, and reads none of them."""
    client = Client(port)
    for i in range(3):
        client.put(f"large-{i}", "x" * 390_000)
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    body = json.dumps({"TableName": TABLE}).encode()
    lines = ["POST / HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in HEADERS.items()]
    lines += ["X-Amz-Target: DynamoDB_20120810.Scan", "", ""]
    connection.sendall(("\r\n".join(lines).encode() + body) * 16)
    time.sleep(0.3)
    return connection


class Shutdown(unittest.TestCase):
    def test_under_load(self):
        acknowledged, slowest, in_flight, slowest_start = 0, 0.0, 0, 0.0
        with tempfile.TemporaryDirectory(prefix="trestle-shutdown-") as folder:
            with Server(folder=folder) as server:
                Client(server.port).must("CreateTable", CREATE_TABLE)
            for _ in range(self.rounds):
                begun = time.monotonic()
                with Server(folder=folder) as server:
                    slowest_start = max(slowest_start, time.monotonic() - begun)
                    writers = Writers(server.port, count=8, value_bytes=2_000)
                    wait_until(lambda: writers.count(200) > 50, 20, "writes")
                    time.sleep(random.random() * 0.3)
                    signalled = time.monotonic()
                    server.process.terminate()
                    self.assertEqual(server.process.wait(EXIT_SECONDS), 0)
                    slowest = max(slowest, time.monotonic() - signalled)
                    writers.stop()
                # A request may meet a closed connection only when it was sent after the signal.
                dropped = [why for sent, why in writers.unanswered if sent < signalled]
                self.assertEqual(dropped, [])
                self.assertEqual({code for _, code, _ in writers.statuses}, {200})
                in_flight += sum(1 for when, _, _ in writers.statuses if when > signalled)
                acknowledged += writers.count(200)
                with Server(folder=folder) as server:
                    self.assertEqual(writers.lost(server.port), [])
        self.assertGreater(in_flight, 0, "void: no request was in flight at any signal")
        print(
            f"shutdown: {self.rounds} rounds, {acknowledged} acknowledged, 0 lost, {in_flight} "
            f"answered after the signal, 0 dropped; slowest exit {slowest:.2f} s, slowest start "
            f"{slowest_start:.2f} s",
            flush=True,
        )

    def test_a_client_that_does_not_read_cannot_keep_it(self):
        with Server() as server:
            Client(server.port).must("CreateTable", CREATE_TABLE)
            connection = slow_reader(server.port)
            start = time.monotonic()
            server.process.terminate()
            self.assertEqual(server.process.wait(EXIT_SECONDS), 0)
            self.assertGreater(time.monotonic() - start, 1, "void: nothing kept it")
            connection.close()

    def test_a_second_signal_ends_it_at_once(self):
        try:
            with Server() as server:
                Client(server.port).must("CreateTable", CREATE_TABLE)
                connection = slow_reader(server.port)
                server.process.terminate()
                time.sleep(0.3)
                self.assertIsNone(server.process.poll(), "it waits for the client")
                start = time.monotonic()
                server.process.terminate()
                self.assertEqual(server.process.wait(EXIT_SECONDS), -15)
                self.assertLess(time.monotonic() - start, 0.5)
                connection.close()
        except RuntimeError:
            pass  # the server's own complaint about its exit code


if __name__ == "__main__":
    main(__doc__, rounds=3)
