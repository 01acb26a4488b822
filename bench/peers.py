"""Trestle beside nginx, redis and dynalite, each on one core, under the same load.

  peers.py BIN OUTPUT [--items N] [--growth-items N] [--seconds N] [--rounds N] [--text-mb N]

BIN holds trestle and bench_load. Writes OUTPUT, a JSON file: for each round and kind of request
what bench_load printed, the memory and start times of Trestle, and the version of dynalite's Node.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parent
SERVER_CORE, LOAD_CORE = "1", "0"
# What many items are compared with.
FEW_ITEMS = 10_000


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port: int, process: subprocess.Popen):
    for _ in range(3000):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None:
            break
        time.sleep(0.01)
    raise RuntimeError(f"{process.args} does not listen")


def cpu_ticks(pid: int) -> int:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def folder_bytes(folder) -> int:
    return sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file())


class Peer:
    """A server on its own core; with Peer(...) as peer: peer.load("get")."""

    def __init__(self, run, command, port):
        self.run, self.command, self.port = run, command, port

    def __enter__(self):
        pinned = ["taskset", "-c", SERVER_CORE, *map(str, self.command)]
        self.log = open(self.run.folder / "servers.log", "ab")
        self.process = subprocess.Popen(pinned, stdout=self.log, stderr=self.log)
        wait_for_port(self.port, self.process)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.log.close()

    def load(self, kind, **flags):
        seconds = self.run.seconds
        # A put of what is there already writes nothing, so there are enough of them.
        ring = seconds * (100_000 if kind == "put" else 50_000)
        defaults = {"items": self.run.items, "seconds": seconds, "ring": ring}
        flags = {**defaults, **flags}
        flags |= {"port": self.port, "pid": self.process.pid}
        command = ["taskset", "-c", LOAD_CORE, self.run.bin / "bench_load", kind]
        for name, value in flags.items():
            command += [f"--{name.replace('_', '-')}", str(value)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
        figures = json.loads(done.stdout)
        if figures["errors"]:
            raise RuntimeError(f"{kind}: {figures['errors']} of {figures['requests']} failed")
        return figures

    def settle(self):
        """Waits until background work is done."""
        quiet = 0
        before = cpu_ticks(self.process.pid)
        for _ in range(120):
            time.sleep(0.5)
            now = cpu_ticks(self.process.pid)
            quiet = quiet + 1 if now - before <= 1 else 0
            before = now
            if quiet == 3:
                return


class Run:
    def __init__(self, options, folder):
        self.bin = pathlib.Path(options.bin).resolve()
        self.items, self.seconds, self.rounds = options.items, options.seconds, options.rounds
        self.text_mb = options.text_mb
        self.folder = pathlib.Path(folder)
        self.keys = self.folder / "keys"
        self.keys.write_text("BENCH bench-secret-access-key\n")
        self.keys.chmod(0o600)

    def trestle(self, *flags):
        port = free_port()
        command = [self.bin / "trestle", "serve", "--port", port, "--threads", 1, "--no-apps"]
        return Peer(self, [*command, "--access-keys", self.keys, *flags], port)

    def nginx(self, body_bytes):
        port = free_port()
        folder = self.folder / "nginx"
        folder.mkdir(exist_ok=True)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        config = folder / "nginx.conf"
        config.write_text(
            f"""daemon off; master_process off; worker_processes 1;
            pid {folder}/pid; error_log {folder}/error.log;
            events {{ worker_connections 1024; }}
            http {{ access_log off; keepalive_requests 1000000000; keepalive_timeout 600;
              {temporary} default_type application/x-amz-json-1.0;
              server {{ listen 127.0.0.1:{port};
                location / {{ return 200 '{"x" * body_bytes}'; }} }} }}"""
        )
        return Peer(self, ["nginx", "-p", folder, "-c", config], port)

    def redis(self):
        port = free_port()
        flags = ["--port", port, "--save", "", "--appendonly", "no", "--dir", self.folder]
        return Peer(self, ["redis-server", *flags], port)

    def dynalite(self):
        port = free_port()
        script = BENCH / "node_modules/dynalite/cli.js"
        return Peer(self, ["node", script, "--port", port, "--createTableMs", 0], port)


def measure_requests(run) -> dict:
    """Rounds of every kind. Reads come before the writes that would disturb them."""
    data = run.folder / "data"
    relaxed = ("--data", data, "--durability", "relaxed")
    with run.trestle(*relaxed) as trestle:
        trestle.load("create")
        fill = trestle.load("fill")
        trestle.settle()
    figures = {"fill": [fill], "reads": [], "writes": [], "synced": [], "dynalite": []}
    with run.trestle(*relaxed) as trestle, run.redis() as redis:
        redis.load("redis-fill")
        trestle.load("sweep")
        trestle.load("touch")
        reply_bytes = trestle.load("get", seconds=1, ring=10_000)["reply_bytes"]
        head_bytes = 170  # about what nginx sends before the body
        with run.nginx(int(reply_bytes) - head_bytes) as nginx:
            for _ in range(run.rounds):
                figures["reads"].append(
                    {
                        "nginx": nginx.load("static"),
                        "get": trestle.load("get"),
                        "redis": redis.load("redis-get"),
                        "query": trestle.load("query", ring=50_000),
                    }
                )
            for _ in range(run.rounds):
                figures["writes"].append(
                    {
                        "nginx": nginx.load("static"),
                        "put": trestle.load("put"),
                        "update": trestle.load("update"),
                    }
                )
    with run.trestle("--data", data) as trestle, run.nginx(int(reply_bytes) - head_bytes) as nginx:
        trestle.settle()
        for _ in range(run.rounds):
            figures["synced"].append(
                {"nginx": nginx.load("static"), "put": trestle.load("put")}
            )
        figures["fdatasync_us"] = fdatasync_us(run.folder)
    figures["dynalite"] = measure_dynalite(run, int(reply_bytes) - head_bytes)
    figures["folder_bytes"] = folder_bytes(data)
    shutil.rmtree(data)
    return figures


def measure_dynalite(run, body_bytes) -> list:
    """Both in memory and with the same items; every operation side by side."""
    rounds = []
    with (
        run.dynalite() as dynalite,
        run.trestle("--in-memory") as trestle,
        run.nginx(body_bytes) as nginx,
    ):
        for peer in (dynalite, trestle):
            peer.load("create")
            peer.load("fill")
        for _ in range(run.rounds):
            rounds.append(
                {
                    name: {
                        "dynalite": dynalite.load(name),
                        "trestle": trestle.load(name),
                        "nginx": nginx.load("static"),
                    }
                    for name in ("get", "query", "put")
                }
            )
    return rounds


def measure_growth(run, many: int) -> list:
    """GetItem with few items and with many, in turns, each server with a folder of its own."""
    def filled(name, items):
        data = run.folder / name
        with run.trestle("--data", data, "--durability", "relaxed") as trestle:
            trestle.load("create")
            trestle.load("fill", items=items)
            trestle.settle()
        return run.trestle("--data", data, "--durability", "relaxed")

    with filled("few", FEW_ITEMS) as few, filled("many", many) as lots:
        few.load("sweep", items=FEW_ITEMS)
        lots.load("sweep", items=many)
        return [
            {"few": few.load("get", items=FEW_ITEMS), "many": lots.load("get", items=many)}
            for _ in range(run.rounds)
        ]


def fdatasync_us(folder) -> float:
    times = []
    with open(folder / "fdatasync", "wb", buffering=0) as file:
        for _ in range(200):
            start = time.perf_counter()
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


def memory_kb(pid: int) -> dict:
    wanted = {"VmRSS": "rss_kb", "RssAnon": "anonymous_kb"}
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    pairs = (line.split(":", 1) for line in lines)
    return {wanted[name]: int(value.split()[0]) for name, value in pairs if name in wanted}


def first_answer_ms(run, *flags):
    """From the start of the process to the first reply; and the process's idle memory then."""
    port = free_port()
    command = [run.bin / "trestle", "serve", "--port", str(port), "--no-apps", *map(str, flags)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            if client.recv(4096).startswith(b"HTTP/1.1 200"):
                break
        if process.poll() is not None:
            raise RuntimeError(f"{command} ended")
        time.sleep(0.0005)
    passed = (time.perf_counter() - start) * 1e3
    time.sleep(1)
    return passed, memory_kb(process.pid), process


def end(process, number=signal.SIGTERM):
    process.send_signal(number)
    process.wait(60)


def measure_starts(run) -> dict:
    """Idle memory, and starts: empty, on a large folder, and on one whose server was killed."""
    figures = {"memory_ms": [], "fresh_ms": [], "large_ms": [], "killed_ms": []}
    for _ in range(5):
        passed, figures["memory_idle"], process = first_answer_ms(run, "--in-memory")
        figures["memory_ms"].append(passed)
        end(process)
        passed, figures["fresh_idle"], process = first_answer_ms(run, "--data", run.folder / "new")
        figures["fresh_ms"].append(passed)
        end(process)
        shutil.rmtree(run.folder / "new")
    data = run.folder / "large"
    with run.trestle("--data", data, "--durability", "relaxed") as trestle:
        trestle.load("create")
        per_slice = 25_000  # items of 10 kB: 250 MB
        for first in range(0, run.text_mb * 100, per_slice):
            items = min(per_slice, run.text_mb * 100 - first)
            trestle.load("fill", first=first, items=items, text_bytes=10_000)
        trestle.settle()
    figures["large_folder_bytes"] = folder_bytes(data)
    for _ in range(5):
        passed, figures["large_idle"], process = first_answer_ms(run, "--data", data)
        figures["large_ms"].append(passed)
        end(process)
    with run.trestle("--data", data, "--durability", "relaxed") as trestle:
        # New items: the same again would write nothing, and leave no log to replay.
        trestle.load("fill", first=run.text_mb * 100, items=5_000, text_bytes=10_000)
        trestle.process.kill()
    passed, _, process = first_answer_ms(run, "--data", data)
    figures["killed_ms"].append(passed)
    end(process)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("output")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--growth-items", type=int, default=10_000_000)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--text-mb", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="trestle-bench-") as folder:
        run = Run(options, folder)
        node = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, check=True, text=True)
        figures = {"options": vars(options), "load_before": os.getloadavg()}
        figures["node"] = node.stdout.strip()
        figures["requests"] = measure_requests(run)
        figures["starts"] = measure_starts(run)
        figures["growth"] = measure_growth(run, options.growth_items)
        figures["load_after"] = os.getloadavg()
    pathlib.Path(options.output).write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
