"""What the expiry of a million items costs the requests that run beside it.

  ttl.py BIN [--items N] [--seconds N]

BIN holds trestle and bench_load. Prints a table for docs/performance.md: PutItem and GetItem on one
table, without anything to expire and while the items of another table go, and how fast they go.
"""

import argparse
import http.client
import json
import tempfile
import time

import peers

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date;x-amz-target, Signature=00"
)
RING = 20_000  # few requests, so that little expires while they are made
TABLE = {
    "TableName": "expiring",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


class Client:
    """Calls without a signature that counts; the server enforces none."""

    def __init__(self, port: int):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def call(self, operation: str, body) -> dict:
        headers = {
            "Authorization": AUTHORIZATION,
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Date": "20260101T000000Z",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        }
        text = body if isinstance(body, str) else json.dumps(body)
        self.connection.request("POST", "/", text, headers)
        reply = self.connection.getresponse()
        content = json.loads(reply.read() or "{}")
        if reply.status != 200:
            raise RuntimeError(f"{operation}: {content}")
        return content

    def item_count(self) -> int:
        return self.call("DescribeTable", {"TableName": "expiring"})["Table"]["ItemCount"]


def fill(client: Client, items: int):
    ends = int(time.time()) - 60
    note = "x" * 100
    client.call("CreateTable", TABLE)
    for first in range(0, items, 25):
        puts = ",".join(
            f'{{"PutRequest":{{"Item":{{"pk":{{"S":"session#{i}"}},"ends":{{"N":"{ends}"}},'
            f'"note":{{"S":"{note}"}}}}}}}}'
            for i in range(first, first + 25)
        )
        client.call("BatchWriteItem", f'{{"RequestItems":{{"expiring":[{puts}]}}}}')


def server(run, *flags):
    port = peers.free_port()
    command = [run.bin / "trestle", "serve", "--port", port, "--threads", 1, "--no-apps"]
    return peers.Peer(run, [*command, "--data", run.folder / "data", *flags], port)


def measure(run, items: int) -> dict:
    with server(run, "--durability", "relaxed") as trestle:
        trestle.load("create")
        trestle.load("fill")
        fill(Client(trestle.port), items)
        trestle.settle()
    figures = {}
    with server(run) as trestle:
        client = Client(trestle.port)
        for kind in ("put", "get"):
            figures[kind] = [trestle.load(kind, ring=RING)]
        time_to_live = {"AttributeName": "ends", "Enabled": True}
        client.call(
            "UpdateTimeToLive",
            {"TableName": "expiring", "TimeToLiveSpecification": time_to_live},
        )
        while client.item_count() == items:  # until the expiry rows are there
            time.sleep(0.01)
        for kind in ("put", "get"):
            count, start = client.item_count(), time.monotonic()
            figures[kind].append(trestle.load(kind, ring=RING))
            left, seconds = client.item_count(), time.monotonic() - start
            if left == 0:
                raise RuntimeError("all items are gone already: measure for a shorter time")
            figures[kind].append((count - left) / seconds)
        count, start = client.item_count(), time.monotonic()
        while client.item_count():
            time.sleep(0.05)
        figures["alone"] = count / (time.monotonic() - start)
    return figures


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = peers.Run(
            argparse.Namespace(
                bin=options.bin, items=100_000, seconds=options.seconds, rounds=1, text_mb=0
            ),
            folder,
        )
        figures = measure(run, options.items)
    print("| beside the sweep | p99, with / without | server CPU per request | speed | expired |")
    print("|---|---|---|---|---|")
    for kind, name in (("put", "PutItem, sync"), ("get", "GetItem")):
        without, beside, rate = figures[kind]
        print(
            f"| {name} | {beside['p99_us'] / without['p99_us']:.2f} x |"
            f" {beside['server_cpu_us'] / without['server_cpu_us']:.2f} x |"
            f" {beside['per_second'] / without['per_second']:.2f} x | {rate:,.0f}/s |"
        )
    print(f"| nothing | | | | {figures['alone']:,.0f}/s |")


if __name__ == "__main__":
    main()
