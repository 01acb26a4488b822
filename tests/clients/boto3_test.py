"""A boto3 program's day: tables, all types, queries, pages, streams, batches, transactions."""

import os
import time
import unittest
import uuid
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary
from botocore.config import Config
from botocore.exceptions import ClientError

CONNECTION = {
    "endpoint_url": os.environ["DYNAMODB_ENDPOINT"],
    "region_name": "us-east-1",
    "aws_access_key_id": "local",
    "aws_secret_access_key": "local",
    "config": Config(retries={"total_max_attempts": 1}),
}
resource = boto3.resource("dynamodb", **CONNECTION)
client = boto3.client("dynamodb", **CONNECTION)
streams = boto3.client("dynamodbstreams", **CONNECTION)

KEY = [
    {"AttributeName": "author", "KeyType": "HASH"},
    {"AttributeName": "title", "KeyType": "RANGE"},
]
ATTRIBUTES = [
    {"AttributeName": "author", "AttributeType": "S"},
    {"AttributeName": "title", "AttributeType": "S"},
    {"AttributeName": "year", "AttributeType": "N"},
    {"AttributeName": "genre", "AttributeType": "S"},
]
BY_YEAR = {
    "IndexName": "by-year",
    "KeySchema": [KEY[0], {"AttributeName": "year", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "KEYS_ONLY"},
}
BY_GENRE = {
    "IndexName": "by-genre",
    "KeySchema": [
        {"AttributeName": "genre", "KeyType": "HASH"},
        {"AttributeName": "year", "KeyType": "RANGE"},
    ],
    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["pages"]},
}


def make_table(name: str):
    """A table of books with a local and a global index."""
    table = resource.create_table(
        TableName=name,
        KeySchema=KEY,
        AttributeDefinitions=ATTRIBUTES,
        LocalSecondaryIndexes=[BY_YEAR],
        GlobalSecondaryIndexes=[BY_GENRE],
        BillingMode="PAY_PER_REQUEST",
    )
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    return table


def book(author: str, title: str, year: int, genre: str = "novel", **more) -> dict:
    return {"author": author, "title": title, "year": year, "genre": genre, **more}


class BooksTestCase(unittest.TestCase):
    """A fresh table for each class."""

    @classmethod
    def setUpClass(cls):
        cls.table = make_table(f"{cls.__name__}-{uuid.uuid4().hex[:8]}")
        cls.name = cls.table.name

    @classmethod
    def tearDownClass(cls):
        cls.table.delete()
        gone = client.get_waiter("table_not_exists")
        gone.wait(TableName=cls.name, WaiterConfig={"Delay": 1})

    def assert_refused(self, code: str, call, *arguments, **named) -> dict:
        with self.assertRaises(ClientError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.response["Error"]["Code"], code)
        return caught.exception.response


class TableTest(BooksTestCase):
    def test_a_table_is_described_as_it_was_made(self):
        described = client.describe_table(TableName=self.name)["Table"]
        self.assertEqual(described["TableStatus"], "ACTIVE")
        self.assertEqual(described["KeySchema"], KEY)
        self.assertEqual(described["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        local, index = described["LocalSecondaryIndexes"][0], described["GlobalSecondaryIndexes"][0]
        self.assertEqual(local["Projection"], BY_YEAR["Projection"])
        self.assertEqual(index["Projection"], BY_GENRE["Projection"])
        self.assertEqual(index["IndexStatus"], "ACTIVE")
        self.assertTrue(described["TableArn"].endswith(f":table/{self.name}"))

    def test_it_is_listed(self):
        pages = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1})
        self.assertIn(self.name, [name for page in pages for name in page["TableNames"]])

    def test_a_second_table_of_the_name_is_refused(self):
        self.assert_refused("ResourceInUseException", make_table, self.name)

    def test_an_absent_table_is_not_found(self):
        for call in (client.describe_table, client.delete_table, client.scan):
            self.assert_refused("ResourceNotFoundException", call, TableName="absent")


class ItemTest(BooksTestCase):
    def test_all_ten_types_come_back_as_they_went(self):
        item = book(
            "types",
            "all",
            1999,
            number=Decimal("-12345678901234567890.123456789012345678"),
            smallest=Decimal("1E-130"),
            binary=Binary(b"\x00\xff\x10"),
            yes=True,
            nothing=None,
            list=["a", Decimal(1), [True, None], {"deep": [{}]}],
            map={"inner": {"x": "1"}, "empty": {}},
            strings={"b", "a"},
            numbers={Decimal(1), Decimal("2.5")},
            binaries={Binary(b"\x01"), Binary(b"\x02")},
        )
        self.table.put_item(Item=item)
        found = self.table.get_item(Key={"author": "types", "title": "all"}, ConsistentRead=True)
        self.assertEqual(found["Item"], item)

    def test_an_absent_item_has_no_item_in_the_answer(self):
        self.assertNotIn("Item", self.table.get_item(Key={"author": "no", "title": "one"}))

    def test_put_returns_what_it_replaced(self):
        self.table.put_item(Item=book("old", "a", 1))
        answer = self.table.put_item(Item=book("old", "a", 2), ReturnValues="ALL_OLD")
        self.assertEqual(answer["Attributes"], book("old", "a", 1))

    def test_a_failed_condition_has_its_code_and_changes_nothing(self):
        self.table.put_item(Item=book("cond", "a", 1))
        response = self.assert_refused(
            "ConditionalCheckFailedException",
            self.table.put_item,
            Item=book("cond", "a", 2),
            ConditionExpression=Attr("author").not_exists(),
        )
        self.assertEqual(response["Error"]["Message"], "The conditional request failed")
        kept = self.table.get_item(Key={"author": "cond", "title": "a"})["Item"]
        self.assertEqual(kept["year"], 1)

    def test_it_can_be_caught_by_the_clients_own_class(self):
        with self.assertRaises(client.exceptions.ConditionalCheckFailedException):
            client.delete_item(
                TableName=self.name,
                Key={"author": {"S": "never"}, "title": {"S": "there"}},
                ConditionExpression="attribute_exists(author)",
            )

    def test_update_with_all_four_clauses(self):
        key = {"author": "update", "title": "a"}
        self.table.put_item(Item=key | {"tags": {"x", "y"}, "gone": 1, "list": [1, 2]})
        answer = self.table.update_item(
            Key=key,
            UpdateExpression="SET #list[1] = :two, made = if_not_exists(made, :now) "
            "REMOVE gone ADD visits :one DELETE tags :x",
            ExpressionAttributeNames={"#list": "list"},
            ExpressionAttributeValues={":two": "2", ":now": 5, ":one": 1, ":x": {"x"}},
            ReturnValues="ALL_NEW",
        )
        wanted = key | {"tags": {"y"}, "list": [1, "2"], "made": 5, "visits": 1}
        self.assertEqual(answer["Attributes"], wanted)

    def test_delete_returns_the_item(self):
        self.table.put_item(Item=book("delete", "a", 1))
        key = {"author": "delete", "title": "a"}
        answer = self.table.delete_item(Key=key, ReturnValues="ALL_OLD")
        self.assertEqual(answer["Attributes"], book("delete", "a", 1))
        self.assertNotIn("Attributes", self.table.delete_item(Key=key, ReturnValues="ALL_OLD"))

    def test_what_is_wrong_with_a_request_is_a_validation_error(self):
        self.assert_refused("ValidationException", self.table.get_item, Key={"author": "half"})
        self.assert_refused(
            "ValidationException", self.table.put_item, Item={"author": 1, "title": "number"}
        )
        self.assert_refused(
            "ValidationException",
            self.table.put_item,
            Item=book("big", "a", 1, text="x" * 400 * 1024),
        )

    def test_consumed_capacity_is_reported_when_asked_for(self):
        answer = self.table.put_item(Item=book("cap", "a", 1), ReturnConsumedCapacity="INDEXES")
        consumed = answer["ConsumedCapacity"]
        self.assertEqual(consumed["TableName"], self.name)
        self.assertEqual(consumed["CapacityUnits"], 3.0)
        self.assertEqual(consumed["Table"], {"CapacityUnits": 1.0})
        self.assertEqual(consumed["GlobalSecondaryIndexes"], {"by-genre": {"CapacityUnits": 1.0}})


class QueryTest(BooksTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with cls.table.batch_writer() as batch:
            for i in range(30):
                genre = "poem" if i % 3 == 0 else "novel"
                batch.put_item(Item=book("ann", f"t{i:02}", 2000 - i, genre, pages=i))
            batch.put_item(Item=book("bob", "t00", 1990))

    def all_pages(self, operation: str, **request) -> list[list[dict]]:
        pages = client.get_paginator(operation).paginate(TableName=self.name, **request)
        return [page["Items"] for page in pages]

    def test_a_partition_comes_in_the_order_of_its_sort_key(self):
        answer = self.table.query(KeyConditionExpression=Key("author").eq("ann"))
        self.assertEqual(
            [item["title"] for item in answer["Items"]], [f"t{i:02}" for i in range(30)]
        )
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (30, 30))

    def test_a_range_backwards(self):
        answer = self.table.query(
            KeyConditionExpression=Key("author").eq("ann") & Key("title").between("t10", "t12"),
            ScanIndexForward=False,
        )
        self.assertEqual([item["title"] for item in answer["Items"]], ["t12", "t11", "t10"])

    def test_pages_are_complete_and_disjoint(self):
        pages = self.all_pages(
            "query",
            KeyConditionExpression="author = :a",
            ExpressionAttributeValues={":a": {"S": "ann"}},
            PaginationConfig={"PageSize": 7},
        )
        self.assertEqual([len(page) for page in pages], [7, 7, 7, 7, 2])
        titles = [item["title"]["S"] for page in pages for item in page]
        self.assertEqual(titles, [f"t{i:02}" for i in range(30)])

    def test_a_local_index_sorts_by_number_and_fetches_what_it_does_not_hold(self):
        answer = self.table.query(
            IndexName="by-year",
            KeyConditionExpression=Key("author").eq("ann") & Key("year").gte(1998),
            ProjectionExpression="title, pages",
            ConsistentRead=True,
        )
        wanted = [{"title": f"t{i:02}", "pages": i} for i in (2, 1, 0)]
        self.assertEqual(answer["Items"], wanted)

    def test_a_global_index_holds_its_projection(self):
        answer = self.table.query(
            IndexName="by-genre", KeyConditionExpression=Key("genre").eq("poem"), Limit=1
        )
        wanted = book("ann", "t27", 1973, "poem", pages=27)
        self.assertEqual(answer["Items"], [wanted])
        del wanted["pages"]
        self.assertEqual(answer["LastEvaluatedKey"], wanted)

    def test_a_global_index_has_no_consistent_read(self):
        self.assert_refused(
            "ValidationException",
            self.table.query,
            IndexName="by-genre",
            KeyConditionExpression=Key("genre").eq("poem"),
            ConsistentRead=True,
        )

    def test_a_filter_leaves_out_but_is_counted(self):
        answer = self.table.query(
            KeyConditionExpression=Key("author").eq("ann"),
            FilterExpression=Attr("pages").lt(3) & Attr("genre").exists(),
        )
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (3, 30))

    def test_segments_of_a_scan_are_disjoint_and_complete(self):
        found = []
        for segment in range(4):
            found += sum(self.all_pages("scan", Segment=segment, TotalSegments=4), [])
        keys = {(item["author"]["S"], item["title"]["S"]) for item in found}
        self.assertEqual((len(found), len(keys)), (31, 31))

    def test_count_alone(self):
        answer = self.table.scan(Select="COUNT")
        self.assertEqual(answer["Count"], 31)
        self.assertNotIn("Items", answer)


class StreamTest(BooksTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table.update(
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
        )
        client.get_waiter("table_exists").wait(TableName=cls.name, WaiterConfig={"Delay": 1})
        cls.table.reload()
        cls.arn = cls.table.latest_stream_arn

    def read(self, kind: str, **more) -> list[dict]:
        """All records from a place on."""
        description = streams.describe_stream(StreamArn=self.arn)["StreamDescription"]
        (shard,) = description["Shards"]
        iterator = streams.get_shard_iterator(
            StreamArn=self.arn, ShardId=shard["ShardId"], ShardIteratorType=kind, **more
        )["ShardIterator"]
        records = []
        while page := streams.get_records(ShardIterator=iterator, Limit=2):
            records += page["Records"]
            iterator = page.get("NextShardIterator")
            if not page["Records"] or not iterator:
                return records
        raise AssertionError("not reached")

    def test_changes_are_read_in_their_order(self):
        listed = streams.list_streams(TableName=self.name)["Streams"]
        self.assertEqual([stream["StreamArn"] for stream in listed], [self.arn])
        self.table.put_item(Item=book("s", "a", 1))
        self.table.put_item(Item=book("s", "a", 2))
        self.table.put_item(Item=book("s", "a", 2))  # changes nothing
        self.table.delete_item(Key={"author": "s", "title": "a"})

        records = self.read("TRIM_HORIZON")
        self.assertEqual(
            [record["eventName"] for record in records], ["INSERT", "MODIFY", "REMOVE"]
        )
        first, second, third = (record["dynamodb"] for record in records)
        self.assertEqual(first["Keys"], {"author": {"S": "s"}, "title": {"S": "a"}})
        self.assertEqual(first["NewImage"]["year"], {"N": "1"})
        self.assertNotIn("OldImage", first)
        self.assertEqual(second["OldImage"], first["NewImage"])
        self.assertEqual(third["OldImage"], second["NewImage"])
        self.assertNotIn("NewImage", third)
        self.assertEqual(first["ApproximateCreationDateTime"].microsecond, 0)
        self.assertEqual(len({record["eventID"] for record in records}), 3)

        number = second["SequenceNumber"]
        at = self.read("AT_SEQUENCE_NUMBER", SequenceNumber=number)
        self.assertEqual(at, records[1:])
        after = self.read("AFTER_SEQUENCE_NUMBER", SequenceNumber=number)
        self.assertEqual(after, records[2:])
        self.assertEqual(self.read("LATEST"), [])

    def test_errors_are_the_clients_own_classes(self):
        with self.assertRaises(streams.exceptions.ResourceNotFoundException):
            streams.describe_stream(StreamArn=self.arn[:-3] + "000")
        with self.assertRaises(ClientError) as caught:
            streams.get_records(ShardIterator="made up")
        self.assertEqual(caught.exception.response["Error"]["Code"], "ValidationException")


class BatchTest(BooksTestCase):
    def test_a_hundred_items_in_and_out(self):
        with self.table.batch_writer() as batch:
            for i in range(100):
                batch.put_item(Item=book("batch", f"t{i:03}", i))
        keys = [{"author": "batch", "title": f"t{i:03}"} for i in range(100)]
        answer = resource.batch_get_item(RequestItems={self.name: {"Keys": keys}})
        self.assertEqual(answer["UnprocessedKeys"], {})
        self.assertEqual(
            {int(item["year"]) for item in answer["Responses"][self.name]}, set(range(100))
        )
        with self.table.batch_writer() as batch:
            for key in keys:
                batch.delete_item(Key=key)
        answer = resource.batch_get_item(RequestItems={self.name: {"Keys": keys}})
        self.assertEqual(answer["Responses"][self.name], [])

    def test_an_item_twice_is_refused(self):
        key = {"author": "twice", "title": "a"}
        put = {"PutRequest": {"Item": key}}
        self.assert_refused(
            "ValidationException", resource.batch_write_item, RequestItems={self.name: [put, put]}
        )
        self.assertNotIn("Item", self.table.get_item(Key=key))


class LegacyTest(BooksTestCase):
    """The parameters of programs that were written before there were expressions."""

    def setUp(self):
        self.table.put_item(Item=book("Ann", "A", 2001, pages=100, tags={"x", "y"}))
        self.table.put_item(Item=book("Ann", "B", 2002, pages=200))

    def test_expected_guards_a_write(self):
        absent = {"author": {"Exists": False}}
        self.table.put_item(Item=book("Bob", "C", 2003), Expected=absent)
        again = {"Item": book("Bob", "C", 2004), "Expected": absent}
        self.assert_refused("ConditionalCheckFailedException", self.table.put_item, **again)
        long_or_old = {
            "pages": {"ComparisonOperator": "GT", "AttributeValueList": [500]},
            "year": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [2003, 2005]},
        }
        key = {"author": "Bob", "title": "C"}
        guarded = {"Key": key, "Expected": long_or_old}
        self.assert_refused("ConditionalCheckFailedException", self.table.delete_item, **guarded)
        self.table.delete_item(**guarded, ConditionalOperator="OR")
        self.assertNotIn("Item", self.table.get_item(Key=key))

    def test_attribute_updates(self):
        answer = self.table.update_item(
            Key={"author": "Ann", "title": "A"},
            AttributeUpdates={
                "pages": {"Action": "ADD", "Value": 1},
                "tags": {"Action": "DELETE", "Value": {"x"}},
                "genre": {"Action": "DELETE"},
                "state": {"Value": "read"},
            },
            ReturnValues="ALL_NEW",
        )
        kept = {"author": "Ann", "title": "A", "year": 2001}
        self.assertEqual(
            answer["Attributes"], {**kept, "pages": 101, "tags": {"y"}, "state": "read"}
        )

    def test_key_conditions_and_filters(self):
        ann = {"ComparisonOperator": "EQ", "AttributeValueList": ["Ann"]}
        answer = self.table.query(
            KeyConditions={
                "author": ann,
                "title": {"ComparisonOperator": "GE", "AttributeValueList": ["A"]},
            },
            QueryFilter={"tags": {"ComparisonOperator": "NULL"}},
            AttributesToGet=["title"],
        )
        self.assertEqual(answer["Items"], [{"title": "B"}])
        answer = self.table.scan(
            ScanFilter={"tags": {"ComparisonOperator": "CONTAINS", "AttributeValueList": ["y"]}}
        )
        self.assertEqual([item["title"] for item in answer["Items"]], ["A"])

    def test_mixing_is_refused(self):
        mixed = {"ScanFilter": {}, "FilterExpression": Attr("a").exists()}
        self.assert_refused("ValidationException", self.table.scan, **mixed)


class TransactionTest(BooksTestCase):
    def put(self, title: str, **more) -> dict:
        item = {"author": {"S": "tx"}, "title": {"S": title}}
        return {"Put": {"TableName": self.name, "Item": item, **more}}

    def titles(self) -> list[str]:
        answer = self.table.query(
            KeyConditionExpression=Key("author").eq("tx"), ConsistentRead=True
        )
        return [item["title"] for item in answer["Items"]]

    def tearDown(self):
        for title in self.titles():
            self.table.delete_item(Key={"author": "tx", "title": title})

    def test_all_actions_happen(self):
        client.transact_write_items(TransactItems=[self.put("a"), self.put("b")])
        self.assertEqual(self.titles(), ["a", "b"])
        get = {"TableName": self.name, "Key": {"author": {"S": "tx"}, "title": {"S": "a"}}}
        absent = get | {"Key": {"author": {"S": "tx"}, "title": {"S": "none"}}}
        answer = client.transact_get_items(TransactItems=[{"Get": get}, {"Get": absent}])
        self.assertEqual(answer["Responses"], [{"Item": get["Key"]}, {}])

    def test_none_happens_and_the_reasons_say_why(self):
        client.transact_write_items(TransactItems=[self.put("a")])
        with self.assertRaises(client.exceptions.TransactionCanceledException) as caught:
            client.transact_write_items(
                TransactItems=[
                    self.put("b"),
                    self.put(
                        "a",
                        ConditionExpression="attribute_not_exists(author)",
                        ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    ),
                ]
            )
        response = caught.exception.response
        self.assertEqual(
            response["Error"]["Message"],
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, ConditionalCheckFailed]",
        )
        none, failed = response["CancellationReasons"]
        self.assertEqual(none, {"Code": "None"})
        self.assertEqual(failed["Code"], "ConditionalCheckFailed")
        self.assertEqual(failed["Message"], "The conditional request failed")
        self.assertEqual(failed["Item"], {"author": {"S": "tx"}, "title": {"S": "a"}})
        self.assertEqual(self.titles(), ["a"])

    def test_a_token_makes_one_effect(self):
        add = {
            "Update": {
                "TableName": self.name,
                "Key": {"author": {"S": "tx"}, "title": {"S": "count"}},
                "UpdateExpression": "ADD visits :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}},
            }
        }
        token = str(uuid.uuid4())
        for _ in range(3):
            client.transact_write_items(TransactItems=[add], ClientRequestToken=token)
        item = self.table.get_item(Key={"author": "tx", "title": "count"}, ConsistentRead=True)
        self.assertEqual(item["Item"]["visits"], 1)
        self.assert_refused(
            "IdempotentParameterMismatchException",
            client.transact_write_items,
            TransactItems=[add, self.put("more")],
            ClientRequestToken=token,
        )


class ExpiryAndTags(unittest.TestCase):
    def setUp(self):
        self.name = f"boto3-{uuid.uuid4()}"
        self.table = make_table(self.name)
        self.addCleanup(self.table.delete)

    def time_to_live(self):
        return client.describe_time_to_live(TableName=self.name)["TimeToLiveDescription"]

    def set_time_to_live(self, attribute: str, enabled: bool):
        specification = {"AttributeName": attribute, "Enabled": enabled}
        return client.update_time_to_live(
            TableName=self.name, TimeToLiveSpecification=specification
        )["TimeToLiveSpecification"]

    def test_items_expire(self):
        self.assertEqual(self.time_to_live(), {"TimeToLiveStatus": "DISABLED"})
        self.table.put_item(Item={"author": "a", "title": "before", "ends": 1767225600})
        self.assertEqual(
            self.set_time_to_live("ends", True), {"AttributeName": "ends", "Enabled": True}
        )
        self.assertEqual(self.time_to_live()["TimeToLiveStatus"], "ENABLED")
        with self.table.batch_writer() as batch:
            batch.put_item(Item={"author": "a", "title": "after", "ends": 1767225600})
            batch.put_item(Item={"author": "a", "title": "later", "ends": int(time.time()) + 600})
        left = []
        for _ in range(200):
            left = [item["title"] for item in self.table.scan()["Items"]]
            if left == ["later"]:
                break
            time.sleep(0.05)
        self.assertEqual(left, ["later"])
        with self.assertRaises(ClientError) as raised:
            self.set_time_to_live("other", True)
        self.assertIn("active on a different AttributeName", str(raised.exception))
        self.set_time_to_live("ends", False)
        self.assertEqual(self.time_to_live(), {"TimeToLiveStatus": "DISABLED"})

    def test_tags(self):
        arn = self.table.table_arn
        client.tag_resource(
            ResourceArn=arn, Tags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": ""}]
        )
        client.untag_resource(ResourceArn=arn, TagKeys=["a", "never"])
        pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        self.assertEqual(pages.build_full_result()["Tags"], [{"Key": "b", "Value": ""}])

    def test_backups_are_off(self):
        described = client.describe_continuous_backups(TableName=self.name)
        recovery = described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.assertEqual(recovery["PointInTimeRecoveryStatus"], "DISABLED")
        self.assertEqual(client.list_backups()["BackupSummaries"], [])
        with self.assertRaises(client.exceptions.TableNotFoundException):
            client.describe_continuous_backups(TableName="absent")


class PartiqlTest(BooksTestCase):
    def run_statement(self, statement: str, *parameters: dict, **more) -> list:
        if parameters:
            more["Parameters"] = list(parameters)
        return client.execute_statement(Statement=statement, **more)["Items"]

    def test_a_statement_of_each_kind(self):
        self.run_statement(
            f"INSERT INTO \"{self.name}\" VALUE {{'author': ?, 'title': 'a', 'tags': <<'x'>>}}",
            {"S": "ql"},
        )
        key = "WHERE author = 'ql' AND title = 'a'"
        updated = self.run_statement(
            f'UPDATE "{self.name}" SET n = ? SET tags = set_add(tags, ?) {key} '
            "RETURNING ALL NEW *",
            {"N": "1"},
            {"SS": ["y"]},
        )
        self.assertEqual(updated[0]["n"], {"N": "1"})
        self.assertEqual(sorted(updated[0]["tags"]["SS"]), ["x", "y"])
        selected = self.run_statement(f'SELECT title, n FROM "{self.name}" {key}')
        self.assertEqual(selected, [{"title": {"S": "a"}, "n": {"N": "1"}}])
        self.assertEqual(self.run_statement(f'DELETE FROM "{self.name}" {key}'), [])
        self.assertEqual(self.run_statement(f'SELECT * FROM "{self.name}" {key}'), [])

    def test_pages_go_on_with_their_token(self):
        for number in range(5):
            self.table.put_item(Item=book("pages", str(number), 1900 + number))
        statement = f"SELECT title FROM \"{self.name}\" WHERE author = 'pages'"
        titles, more = [], {}
        while True:
            page = client.execute_statement(Statement=statement, Limit=2, **more)
            titles += [item["title"]["S"] for item in page["Items"]]
            if "NextToken" not in page:
                break
            more = {"NextToken": page["NextToken"]}
        self.assertEqual(titles, ["0", "1", "2", "3", "4"])

    def test_an_item_twice_is_its_own_error(self):
        insert = f"INSERT INTO \"{self.name}\" VALUE {{'author': 'twice', 'title': 'a'}}"
        self.run_statement(insert)
        with self.assertRaises(client.exceptions.DuplicateItemException):
            self.run_statement(insert)
        self.assert_refused(
            "ValidationException", client.execute_statement, Statement="SELECT everything"
        )

    def test_a_batch_and_a_transaction(self):
        insert = f"INSERT INTO \"{self.name}\" VALUE {{'author': 'many', 'title': ?}}"

        def of(title):
            return {"Statement": insert, "Parameters": [{"S": title}]}

        client.execute_transaction(TransactStatements=[of("a"), of("b")])
        responses = client.batch_execute_statement(Statements=[of("a"), of("c")])["Responses"]
        self.assertEqual(responses[0]["Error"]["Code"], "DuplicateItem")
        self.assertEqual(responses[1], {"TableName": self.name})
        with self.assertRaises(client.exceptions.TransactionCanceledException) as caught:
            client.execute_transaction(TransactStatements=[of("d"), of("a")])
        codes = [reason["Code"] for reason in caught.exception.response["CancellationReasons"]]
        self.assertEqual(codes, ["None", "DuplicateItem"])
        select = f"SELECT * FROM \"{self.name}\" WHERE author = 'many'"
        titles = [item["title"]["S"] for item in self.run_statement(select)]
        self.assertEqual(titles, ["a", "b", "c"])


if __name__ == "__main__":
    unittest.main()
