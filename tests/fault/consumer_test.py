"""Kills a consumer of a stream, and often the server too, again and again. What did it see?

    consumer_test.py [ROUNDS [SEED]]      15 rounds; the full form: 100

A writer counts items up, one at a time. The consumer is a process of its own: it reads the shards,
parents before their children, and appends what it sees to a file, one line per record. That file
is all it keeps, so it goes on behind its last whole line. At the end the file must hold every value
of every item once, in order.
"""

import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "conformance")]

import endpoint  # noqa: E402
import server  # noqa: E402

TABLE = "counted"
ITEMS = 40
SHARD_RATE = "5"  # records a second; the shards split soon
LOST = (OSError, endpoint.http.client.HTTPException)  # what a call to a killed server raises


# The consumer.


def call(target: endpoint.Endpoint, operation: str, body: dict) -> dict:
    reply = target.call(operation, body)
    if reply.status != 200:
        raise RuntimeError(f"{operation}: {reply.text}")
    return reply.body


def read_log(log: pathlib.Path) -> list[list[str]]:
    """The whole lines: shard, sequence number, item, value; or shard, `end`."""
    text = log.read_text() if log.exists() else ""
    return [line.split() for line in text[: text.rfind("\n") + 1].splitlines()]


def remove_half_line(log: pathlib.Path):
    text = log.read_bytes() if log.exists() else b""
    if text and not text.endswith(b"\n"):
        os.truncate(log, text.rfind(b"\n") + 1)


def stream_arn(target: endpoint.Endpoint) -> str:
    return call(target, "DescribeTable", {"TableName": TABLE})["Table"]["LatestStreamArn"]


def all_shards(target: endpoint.Endpoint, arn: str) -> list[dict]:
    shards, start = [], {}
    while True:
        body = {"StreamArn": arn, "Limit": 3, **start}
        page = call(target, "DescribeStream", body)["StreamDescription"]
        shards += page["Shards"]
        if "LastEvaluatedShardId" not in page:
            return shards
        start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}


class Consumer:
    def __init__(self, url: str, log: pathlib.Path):
        self.target = endpoint.Endpoint(url)
        self.arn = stream_arn(self.target)
        self.last, self.ended = {}, set()
        remove_half_line(log)
        for shard, number, *_ in read_log(log):
            if number == "end":
                self.ended.add(shard)
            else:
                self.last[shard] = number
        self.log = log.open("ab", buffering=0)
        self.iterators: dict[str, str] = {}

    def run(self):
        while True:
            for shard in all_shards(self.target, self.arn):
                name, parent = shard["ShardId"], shard.get("ParentShardId")
                if name not in self.ended and (parent is None or parent in self.ended):
                    self.read(name)

    def read(self, shard: str):
        if shard not in self.iterators:
            body = {"StreamArn": self.arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
            if number := self.last.get(shard):
                body |= {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": number}
            self.iterators[shard] = call(self.target, "GetShardIterator", body)["ShardIterator"]
        body = {"ShardIterator": self.iterators.pop(shard), "Limit": random.randint(1, 100)}
        page = call(self.target, "GetRecords", body)
        for record in page["Records"]:
            change = record["dynamodb"]
            item, value = change["Keys"]["pk"]["S"], change["NewImage"]["n"]["N"]
            self.log.write(f"{shard} {change['SequenceNumber']} {item} {value}\n".encode())
        if "NextShardIterator" in page:
            self.iterators[shard] = page["NextShardIterator"]
        else:
            self.ended.add(shard)
            self.log.write(f"{shard} end\n".encode())


# The driver.


class Writer(threading.Thread):
    """Counts items up until it is told to stop, or the server is gone."""

    def __init__(self, url: str):
        super().__init__()
        self.target = endpoint.Endpoint(url)
        self.is_stopped = threading.Event()
        self.count = 0

    def run(self):
        with contextlib.suppress(*LOST):
            while not self.is_stopped.is_set():
                key = {"pk": {"S": f"item{random.randrange(ITEMS)}"}}
                body = {
                    "TableName": TABLE,
                    "Key": key,
                    "UpdateExpression": "ADD n :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
                call(self.target, "UpdateItem", body)
                self.count += 1
        self.target.close()


def create_table(url: str):
    body = {
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    }
    call(endpoint.Endpoint(url), "CreateTable", body)


def values_of(url: str) -> dict[str, int]:
    page = call(endpoint.Endpoint(url), "Scan", {"TableName": TABLE, "ConsistentRead": True})
    return {item["pk"]["S"]: int(item["n"]["N"]) for item in page["Items"]}


def check(log: pathlib.Path, values: dict[str, int]):
    """Every value of every item once, in order, over all shards."""
    seen = {item: 0 for item in values}
    numbers = set()
    for _, number, *change in read_log(log):
        if number == "end":
            continue
        item, value = change
        seen[item] += 1
        if int(value) != seen[item]:
            raise AssertionError(f"{item}: {value} came after {seen[item] - 1}")
        numbers.add(int(number))
    if seen != values:
        raise AssertionError(f"seen {seen}, but the table has {values}")
    if numbers and max(numbers) - min(numbers) + 1 != len(numbers):
        raise AssertionError("a sequence number is missing")


class Driver:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.log = folder / "seen"
        self.server: server.Server | None = None
        self.writes = 0
        self.rounds_with_records = 0
        self.server_kills = 0

    def start_server(self):
        if self.server is None:
            data = str(self.folder / "data")
            self.server = server.Server("--shard-rate", SHARD_RATE, folder=data).__enter__()

    def stop(self):
        if self.server is not None:
            self.server.__exit__(None)

    def kill_server(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()
        self.server = None
        self.server_kills += 1

    def start_consumer(self) -> subprocess.Popen:
        command = [sys.executable, __file__, "consume", self.server.endpoint, str(self.log)]
        return subprocess.Popen(command, stderr=(self.folder / "consumer.log").open("w"))

    def round(self):
        self.start_server()
        seen = len(read_log(self.log))
        consumer = self.start_consumer()
        writer = Writer(self.server.endpoint)
        writer.start()
        time.sleep(random.uniform(0.15, 0.5))
        if consumer.poll() is not None:
            raise AssertionError("the consumer ended by itself")
        if random.randrange(3) == 0:
            self.kill_server()
        writer.is_stopped.set()
        consumer.kill()
        consumer.wait()
        writer.join()
        self.writes += writer.count
        self.rounds_with_records += len(read_log(self.log)) > seen

    def finish(self):
        """Lets a consumer read the rest, and looks at what all of them saw."""
        self.start_server()
        values = values_of(self.server.endpoint)
        consumer = self.start_consumer()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and consumer.poll() is None:
            lines = [line for line in read_log(self.log) if line[1] != "end"]
            if len(lines) >= sum(values.values()):
                break
            time.sleep(0.05)
        consumer.kill()
        consumer.wait()
        target = endpoint.Endpoint(self.server.endpoint)
        shards = all_shards(target, stream_arn(target))
        check(self.log, values)
        return sum(values.values()), len(shards)


def main() -> int:
    if sys.argv[1:2] == ["consume"]:
        Consumer(sys.argv[2], pathlib.Path(sys.argv[3])).run()
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        driver = Driver(pathlib.Path(folder))
        stack.callback(driver.stop)
        driver.start_server()
        create_table(driver.server.endpoint)
        for _ in range(rounds):
            driver.round()
        changes, shards = driver.finish()
    print(
        f"consumer: killed {rounds} times, {driver.rounds_with_records} of them after it read "
        f"something, the server {driver.server_kills} times; {changes} changes "
        f"({driver.writes} acknowledged) in {shards} shards, each seen once, in order; seed {seed}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
