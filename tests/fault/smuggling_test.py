"""Requests that two readers could take apart differently, sent to the server and through nginx.

    tests/fault/smuggling_test.py
"""

import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from client import CREATE_TABLE, HEADERS, Client, Server, main, wait_until

# What an attacker hides: if it runs, there is a table.
HIDDEN_BODY = json.dumps({**CREATE_TABLE, "TableName": "smuggled"})
COMMON = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
HIDDEN = (
    "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.CreateTable\r\n"
    f"{COMMON}Content-Length: {len(HIDDEN_BODY)}\r\n\r\n{HIDDEN_BODY}"
).encode()
START = (
    "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" + COMMON
)
CHUNK = b"%x\r\n" % len(HIDDEN)


def post(headers: str, body: bytes = b"", start: str = START) -> bytes:
    return (start + headers + "\r\n").encode("latin-1") + body


LENGTH = "Content-Length: "
CODING = "Transfer-Encoding: "
# Each could hide a request from one of two readers; all must be refused.
REFUSED = {
    "length and chunks": post(f"{LENGTH}4\r\n{CODING}chunked\r\n", b"0\r\n\r\n"),
    "chunks and length": post(f"{CODING}chunked\r\n{LENGTH}4\r\n", CHUNK),
    "two lengths": post(f"{LENGTH}2\r\n{LENGTH}0\r\n", b"{}"),
    "a list of lengths": post(f"{LENGTH}2, 0\r\n", b"{}"),
    "a length with a sign": post(f"{LENGTH}+2\r\n", b"{}"),
    "a negative length": post(f"{LENGTH}-1\r\n"),
    "a length in hex": post(f"{LENGTH}0x2\r\n", b"{}"),
    "a length past 64 bits": post(f"{LENGTH}18446744073709551618\r\n", b"{}"),
    "an empty length": post(f"{LENGTH}\r\n"),
    "a folded coding": post("Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n"),
    "a folded length": post("X: y\r\n Content-Length: 5\r\n"),
    "a blank before the colon": post("Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"),
    "another coding": post(f"{CODING}xchunked\r\n", b"0\r\n\r\n"),
    "a coding after chunked": post(f"{CODING}chunked, identity\r\n", b"0\r\n\r\n"),
    "identity": post(f"{CODING}identity\r\n{LENGTH}2\r\n", b"{}"),
    "chunked twice": post(f"{CODING}chunked\r\n{CODING}chunked\r\n", b"0\r\n\r\n"),
    "a strange blank": post(f"{CODING}\x0bchunked\r\n", b"0\r\n\r\n"),
    "a quoted coding": post(f'{CODING}"chunked"\r\n', b"0\r\n\r\n"),
    "a chunk size in 0x": post(f"{CODING}chunked\r\n", b"0x2\r\n{}\r\n0\r\n\r\n"),
    "a chunk size with a sign": post(f"{CODING}chunked\r\n", b"+2\r\n{}\r\n0\r\n\r\n"),
    "a chunk size past 64 bits": post(f"{CODING}chunked\r\n", b"10000000000000002\r\n{}\r\n"),
    "a chunk longer than its size": post(f"{CODING}chunked\r\n", b"1\r\n{}\r\n0\r\n\r\n"),
    "a chunk line of a bare LF": post(f"{CODING}chunked\r\n", b"2\n{}\r\n0\r\n\r\n"),
    "a NUL in a header": post(f"X: a\0b\r\n{LENGTH}2\r\n", b"{}"),
    "a bare CR in a header": post(f"X: a\r{LENGTH}0\r\n{LENGTH}2\r\n", b"{}"),
    "a header without a colon": post(f"Nothing\r\n{LENGTH}2\r\n", b"{}"),
    "a header without a name": post(f": x\r\n{LENGTH}2\r\n", b"{}"),
    "two hosts": post(f"Host: other\r\n{LENGTH}2\r\n", b"{}"),
    "no host": post(f"{LENGTH}2\r\n", b"{}", START.replace("Host: localhost\r\n", "")),
    "chunks in HTTP/1.0": post(f"{CODING}chunked\r\n", b"0\r\n\r\n", START.replace("1.1", "1.0")),
    "HTTP/1.11": post(f"{LENGTH}2\r\n", b"{}", START.replace("1.1", "1.11")),
    "HTTP/2": post(f"{LENGTH}2\r\n", b"{}", START.replace("HTTP/1.1", "HTTP/2.0")),
    "two blanks": post(f"{LENGTH}2\r\n", b"{}", START.replace("POST / ", "POST  / ")),
    "65 KB of headers": post("".join(f"X-{i}: {'x' * 1000}\r\n" for i in range(70))),
    "a thousand headers": post("".join(f"X-{i}: x\r\n" for i in range(1000))),
}
# Odd but clear: these are read as they are meant, and so is what follows them.
SERVED = {
    "a bare LF": post(f"{LENGTH}2\r\n", b"{}").replace(b"\r\n", b"\n"),
    "a chunk extension": post(f"{CODING}chunked\r\n", b"2;a=b\r\n{}\r\n0\r\n\r\n"),
    "a trailer": post(f"{CODING}chunked\r\n", b"2\r\n{}\r\n0\r\nX: y\r\n\r\n"),
    "the same length twice": post(f"{LENGTH}2\r\n{LENGTH}2\r\n", b"{}"),
    "an absolute address": post(f"{LENGTH}2\r\n", b"{}", START.replace("/ ", "http://x/ ", 1)),
    "a coding in capitals": post(f"{CODING}Chunked\r\n", b"2\r\n{}\r\n0\r\n\r\n"),
    "it in a chunk": post(f"{CODING}chunked\r\n", CHUNK + HIDDEN + b"\r\n0\r\n\r\n"),
}


def exchange(port: int, request: bytes) -> bytes:
    """Everything that comes back until the server closes or says nothing for a while."""
    with socket.create_connection(("127.0.0.1", port), timeout=0.15) as connection:
        answer = b""
        try:
            connection.sendall(request)
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
        return answer


def statuses(answer: bytes) -> list[int]:
    return [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]


class Direct(unittest.TestCase):
    def test_unclear_requests_are_refused(self):
        with Server() as server:
            client = Client(server.port)
            for name, request in REFUSED.items():
                with self.subTest(name):
                    found = statuses(exchange(server.port, request + HIDDEN))
                    self.assertEqual(len(found), 1, f"one answer, not {found}")
                    self.assertIn(found[0], {400, 413, 414, 431, 501, 505})
                    self.assertEqual(client.must("ListTables", {})["TableNames"], [])

    def test_odd_requests_are_read_as_they_are_meant(self):
        with Server() as server:
            for name, request in SERVED.items():
                with self.subTest(name):
                    clear = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    found = statuses(exchange(server.port, request + clear))
                    self.assertIn(found, ([200, 200], [400, 200], [400]))
            client = Client(server.port)
            self.assertEqual(client.must("ListTables", {})["TableNames"], [])


NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream trestle {{ server 127.0.0.1:{port}; keepalive 1; }}
  server {{
    listen 127.0.0.1:{front}; ignore_invalid_headers off; underscores_in_headers on;
    location / {{
      proxy_pass http://trestle; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header Host localhost;
    }}
  }}
}}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class ThroughNginx(unittest.TestCase):
    """One connection between nginx and the server, which all clients share."""

    def test_nobody_gets_the_answer_of_another(self):
        program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if not program:
            self.skipTest("nginx is not installed")
        with Server() as server, tempfile.TemporaryDirectory(prefix="trestle-nginx-") as folder:
            front, config = free_port(), pathlib.Path(folder, "nginx.conf")
            config.write_text(NGINX.format(folder=folder, port=server.port, front=front))
            command = [program, "-p", folder, "-c", config]
            nginx = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            try:
                wait_until(lambda: is_open(front), 10, "nginx listens")
                asked = 0
                for name, request in {**REFUSED, **SERVED}.items():
                    for hidden in (HIDDEN, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"):
                        exchange(front, request + hidden)
                        for _ in range(3):
                            asked += 1
                            self.check_own_answer(front, f"victim-{asked}", name)
                print(f"nginx: {asked} requests after others, 0 with another's answer", flush=True)
            finally:
                nginx.terminate()
                nginx.wait(10)

    def check_own_answer(self, front: int, table: str, name: str):
        status, reply = Client(front).call("DescribeTable", {"TableName": table})
        self.assertEqual(status, 400, name)
        self.assertIn(table, reply.get("message", ""), name)


if __name__ == "__main__":
    main(__doc__)
