"""The studio's own routes, over real HTTP."""

import pathlib
import tempfile
import unittest

from http_api_test import SHOP, Web

API = "/api/studio/v1"
FILTERED = """design Filtered version 1

table "Filtered" {
  key PK, SK
}

entity Thing {
  key pk "BOX#{box}" sk "THING#{id}"

  box  : id            immutable
  id   : id            immutable
  done : bool          = false
}

access doneIn(box) -> Thing* =
  query table pk "BOX#{box}" sk begins "THING#" filter (done = true)
"""


class Studio(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.web = cls.enterClassContext(Web(SHOP))
        body = {"customerId": "c1", "email": "c1@example.com", "name": "Ann"}
        cls.web.ask("POST", "/api/Shop/v1/Customer", body)
        for number in range(1, 6):
            order = {"customerId": "c1", "number": number, "total": 12345678901234567890.5}
            cls.web.ask("POST", "/api/Shop/v1/Order", order)

    def ask(self, path, body=None, status=200, **headers):
        answer = self.web.ask("GET" if body is None else "POST", API + path, body, **headers)
        self.assertEqual(answer.status, status, answer.text)
        return answer.json

    def dynamodb(self, operation, body, status=200):
        target = f"DynamoDB_20120810.{operation}"
        return self.ask("/dynamodb", body, status, X_Amz_Target=target)

    def test_an_operation_of_dynamodb_runs_without_a_signature(self):
        self.assertIn("Shop", self.dynamodb("ListTables", {})["TableNames"])
        item = {"pk": {"S": "a"}, "sk": {"S": "b"}, "n": {"N": "1" * 38}, "b": {"B": "AAE="}}
        self.assertEqual(self.dynamodb("PutItem", {"TableName": "Shop", "Item": item}), {})
        key = {"pk": {"S": "a"}, "sk": {"S": "b"}}
        read = self.dynamodb("GetItem", {"TableName": "Shop", "Key": key})
        self.assertEqual(read["Item"], item)
        self.dynamodb("DeleteItem", {"TableName": "Shop", "Key": key})

    def test_dynamodb_refuses_in_its_own_words(self):
        refusal = self.dynamodb("GetItem", {"TableName": "Shop", "Key": {}}, status=400)
        self.assertTrue(refusal["__type"].endswith("#ValidationException"), refusal)
        refusal = self.dynamodb("DescribeTable", {"TableName": "None"}, status=400)
        self.assertTrue(refusal["__type"].endswith("#ResourceNotFoundException"), refusal)
        refusal = self.dynamodb("Nonsense", {}, status=400)
        self.assertTrue(refusal["__type"].endswith("#UnknownOperationException"), refusal)
        self.ask("/dynamodb", "[]", 400, Content_Type="application/json")

    def test_streams_are_operations_too(self):
        target = "DynamoDBStreams_20120810.ListStreams"
        streams = self.ask("/dynamodb", {"TableName": "Shop"}, X_Amz_Target=target)["Streams"]
        self.assertEqual(len(streams), 1)

    def test_designs_are_listed_and_shown(self):
        self.assertEqual(self.ask("/designs")["items"][0]["name"], "Shop")
        shown = self.ask("/designs/Shop")
        self.assertEqual(shown["text"], SHOP.read_text(encoding="utf-8"))
        order = next(it for it in shown["design"]["entities"] if it["name"] == "Order")
        self.assertEqual(order["keys"][0]["sortKey"], "ORDER#{number:06}")
        self.assertEqual(order["indexes"][0]["partitionKey"], "STATE#{state}")
        self.assertEqual(order["relations"][0]["parent"], "Customer")
        access = next(it for it in shown["design"]["accesses"] if it["name"] == "ordersInState")
        self.assertEqual((access["index"], access["reads"]), ("GSI1", True))
        self.assertEqual(access["parameters"][0]["values"], ["OPEN", "PAID", "GONE"])
        self.ask("/designs/None", status=404)

    def test_a_text_is_checked(self):
        wrong = self.ask("/designs/check", {"text": FILTERED.replace("{box}", "{bix}", 1)})
        self.assertNotIn("design", wrong)
        error = wrong["diagnostics"][0]
        self.assertEqual((error["severity"], error["line"]), ("error", 8))
        right = self.ask("/designs/check", {"text": FILTERED})
        self.assertEqual(right["design"]["name"], "Filtered")
        self.ask("/designs/check", {"text": 1}, 400)
        self.ask("/designs/check", {}, 400)

    def test_a_table_is_made_of_a_text(self):
        made = self.ask("/designs/apply", {"text": FILTERED})
        self.assertEqual((made["table"], made["refusals"]), ("Filtered", []))
        self.assertEqual(self.ask("/designs/apply", {"text": FILTERED})["changes"], [])
        self.assertIn("Filtered", self.dynamodb("ListTables", {})["TableNames"])
        self.ask("/designs/apply", {"text": "design"}, 400)

    def test_an_access_runs_with_its_cost(self):
        path = "/designs/Shop/access/ordersInState"
        first = self.ask(path, {"arguments": {"state": "OPEN"}})
        self.assertEqual(len(first["items"]), 3)
        self.assertEqual(first["items"][0]["@type"], "Order")
        self.assertEqual(first["readUnits"], 0.5)
        self.assertEqual(first["requests"][0]["operation"], "Query")
        self.assertIn("STATE#OPEN", first["requests"][0]["json"])
        more = self.ask(path, {"arguments": {"state": "OPEN"}, "cursor": first["nextCursor"]})
        self.assertEqual(len(more["items"]), 2)
        one = self.ask("/designs/Shop/access/getCustomer", {"arguments": {"customerId": "c1"}})
        self.assertEqual((len(one["items"]), one["itemsRead"], one["readUnits"]), (1, 1, 0.5))

    def test_what_is_wrong_with_arguments_is_said_of_each(self):
        path = "/designs/Shop/access/ordersInState"
        refused = self.ask(path, {"arguments": {"state": "LOST"}}, 400)
        self.assertEqual(refused["errors"][0]["pointer"], "/arguments/state")
        self.ask(path, {"arguments": {"nope": "x"}}, 400)
        self.ask(path, {"limit": 1000, "arguments": {"state": "OPEN"}}, 400)
        self.ask(path, {"arguments": {"state": "OPEN"}, "cursor": "!"}, 400)
        self.ask("/designs/Shop/access/none", {}, 404)
        self.ask("/designs/Shop/access/createCustomer", {}, 422)

    def test_items_are_recognised(self):
        page = self.dynamodb("Scan", {"TableName": "Shop"})
        items = [*page["Items"], {"pk": {"S": "what"}, "sk": {"S": "ever"}}]
        kinds = self.ask("/designs/Shop/recognise", {"items": items})["kinds"]
        self.assertEqual(len(kinds), len(items))
        self.assertEqual(kinds.count("Order"), 5)
        self.assertEqual(kinds.count("Customer"), 1)
        self.assertIn("~", kinds)
        self.assertIsNone(kinds[-1])
        self.ask("/designs/Shop/recognise", {"items": [1]}, 400)

    def test_other_origins_and_hosts_are_kept_out(self):
        self.ask("/dynamodb", {}, 403, Origin="http://evil.example")
        self.ask("/designs", None, 421, Host="evil.example")


class Filters(unittest.TestCase):
    def test_what_a_filter_drops_is_read_too(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "filtered.design")
            file.write_text(FILTERED, encoding="utf-8")
            with Web(file) as web:
                for number in range(10):
                    thing = {"box": "b", "id": str(number), "done": number == 3}
                    web.ask("POST", "/api/Filtered/v1/Thing", thing)
                path = f"{API}/designs/Filtered/access/doneIn"
                run = web.ask("POST", path, {"arguments": {"box": "b"}}).json
        self.assertEqual((len(run["items"]), run["itemsRead"]), (1, 10))


if __name__ == "__main__":
    unittest.main()
