"""Signed requests to any DynamoDB endpoint, with the standard library only."""

import datetime
import gzip
import hashlib
import hmac
import http.client
import json
import os
import time
import urllib.parse
import zlib

STREAMS = {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}
SETTLE_SECONDS = 600


class Reply:
    def __init__(self, status: int, headers, raw: bytes):
        self.status = status
        self.headers = headers
        crc32 = headers.get("x-amz-crc32")
        self.crc32_wrong = crc32 is not None and int(crc32) != zlib.crc32(raw)
        if headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        self.text = raw.decode("utf-8", "replace")
        try:
            self.body = json.loads(self.text)
        except ValueError:
            self.body = None

    @property
    def error(self) -> str:
        """The part of __type after the #."""
        kind = self.body.get("__type", "") if isinstance(self.body, dict) else ""
        return kind.rpartition("#")[2]


class Endpoint:
    def __init__(self, url: str):
        self.url = urllib.parse.urlsplit(url)
        self.key = os.environ.get("AWS_ACCESS_KEY_ID", "local")
        self.secret = os.environ.get("AWS_SECRET_ACCESS_KEY", "local")
        self.token = os.environ.get("AWS_SESSION_TOKEN")
        self.region = os.environ.get("AWS_REGION") or os.environ.get(
            "AWS_DEFAULT_REGION", "us-east-1"
        )
        self.connection = None

    def call(self, operation: str, body) -> Reply:
        return self.send(operation=operation, payload=json.dumps(body).encode())

    def send(self, operation="", method="POST", path="/", payload=b"", headers=None) -> Reply:
        """Given headers take the place of the usual ones; an empty value leaves one out."""
        sent = {"Host": self.url.netloc, "Content-Length": str(len(payload))}
        if operation:
            service = "DynamoDBStreams" if operation in STREAMS else "DynamoDB"
            sent["X-Amz-Target"] = f"{service}_20120810.{operation}"
            sent["Content-Type"] = "application/x-amz-json-1.0"
            sent |= self._signature(method, path, payload, sent)
        given = {name.lower(): value for name, value in (headers or {}).items()}
        sent = {name: value for name, value in sent.items() if name.lower() not in given}
        sent |= {name: value for name, value in given.items() if value}
        for attempt in (1, 2):
            kept = self.connection is not None
            try:
                return self._exchange(method, path, payload, sent)
            except (http.client.HTTPException, OSError):
                self.close()
                # The server may have ended a kept connection while it was idle.
                if attempt == 2 or not kept:
                    raise
        raise AssertionError("not reached")

    def _exchange(self, method, path, payload, headers) -> Reply:
        if self.connection is None:
            secure = self.url.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            self.connection = kind(self.url.hostname, self.url.port, timeout=60)
        self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            self.connection.putheader(name, value.encode("utf-8"))
        self.connection.endheaders(payload)
        response = self.connection.getresponse()
        reply = Reply(response.status, response.headers, response.read())
        if response.will_close:
            self.close()
        return reply

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def _signature(self, method, path, payload, headers) -> dict:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        extra = {"X-Amz-Date": now}
        if self.token:
            extra["X-Amz-Security-Token"] = self.token
        signed = {name.lower(): value for name, value in (headers | extra).items()}
        del signed["content-length"]
        names = ";".join(sorted(signed))
        request = "\n".join(
            [method, path, ""]
            + [f"{name}:{signed[name]}" for name in sorted(signed)]
            + ["", names, hashlib.sha256(payload).hexdigest()]
        )
        scope = f"{now[:8]}/{self.region}/dynamodb/aws4_request"
        digest = hashlib.sha256(request.encode()).hexdigest()
        key = b"AWS4" + self.secret.encode()
        for part in scope.split("/"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{digest}"
        signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        extra["Authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self.key}/{scope}, "
            f"SignedHeaders={names}, Signature={signature}"
        )
        return extra

    def settle(self, table: str):
        """Waits until a table is active, with all its indexes, or gone."""
        deadline = time.monotonic() + SETTLE_SECONDS
        pause = 0.005
        while True:
            reply = self.call("DescribeTable", {"TableName": table})
            if reply.status != 200:
                return
            described = reply.body["Table"]
            states = [described["TableStatus"]]
            states += [i["IndexStatus"] for i in described.get("GlobalSecondaryIndexes", [])]
            if all(state == "ACTIVE" for state in states):
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"table {table} is still {states}")
            time.sleep(pause)
            pause = min(pause * 2, 2)

    def delete_all_tables(self):
        while names := self.call("ListTables", {}).body["TableNames"]:
            for name in names:
                reply = self.call("DeleteTable", {"TableName": name})
                if reply.error == "ValidationException":  # deletion protection
                    self.call(
                        "UpdateTable", {"TableName": name, "DeletionProtectionEnabled": False}
                    )
                    self.settle(name)
                    reply = self.call("DeleteTable", {"TableName": name})
                if reply.status != 200:
                    raise RuntimeError(f"DeleteTable {name}: {reply.status} {reply.text}")
            for name in names:
                self.settle(name)
