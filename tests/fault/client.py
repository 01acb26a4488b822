"""What the fault tests share: calls, and a load that remembers what was acknowledged."""

import argparse
import http.client
import json
import pathlib
import random
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from server import Server  # noqa: E402,F401

TABLE = "faults"
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20260101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=00",
}
CREATE_TABLE = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}


class Client:
    """One connection."""

    def __init__(self, port: int, timeout: float = 20):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def call(self, operation: str, body: dict) -> tuple[int, dict]:
        headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        self.connection.request("POST", "/", json.dumps(body), headers)
        response = self.connection.getresponse()
        return response.status, json.loads(response.read())

    def must(self, operation: str, body: dict) -> dict:
        status, reply = self.call(operation, body)
        if status != 200:
            raise AssertionError(f"{operation}: {status} {reply}")
        return reply

    def text(self, path: str) -> tuple[int, str]:
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        return response.status, response.read().decode()

    def put(self, key: str, value: str) -> tuple[int, dict]:
        item = {"pk": {"S": key}, "value": {"S": value}}
        return self.call("PutItem", {"TableName": TABLE, "Item": item})

    def get(self, key: str) -> str | None:
        request = {"TableName": TABLE, "Key": {"pk": {"S": key}}, "ConsistentRead": True}
        item = self.must("GetItem", request).get("Item")
        return item["value"]["S"] if item else None

    def metric(self, name: str) -> str:
        lines = self.text("/metrics")[1].splitlines()
        return next(line.split()[-1] for line in lines if line.startswith(name + " "))


class Writers:
    """Threads that put items of their own until they are told to stop.

    `acknowledged` has the last value of each key that was answered with 200. `unknown` has keys
    whose last put had no answer or a failure: the old value or the new one may be there.
    """

    def __init__(self, port: int, count: int, value_bytes: int, pause: float = 0):
        self.port, self.value_bytes, self.pause = port, value_bytes, pause
        self.acknowledged: dict[str, str] = {}
        self.unknown: dict[str, str] = {}
        self.statuses: list[tuple[float, int, str]] = []
        self.unanswered: list[tuple[float, str]] = []
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(i,)) for i in range(count)]
        for thread in self.threads:
            thread.start()

    def run(self, index: int):
        client, number = Client(self.port), 0
        while not self.stopped.is_set():
            number += 1
            key = f"{index}-{number % 500}"
            value = f"{number}:" + random.randbytes(self.value_bytes // 2).hex()
            start = time.monotonic()
            try:
                status, reply = client.put(key, value)
            except (OSError, http.client.HTTPException) as error:
                self.unknown[key] = value
                self.unanswered.append((start, repr(error)))
                return
            self.statuses.append((time.monotonic(), status, reply.get("__type", "")))
            if status == 200:
                self.acknowledged[key] = value
                self.unknown.pop(key, None)
            else:
                self.unknown[key] = value
                time.sleep(0.01)
            if self.pause:
                time.sleep(self.pause)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def count(self, status: int, since: float = 0) -> int:
        return sum(1 for when, code, _ in list(self.statuses) if code == status and when >= since)

    def lost(self, port: int) -> list[str]:
        """The keys whose acknowledged value is not there."""
        client, lost = Client(port), []
        for key, value in self.acknowledged.items():
            found = client.get(key)
            if found != value and (found is None or found != self.unknown.get(key)):
                lost.append(key)
        return lost


def wait_until(condition, seconds: float, what: str) -> float:
    """How long it took."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() - start > seconds:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)
    return time.monotonic() - start


def main(description: str, rounds: int = 1):
    """Runs the tests of the calling script; its argument is the number of rounds."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("rounds", nargs="?", type=int, default=rounds)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments = parser.parse_args()
    name = pathlib.Path(sys.argv[0]).name
    print(f"{name} {arguments.rounds} --seed {arguments.seed}", flush=True)
    random.seed(arguments.seed)
    unittest.TestCase.rounds = arguments.rounds
    unittest.main(module="__main__", argv=sys.argv[:1], warnings="ignore")
