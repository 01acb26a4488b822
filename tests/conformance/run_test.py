"""The scenario runner against a small false DynamoDB, which answers from a list."""

import contextlib
import datetime
import http.server
import io
import json
import pathlib
import sys
import tempfile
import threading
import unittest
import unittest.mock
import zlib

import botocore.auth
import botocore.awsrequest
import botocore.credentials

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import compare  # noqa: E402
import endpoint  # noqa: E402
import run  # noqa: E402
import scenario  # noqa: E402


class FakeHandler(http.server.BaseHTTPRequestHandler):
    """Answers with what the test put in `answers`, and keeps what was asked."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        target = self.headers.get("X-Amz-Target", "")
        operation = target.rpartition(".")[2]
        server = self.server
        if operation == "ListTables":
            reply = (200, {"TableNames": sorted(server.tables)})
        elif operation == "DeleteTable":
            server.tables.discard(json.loads(body)["TableName"])
            reply = (200, {})
        elif operation == "DescribeTable":
            reply = (200, {"Table": {"TableStatus": server.statuses.pop(0)}})
            server.described += 1
        else:
            server.asked.append((self.command, self.path, dict(self.headers), body))
            reply = server.answers.pop(0)
        payload = json.dumps(reply[1]).encode() if not isinstance(reply[1], bytes) else reply[1]
        self.send_response(reply[0])
        for name, value in (reply[2] if len(reply) > 2 else {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    do_POST = do_GET = answer

    def log_message(self, *_):
        pass


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.fake = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FakeHandler)
        self.fake.answers, self.fake.asked, self.fake.statuses = [], [], []
        self.fake.tables, self.fake.described = set(), 0
        threading.Thread(target=self.fake.serve_forever, args=(0.01,), daemon=True).start()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "scenario.txt"
        self.target = endpoint.Endpoint(f"http://127.0.0.1:{self.fake.server_port}")

    def tearDown(self):
        self.target.close()
        self.fake.shutdown()
        self.fake.server_close()

    def run_text(self, text, *answers, rewrite=False):
        """-> (passed, failed, what was printed)"""
        self.file.write_text(text, encoding="utf-8")
        self.fake.answers = list(answers)
        runner = run.Run(self.target, rewrite, 0)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            runner.file(self.file)
        return runner.passed, runner.failed, out.getvalue()

    def assert_passes(self, text, *answers):
        passed, failed, out = self.run_text(text, *answers)
        self.assertEqual((passed, failed), (len(answers), 0), out)

    def assert_fails(self, text, *answers, says=""):
        passed, failed, out = self.run_text(text, *answers)
        self.assertEqual(failed, 1, out)
        self.assertIn(says, out)

    def sent(self, index=-1):
        return json.loads(self.fake.asked[index][3])

    def test_a_request_over_several_lines_is_sent_as_one_body(self):
        self.assert_passes(
            '# why\n\nGetItem {"TableName": "t",\n  "Key": {}}\n----\n200 {}\n', (200, {})
        )
        self.assertEqual(self.sent(), {"TableName": "t", "Key": {}})
        method, path, headers, _ = self.fake.asked[0]
        self.assertEqual((method, path), ("POST", "/"))
        self.assertEqual(headers["X-Amz-Target"], "DynamoDB_20120810.GetItem")
        self.assertIn("Credential=", headers["Authorization"])

    def test_a_streams_operation_has_the_streams_target(self):
        self.assert_passes("ListStreams {}\n----\n200", (200, {}))
        self.assertEqual(
            self.fake.asked[0][2]["X-Amz-Target"], "DynamoDBStreams_20120810.ListStreams"
        )

    def test_an_exact_answer_refuses_a_further_member(self):
        self.assert_fails("A {}\n----\n200 {}", (200, {"Item": 1}), says="Item: not expected")

    def test_an_exact_answer_refuses_a_missing_member(self):
        self.assert_fails('A {}\n----\n200 {"Item": 1}', (200, {}), says="Item: missing")

    def test_a_partial_answer_accepts_further_members_at_every_depth(self):
        self.assert_passes(
            'A {}\n----\n200 ~ {"a": {"b": 1}}', (200, {"a": {"b": 1, "c": 2}, "d": 3})
        )
        self.assert_fails('A {}\n----\n200 ~ {"a": {"b": 1}}', (200, {"a": {"b": 2}}), says="a.b")

    def test_a_status_alone_accepts_any_body(self):
        self.assert_passes("A {}\n----\n200", (200, {"x": 1}))
        self.assert_fails("A {}\n----\n200", (500, {"x": 1}), says="expected 200, got 500")

    def test_an_error_is_known_by_the_part_after_the_hash(self):
        body = {"__type": "com.amazonaws.dynamodb.v20120810#XException", "message": "no"}
        self.assert_passes('A {}\n----\n400 XException "no"', (400, body))
        self.assert_passes("A {}\n----\n400 XException", (400, body))
        self.assert_fails('A {}\n----\n400 XException "yes"', (400, body), says="message")
        self.assert_fails("A {}\n----\n400 YException", (400, body), says="expected YException")

    def test_an_error_may_carry_further_fields(self):
        body = {"__type": "x#E", "Message": "no", "Item": {"pk": {"S": "1"}}}
        self.assert_passes(
            'A {}\n----\n400 E {"message": "no", "Item": {"pk": {"S": "1"}}}', (400, body)
        )
        self.assert_passes('A {}\n----\n400 E ~ {"message": "no"}', (400, body))
        self.assert_fails('A {}\n----\n400 E "no"', (400, body), says="Item: not expected")

    def test_dots_accept_any_value_but_not_its_absence(self):
        self.assert_passes('A {}\n----\n200 {"x": "..."}', (200, {"x": {"y": [1]}}))
        self.assert_fails('A {}\n----\n200 {"x": "..."}', (200, {}), says="x: missing")

    def test_like_leaves_a_part_of_a_text_open(self):
        text = 'A {}\n----\n200 {"x": "@like(Table: ... (gone).)"}'
        self.assert_passes(text, (200, {"x": "Table: orders (gone)."}))
        self.assert_fails(text, (200, {"x": "Table: orders (gone)"}), says="x: expected")

    def test_sets_are_compared_in_any_order_and_lists_are_not(self):
        self.assert_passes(
            'A {}\n----\n200 {"a": {"NS": ["1", "2"]}}', (200, {"a": {"NS": ["2", "1"]}})
        )
        self.assert_fails(
            'A {}\n----\n200 {"a": {"L": [1, 2]}}', (200, {"a": {"L": [2, 1]}}), says="a.L[0]"
        )
        self.assert_passes('A {}\n----\n200 {"a": ["@any-order", 1, 2]}', (200, {"a": [2, 1]}))
        self.assert_fails(
            'A {}\n----\n200 {"a": ["@any-order", 1, 1]}',
            (200, {"a": [2, 1]}),
            says="not expected 2",
        )

    def test_true_is_not_one(self):
        self.assert_fails(
            'A {}\n----\n200 {"a": 1}', (200, {"a": True}), says="a: expected 1, got true"
        )

    def test_raw_text_is_sent_as_it_stands(self):
        self.assert_passes('A <<{"x": @repeat([,3)\n# no comment\n----\n400', (400, {}))
        self.assertEqual(self.fake.asked[0][3], b'{"x": [[[\n# no comment')

    def test_a_plain_request_is_not_signed_and_its_text_is_compared(self):
        self.assert_passes("GET /\n----\n200 <<healthy", (200, b"healthy\n"))
        method, path, headers, _ = self.fake.asked[0]
        self.assertEqual((method, path), ("GET", "/"))
        self.assertNotIn("Authorization", headers)

    def test_header_lines_replace_add_and_remove(self):
        self.assert_passes(
            "X-Amz-Target: Foo.Bar\nAuthorization:\nX-New: 1\nA {}\n----\n200", (200, {})
        )
        headers = {name.lower(): value for name, value in self.fake.asked[0][2].items()}
        self.assertEqual((headers["x-amz-target"], headers["x-new"]), ("Foo.Bar", "1"))
        self.assertNotIn("authorization", headers)

    def test_answer_headers_are_compared(self):
        text = "A {}\n----\nX-One: ...\nX-Two: 2\nX-None:\n200"
        self.assert_passes(text, (200, {}, {"X-One": "anything", "X-Two": "2"}))
        self.assert_fails(text, (200, {}, {"X-Two": "2"}), says="header X-One")
        self.assert_fails(text, (200, {}, {"X-One": "1", "X-Two": "3"}), says="header X-Two")

    def test_a_wrong_checksum_is_a_failure(self):
        good = {"x-amz-crc32": str(zlib.crc32(b"{}"))}
        self.assert_passes("A {}\n----\n200", (200, b"{}", good))
        self.assert_fails("A {}\n----\n200", (200, b"{} ", good), says="crc32")

    def test_helpers_expand_in_requests_and_answers(self):
        self.assert_passes(
            'A {"s": "a@repeat(xy,3)b", "b": "@base64(@repeat(A,3))",'
            ' "l": ["@times(2)", {"S": "k@i-@i(3)"}],'
            ' "n": {"@nest(L,2)": {"S": "x"}}}\n----\n200 {"s": "@repeat(z,4)"}',
            (200, {"s": "zzzz"}),
        )
        self.assertEqual(
            self.sent(),
            {"s": "axyxyxyb", "b": "QUFB", "l": [{"S": "k0-000"}, {"S": "k1-001"}],
             "n": {"L": [{"L": [{"S": "x"}]}]}},
        )  # fmt: skip

    def test_a_captured_value_is_used_later_and_must_stay_the_same(self):
        text = (
            'A {}\n----\n200 {"Key": "$last"}\n\n'
            'B {"Start": "$last", "text": "<${name}>"}\n----\n'
            '200 {"Key": "$last", "Name": "$name"}\n\n'
            'C {"text": "<${name}>"}\n----\n200 {"Key": "$last"}\n'
        )
        key = {"pk": {"S": "1"}}
        passed, failed, out = self.run_text(
            text, (200, {"Key": key}), (200, {"Key": key, "Name": "n"}), (200, {"Key": "other"})
        )
        self.assertEqual((passed, failed), (2, 1), out)
        self.assertEqual(self.sent(1), {"Start": key, "text": "<${name}>"})
        self.assertEqual(self.sent(2), {"text": "<n>"})

    def test_within_repeats_until_the_answer_fits(self):
        passed, failed, out = self.run_text(
            '@within 5\nA {}\n----\n200 {"n": 2}', (200, {"n": 0}), (200, {"n": 1}), (200, {"n": 2})
        )
        self.assertEqual((passed, failed), (1, 0), out)
        self.assertEqual(len(self.fake.asked), 3)

    def test_tables_are_deleted_before_each_file(self):
        self.fake.tables = {"old"}
        self.fake.statuses = ["DELETING", "ACTIVE"]
        self.assert_passes("A {}\n----\n200", (200, {}))
        self.assertEqual(self.fake.tables, set())

    def test_a_created_table_is_waited_for(self):
        self.fake.statuses = ["CREATING", "CREATING", "ACTIVE"]
        self.assert_passes('CreateTable {"TableName": "t"}\n----\n200', (200, {}))
        self.assertEqual(self.fake.described, 3)

    def test_the_rest_of_a_file_runs_after_a_failure(self):
        passed, failed, _ = self.run_text(
            "A {}\n----\n200\n\nB {}\n----\n200", (500, {}), (200, {})
        )
        self.assertEqual((passed, failed), (1, 1))

    def test_the_examples_of_a_document_run_with_its_line_numbers(self):
        self.file = self.file.with_suffix(".md")
        text = "# Page\n\nText.\n\n```\nnot this\n```\n\n```scenario\nA {}\n----\n200 {}\n```\n"
        self.assert_passes(text, (200, {}))
        self.assert_fails(text, (500, {}), says=".md:10:")

    def test_a_missing_answer_is_a_failure(self):
        self.assert_fails("A {}", (200, {}), says="no answer")

    def test_broken_json_names_its_line(self):
        self.assert_fails("# one\n\nA {\n----\n200", says="line 3: not JSON")

    def test_rewrite_fills_in_answers_and_keeps_those_that_fit(self):
        text = (
            '# Why.\nA {"x":\n   1}\n\n# Kept.\nB {}\n----\n200 {"Id": "..."}\n\n'
            "C {}\n----\n200 {}\n"
        )
        self.run_text(
            text,
            (200, {"TableId": "77", "n": 1}),
            (200, {"Id": "5"}),
            (400, {"__type": "x#E", "message": "no", "Item": {}}),
            rewrite=True,
        )
        self.assertEqual(
            self.file.read_text(),
            '# Why.\nA {"x":\n   1}\n----\n200 {"TableId": "...", "n": 1}\n\n'
            '# Kept.\nB {}\n----\n200 {"Id": "..."}\n\n'
            'C {}\n----\n400 E {"message": "no", "Item": {}}\n',
        )

    def test_rewritten_answers_are_broken_at_a_hundred_columns(self):
        text = scenario.describe(200, "", {"Items": [{"pk": {"S": "x" * 40}}] * 3}, "")
        self.assertTrue(all(len(line) <= 100 for line in text.split("\n")), text)
        self.assertEqual(scenario.parse_answer(text).body, {"Items": [{"pk": {"S": "x" * 40}}] * 3})

    def test_a_number_may_be_written_in_two_ways(self):
        self.assertEqual(compare.differences({"a": 1}, {"a": 1.0}, {}), [])

    def test_the_signature_is_the_one_that_botocore_makes(self):
        headers = {"Host": "db.example:8000", "Content-Length": "2", "X-Amz-Target": "D.GetItem"}
        ours = self.target._signature("POST", "/", b"{}", headers)
        now = datetime.datetime.strptime(ours["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
        del headers["Content-Length"]
        request = botocore.awsrequest.AWSRequest(
            "POST", "http://db.example:8000/", headers, data=b"{}"
        )
        keys = botocore.credentials.Credentials(self.target.key, self.target.secret)
        with unittest.mock.patch("botocore.auth.datetime") as clock:
            clock.datetime.utcnow.return_value = now
            signer = botocore.auth.SigV4Auth(keys, "dynamodb", self.target.region)
            signer.add_auth(request)
        self.assertEqual(ours["Authorization"], request.headers["Authorization"])


if __name__ == "__main__":
    unittest.main()
