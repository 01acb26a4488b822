"""The AWS command line as a person types it. Each call takes about a second, so they are few."""

import json
import os
import subprocess
import unittest

AWS = "/usr/bin/aws"  # Debian's; one on PATH may be another
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": os.environ.get("HOME", "/"),
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_MAX_ATTEMPTS": "1",
    "AWS_PAGER": "",
    "LANG": "C.UTF-8",
}


def aws(*words: str, service: str = "dynamodb") -> subprocess.CompletedProcess:
    endpoint = os.environ["DYNAMODB_ENDPOINT"]
    return subprocess.run(
        [AWS, "--endpoint-url", endpoint, "--output", "json", service, *words],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )


class CommandLineTest(unittest.TestCase):
    def call(self, *words: str, **service: str):
        result = aws(*words, **service)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout) if result.stdout.strip() else None

    def refused(self, *words: str) -> str:
        result = aws(*words)
        self.assertEqual(result.returncode, 254, result.stdout + result.stderr)
        return result.stderr

    def setUp(self):
        self.call(
            *("create-table", "--table-name", "cli"),
            *("--attribute-definitions", "AttributeName=pk,AttributeType=S"),
            *("AttributeName=sk,AttributeType=N", "AttributeName=kind,AttributeType=S"),
            *("--key-schema", "AttributeName=pk,KeyType=HASH", "AttributeName=sk,KeyType=RANGE"),
            *("--billing-mode", "PAY_PER_REQUEST", "--stream-specification"),
            *("StreamEnabled=true,StreamViewType=KEYS_ONLY", "--global-secondary-indexes"),
            "IndexName=by-kind,KeySchema=[{AttributeName=kind,KeyType=HASH}],"
            "Projection={ProjectionType=ALL}",
        )
        self.call("wait", "table-exists", "--table-name", "cli")

    def tearDown(self):
        self.call("delete-table", "--table-name", "cli")
        self.call("wait", "table-not-exists", "--table-name", "cli")

    def put(self, number: int):
        item = {"pk": {"S": "a"}, "sk": {"N": str(number)}, "kind": {"S": "number"}}
        self.call("put-item", "--table-name", "cli", "--item", json.dumps(item))

    def test_a_session(self):
        self.assertIn("cli", self.call("list-tables")["TableNames"])
        for number in (10, 9, -1):
            self.put(number)
        self.check_stream(["10", "9", "-1"])

        key = '{"pk": {"S": "a"}, "sk": {"N": "9.0"}}'
        item = self.call("get-item", "--table-name", "cli", "--key", key)["Item"]
        self.assertEqual(item, {"pk": {"S": "a"}, "sk": {"N": "9"}, "kind": {"S": "number"}})

        query = ("query", "--table-name", "cli", "--key-condition-expression", "pk = :pk")
        values = ("--expression-attribute-values", '{":pk": {"S": "a"}}')
        pages = self.call(*query, *values, "--page-size", "1")  # the command line reads all pages
        self.assertEqual([item["sk"]["N"] for item in pages["Items"]], ["-1", "9", "10"])

        scan = ("scan", "--table-name", "cli", "--index-name", "by-kind")
        scan = self.call(*scan, "--max-items", "2")
        self.assertEqual(len(scan["Items"]), 2)
        self.assertIn("NextToken", scan)

        said = self.refused(
            *("delete-item", "--table-name", "cli", "--key", key),
            *("--condition-expression", "attribute_not_exists(pk)"),
        )
        self.assertIn("(ConditionalCheckFailedException)", said)
        self.assertIn("The conditional request failed", said)

    def check_stream(self, numbers: list[str]):
        service = {"service": "dynamodbstreams"}
        (stream,) = self.call("list-streams", "--table-name", "cli", **service)["Streams"]
        arn = ("--stream-arn", stream["StreamArn"])
        described = self.call("describe-stream", *arn, **service)["StreamDescription"]
        self.assertEqual(described["StreamStatus"], "ENABLED")
        shard = ("--shard-id", described["Shards"][0]["ShardId"])
        oldest = ("--shard-iterator-type", "TRIM_HORIZON")
        iterator = self.call("get-shard-iterator", *arn, *shard, *oldest, **service)
        place = ("--shard-iterator", iterator["ShardIterator"])
        records = self.call("get-records", *place, **service)["Records"]
        keys = [record["dynamodb"]["Keys"] for record in records]
        self.assertEqual(keys, [{"pk": {"S": "a"}, "sk": {"N": number}} for number in numbers])

    def test_statements(self):
        for number in ("1", "2"):
            insert = "INSERT INTO cli VALUE {'pk': 'ql', 'sk': ?, 'kind': 'number'}"
            parameters = json.dumps([{"N": number}])
            self.call("execute-statement", "--statement", insert, "--parameters", parameters)
        select = "SELECT sk FROM \"cli\".\"by-kind\" WHERE kind = 'number'"
        items = self.call("execute-statement", "--statement", select)["Items"]
        self.assertEqual(sorted(item["sk"]["N"] for item in items), ["1", "2"])
        deletes = [
            {"Statement": f"DELETE FROM cli WHERE pk = 'ql' AND sk = {number}"} for number in (1, 2)
        ]
        self.call("batch-execute-statement", "--statements", json.dumps(deletes[:1]))
        self.call("execute-transaction", "--transact-statements", json.dumps(deletes[1:]))
        items = self.call("execute-statement", "--statement", select)["Items"]
        self.assertEqual(items, [])
        said = self.refused("execute-statement", "--statement", "SELECT everything")
        self.assertIn("(ValidationException)", said)

    def test_errors_are_shown_by_their_name(self):
        said = self.refused("describe-table", "--table-name", "absent")
        self.assertIn("(ResourceNotFoundException)", said)
        said = self.refused("get-item", "--table-name", "cli", "--key", '{"pk": {"S": "a"}}')
        self.assertIn("(ValidationException)", said)

    def test_time_to_live_and_tags(self):
        specification = ("--time-to-live-specification", "Enabled=true,AttributeName=ends")
        self.call("update-time-to-live", "--table-name", "cli", *specification)
        described = self.call("describe-time-to-live", "--table-name", "cli")
        self.assertEqual(
            described["TimeToLiveDescription"],
            {"AttributeName": "ends", "TimeToLiveStatus": "ENABLED"},
        )
        said = self.refused("update-time-to-live", "--table-name", "cli", *specification)
        self.assertIn("TimeToLive is already enabled", said)

        arn = self.call("describe-table", "--table-name", "cli")["Table"]["TableArn"]
        self.call("tag-resource", "--resource-arn", arn, "--tags", "Key=team,Value=red")
        tags = self.call("list-tags-of-resource", "--resource-arn", arn)
        self.assertEqual(tags["Tags"], [{"Key": "team", "Value": "red"}])


if __name__ == "__main__":
    unittest.main()
