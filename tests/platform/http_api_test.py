"""Designs over real HTTP: what a client sends, and every status that it can get."""

import base64
import concurrent.futures
import http.client
import json
import pathlib
import re
import socket
import sys
import tempfile
import threading
import unittest
import urllib.parse

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from server import ROOT, Server  # noqa: E402

SHOP = pathlib.Path(__file__).with_name("shop.design")
API = "/api/Shop/v1"
LISTENS = re.compile(rb"Design +http://127\.0\.0\.1:(\d+)")


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()
        self.json = json.loads(self.text) if self.text.startswith(("{", "[")) else None


class Web:
    """A server of designs, and requests to it."""

    def __init__(self, *designs, flags=(), folder=None):
        files = [word for design in designs for word in ("--design", str(design))]
        self.server = Server(
            *files, "--web-port", "0", "--log-level", "warn", *flags, folder=folder
        )

    def __enter__(self):
        self.server.__enter__()
        self.port = int(LISTENS.search(self.server.output()).group(1))
        return self

    def __exit__(self, *error):
        self.server.__exit__(*error)

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            data = body
            if isinstance(body, (dict, list)):
                data = json.dumps(body)
                headers.setdefault("Content_Type", "application/json")
            if isinstance(data, str):
                data = data.encode()
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, data, names)
            return Answer(connection.getresponse())
        finally:
            connection.close()


def quoted(text):
    return urllib.parse.quote(text, safe="")


class HttpApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.web = cls.enterClassContext(Web(SHOP))
        cls.serial = iter(range(1_000_000))

    def ask(self, method, path, body=None, **headers):
        path = path if path.startswith("/") else f"{API}/{path}"
        return self.web.ask(method, path, body, **headers)

    def problem(self, answer, status, code, *failures):
        """Checks a problem; `failures` are (pointer or ?parameter, code) of all its errors."""
        self.assertEqual((answer.status, answer.json and answer.json.get("code")), (status, code))
        self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
        self.assertEqual(answer.json["status"], status)
        self.assertEqual(answer.json["type"], f"/problems/{code}")
        self.assertEqual(answer.json["requestId"], answer.headers["X-Request-Id"])
        errors = [
            (error.get("pointer", "?" + error.get("parameter", "")), error["code"])
            for error in answer.json.get("errors", [])
        ]
        if failures:
            self.assertEqual(sorted(errors), sorted(failures))
        return answer

    def customer(self, **more):
        number = next(self.serial)
        body = {"customerId": f"c{number}", "email": f"c{number}@example.com", "name": "Ann"}
        answer = self.ask("POST", "Customer", body | more)
        self.assertEqual(answer.status, 201, answer.text)
        return answer.json["customerId"]

    def order(self, customer, number, **more):
        answer = self.ask("POST", "Order", {"customerId": customer, "number": number} | more)
        self.assertEqual(answer.status, 201, answer.text)
        return answer

    # One item

    def test_an_item_is_created_read_changed_and_deleted(self):
        customer = self.customer(address={"street": "A 1", "city": "B"})
        path = f"Customer/{customer}"
        read = self.ask("GET", path)
        self.assertEqual(read.status, 200)
        self.assertEqual(read.json["address"], {"street": "A 1", "city": "B"})
        self.assertEqual(read.json["version"], 1)
        self.assertRegex(read.headers["ETag"], r'^"1-[0-9a-f]{16}"$')

        patched = self.ask(
            "PATCH",
            path,
            '{"name": "Bea", "address": {"city": null}}',
            Content_Type="application/merge-patch+json",
        )
        self.assertEqual(patched.status, 200, patched.text)
        self.assertEqual(patched.json["address"], {"street": "A 1"})
        self.assertEqual(patched.json["version"], 2)
        self.assertEqual(self.ask("GET", path).headers["ETag"], patched.headers["ETag"])
        self.assertEqual(self.ask("GET", path).text, patched.text)

        gone = self.ask("PATCH", path, {"address": None})
        self.assertNotIn("address", gone.json)
        deleted = self.ask("DELETE", path)
        self.assertEqual((deleted.status, deleted.text), (204, ""))
        self.problem(self.ask("GET", path), 404, "not-found")
        self.problem(self.ask("DELETE", path), 404, "not-found")
        self.problem(self.ask("PATCH", path, {"name": "x"}), 404, "not-found")

    def test_a_new_item_has_an_address(self):
        created = self.ask("POST", "Page", {"title": "a/b #1 é?", "body": "x"})
        self.assertEqual(created.status, 201, created.text)
        self.assertEqual(created.headers["Location"], f"{API}/Page/a%2Fb%20%231%20%C3%A9%3F")
        read = self.ask("GET", created.headers["Location"])
        self.assertEqual(read.json["title"], "a/b #1 é?")
        self.assertEqual(read.headers["ETag"], created.headers["ETag"])
        made = self.ask("POST", "Customer", {"email": "made@example.com", "name": "x"})
        self.assertEqual(made.headers["Location"], f"{API}/Customer/{made.json['customerId']}")

    def test_put_creates_or_changes(self):
        path = "Page/put"
        first = self.ask("PUT", path, {"body": "1"})
        self.assertEqual(first.status, 201, first.text)
        self.assertEqual(first.headers["Location"], f"{API}/Page/put")
        second = self.ask("PUT", path, {"title": "put", "body": "2"})
        self.assertEqual((second.status, second.json["body"]), (200, "2"))
        self.problem(
            self.ask("PUT", path, {"title": "other"}), 400, "validation", ("/title", "mismatch")
        )
        self.problem(
            self.ask("PUT", path, {"body": "3"}, If_None_Match="*"), 412, "version-mismatch"
        )
        new = self.ask("PUT", "Page/put2", {"body": "1"}, If_None_Match="*")
        self.assertEqual(new.status, 201)
        self.problem(
            self.ask("PUT", "Page/put3", {"body": "1"}, If_Match='"1"'), 412, "version-mismatch"
        )
        self.assertEqual(self.ask("GET", "Page/put3").status, 404)

    def test_what_is_there_already_is_a_conflict(self):
        customer = self.customer()
        again = {"customerId": customer, "email": "other@example.com", "name": "x"}
        self.problem(self.ask("POST", "Customer", again), 409, "already-exists")
        taken = {"email": f"{customer}@EXAMPLE.com", "name": "x"}
        self.problem(self.ask("POST", "Customer", taken), 409, "already-exists")
        orphan = {"customerId": "nobody", "number": 1}
        self.problem(self.ask("POST", "Order", orphan), 404, "not-found")

    def test_versions_guard_changes(self):
        path = f"Customer/{self.customer()}"
        tag = self.ask("GET", path).headers["ETag"]
        changed = self.ask("PATCH", path, {"name": "two"}, If_Match=tag)
        self.assertEqual(changed.status, 200)
        late = self.problem(
            self.ask("PATCH", path, {"name": "three"}, If_Match=tag), 412, "version-mismatch"
        )
        self.assertEqual(late.headers["ETag"], changed.headers["ETag"])
        self.problem(self.ask("DELETE", path, If_Match=tag), 412, "version-mismatch")
        self.problem(
            self.ask("PUT", path, {"name": "x"}, If_Match=tag), 412, "version-mismatch"
        )
        self.problem(
            self.ask("PATCH", path, {"name": "x"}, If_Match="W/" + changed.headers["ETag"]),
            *(412, "version-mismatch"),
        )
        self.problem(self.ask("PATCH", path, {"name": "x"}, If_Match="2"), 400, "validation")
        self.assertEqual(self.ask("PATCH", path, {"name": "4"}, If_Match='"2"').status, 200)
        self.assertEqual(self.ask("PATCH", path, {"name": "5"}, If_Match="*").status, 200)
        self.assertEqual(self.ask("DELETE", path, If_Match='"9", "4-x"').status, 204)

    # A count changes what is shown and not the version: a change goes on, a copy is stale.
    def test_counts_leave_the_version_alone(self):
        customer = self.customer()
        before = self.ask("GET", f"Customer/{customer}").headers["ETag"]
        self.order(customer, 1)
        after = self.ask("GET", f"Customer/{customer}", If_None_Match=before)
        self.assertEqual((after.status, after.json["orders"]), (200, 1))
        changed = self.ask("PATCH", f"Customer/{customer}", {"name": "x"}, If_Match=before)
        self.assertEqual(changed.status, 200, changed.text)

    def test_a_copy_that_is_fresh_is_not_sent_again(self):
        path = f"Customer/{self.customer()}"
        tag = self.ask("GET", path).headers["ETag"]
        fresh = self.ask("GET", path, If_None_Match=f'"x", W/{tag}')
        self.assertEqual((fresh.status, fresh.text), (304, ""))
        self.assertEqual(fresh.headers["ETag"], tag)
        self.assertEqual(self.ask("GET", path, If_None_Match="*").status, 304)
        self.assertEqual(self.ask("GET", path, If_None_Match='"x"').status, 200)

    def test_one_of_many_writers_with_the_same_version_wins(self):
        path = f"Customer/{self.customer()}"
        tag = self.ask("GET", path).headers["ETag"]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            write = lambda i: self.ask("PATCH", path, {"name": f"n{i}"}, If_Match=tag).status
            statuses = list(pool.map(write, range(16)))
        self.assertEqual(sorted(statuses), [200] + [412] * 15)
        self.assertEqual(self.ask("GET", path).json["version"], 2)

    # Values

    def test_values_come_back_exactly(self):
        customer = self.customer()
        text = (
            '{"customerId": "%s", "number": 7, "total": 12345678901234567890.123456789012345678,'
            ' "tags": ["b", "a"], "sizes": [10, 9, 0.10], "seal": "%s", "due": "2026-02-28",'
            ' "lines": ["x", "\\u0041\\ud83d\\ude00"], "expires": "2030-01-01T00:00:00+01:00"}'
        ) % (customer, base64.b64encode(bytes(range(64))).decode())
        made = self.ask("POST", "Order", text, Content_Type="application/json")
        self.assertEqual(made.status, 201, made.text)
        self.assertIn('"total":12345678901234567890.123456789012345678,', made.text)
        self.assertIn('"tags":["a","b"],"sizes":[0.1,9,10]', made.text)
        self.assertEqual(base64.b64decode(made.json["seal"]), bytes(range(64)))
        self.assertEqual(made.json["lines"], ["x", "A😀"])
        self.assertEqual(made.json["expires"], "2029-12-31T23:00:00.000Z")
        self.assertNotIn("kind", made.json)
        self.assertNotIn("pk", made.json)
        read = self.ask("GET", f"Order/{customer}/7")
        self.assertEqual(read.text, made.text)
        empty = self.ask("PATCH", f"Order/{customer}/7", {"tags": [], "total": None})
        self.assertEqual(empty.status, 200, empty.text)
        self.assertNotIn("tags", empty.json)
        self.assertNotIn("total", empty.json)

    def test_nasty_texts_are_texts(self):
        texts = ["#", "%23", "a#b%c", "..", "../..", "/", "\\", "'\"<script>", "‮", "😀" * 50]
        texts += ["a\u0301", "\u00e1", " x ", "\t", "null", "{}", "?a=b&c", "CUSTOMER#1", "-", "0"]
        for text in texts:
            with self.subTest(text):
                title = text + "!"
                made = self.ask("POST", "Page", {"title": title, "body": text})
                self.assertEqual(made.status, 201, made.text)
                read = self.ask("GET", "Page/" + quoted(title))
                self.assertEqual((read.json["title"], read.json["body"]), (title, text))
                found = self.ask("GET", "access/getPage?title=" + quoted(title))
                self.assertEqual([item["title"] for item in found.json["items"]], [title])

    def test_what_is_wrong_is_named_all_at_once(self):
        self.problem(
            self.ask("POST", "Customer", {"email": "x", "name": "", "address": {"city": 1}}),
            *(400, "validation"),
            *[("/email", "format"), ("/name", "range")],
            *[("/address/street", "required"), ("/address/city", "type")],
        )
        order = {"customerId": "c", "number": 0, "state": "X", "lines": [""]}
        self.problem(
            self.ask("POST", "Order", order),
            *(400, "validation"),
            *[("/number", "range"), ("/state", "enum"), ("/lines/0", "range")],
        )
        self.problem(
            self.ask("POST", "Customer", {"name": "x", "email": "a@b.cd", "orders": 5}),
            *(400, "validation", ("/orders", "read-only")),
        )
        self.problem(
            self.ask("POST", "Customer", {"name": "x", "email": "a@b.cd", "version": 5}),
            *(400, "validation", ("/version", "read-only")),
        )

    def test_unknown_fields_are_refused(self):
        known = {"email": "unknown@example.com", "name": "x"}
        self.problem(
            self.ask("POST", "Customer", known | {"nick": 1, "address": {"street": "x", "zip": 2}}),
            *(400, "unknown-field"),
            *[("/nick", "unknown-field"), ("/address/zip", "unknown-field")],
        )
        self.problem(
            self.ask("PATCH", f"Customer/{self.customer()}", {"pk": "x"}),
            *(400, "unknown-field", ("/pk", "unknown-field")),
        )
        self.problem(
            self.ask("GET", "Customer/x?a=1&b"),
            *(400, "unknown-field", ("?a", "unknown-field"), ("?b", "unknown-field")),
        )
        self.problem(
            self.ask("POST", "operations/rename", {"customerId": "c", "name": "x", "y": 1}),
            *(400, "unknown-field", ("/y", "unknown-field")),
        )

    def test_unknown_and_wrong_fields_are_named_together(self):
        self.problem(
            self.ask("POST", "Customer", {"nick": 1, "version": 2, "email": "nobody", "name": 7}),
            *(400, "validation"),
            *[("/nick", "unknown-field"), ("/version", "read-only")],
            *[("/name", "type"), ("/email", "format")],
        )
        self.problem(
            self.ask("PATCH", f"Customer/{self.customer()}", {"nick": 1, "name": 7}),
            *(400, "validation", ("/nick", "unknown-field"), ("/name", "type")),
        )

    def test_bodies_that_are_not_json_are_refused(self):
        for body in [
            "",
            "{",
            "{'a':1}",
            '{"name":"a","name":"b"}',
            '{"name":NaN}',
            '{"name":"\\ud800"}',
            b'{"name":"\xff"}',
            "[" * 100_000,
            '{"extra":' + "[" * 70 + "]" * 70 + "}",
        ]:
            with self.subTest(body[:30]):
                answer = self.ask("POST", "Customer", body, Content_Type="application/json")
                self.problem(answer, 400, "malformed-json")
        for body in ["[]", "1", "null", '"x"']:
            answer = self.ask("POST", "Customer", body, Content_Type="application/json")
            self.problem(answer, 400, "validation", ("", "type"))

    # Addresses, methods and media types

    def test_addresses_that_do_not_exist(self):
        for path in ["/api", "/api/Shop", "/api/Shop/v2", "/api/shop/v1", "/x", "/api/None/v1/A"]:
            self.problem(self.ask("GET", path), 404, "not-found")
        for path in ["customer/1", "Customer/1/2", "Customer/", "Order/c", "access/none"]:
            self.problem(self.ask("GET", path), 404, "not-found")
        self.problem(self.ask("GET", "Customer/%ff"), 400, "bad-request")
        self.problem(self.ask("GET", "Order/c/one"), 400, "validation", ("?number", "type"))
        answer = self.ask("GET", "Customer/a%23b")
        self.problem(answer, 400, "validation", ("?customerId", "format"))

    def test_methods_that_an_address_does_not_have(self):
        answer = self.problem(self.ask("POST", "Customer/1", {}), 405, "method-not-allowed")
        self.assertEqual(answer.headers["Allow"], "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
        answer = self.problem(self.ask("GET", "Customer"), 405, "method-not-allowed")
        self.assertEqual(answer.headers["Allow"], "POST, OPTIONS")
        for method in ["PUT", "PATCH", "DELETE"]:
            path = "Event/c/2026-01-01T00:00:00.000Z/e"
            answer = self.problem(self.ask(method, path, {}), 405, "method-not-allowed")
            self.assertEqual(answer.headers["Allow"], "GET, HEAD, OPTIONS")
        self.problem(self.ask("POST", "access/getPage", {}), 405, "method-not-allowed")
        self.problem(self.ask("GET", "operations/rename"), 405, "method-not-allowed")
        self.assertEqual(self.ask("OPTIONS", "Customer/1").status, 204)
        head = self.ask("HEAD", f"Customer/{self.customer()}")
        self.assertEqual((head.status, head.text), (200, ""))
        self.assertGreater(int(head.headers["Content-Length"]), 50)

    def test_media_types(self):
        body = '{"name":"x","email":"media@example.com"}'
        for kind in ["text/plain", "application/xml", "application/json; charset=latin-1"]:
            answer = self.ask("POST", "Customer", body, Content_Type=kind)
            self.problem(answer, 415, "unsupported-media-type")
        self.problem(self.ask("GET", "Customer/1", Accept="text/html"), 406, "not-acceptable")
        answer = self.ask("GET", "Customer/none", Accept="text/html, application/*;q=0.1")
        self.assertEqual(answer.status, 404)

    def test_bodies_have_a_limit(self):
        largest = "x" * 300_000
        self.assertEqual(self.ask("PUT", "Page/large", {"body": largest}).status, 201)
        self.assertEqual(self.ask("GET", "Page/large").json["body"], largest)
        too_long = self.ask("PUT", "Page/large", {"body": "x" * 300_001})
        self.problem(too_long, 400, "validation", ("/body", "range"))
        self.problem(self.ask("PUT", "Page/large", {"body": "x" * 1_100_000}), 413, "too-large")
        full = '{"title": "full", "body": "%s"}' % ("é" * 250_000)  # more than an item's 400 KB
        answer = self.ask("POST", "Page", full, Content_Type="application/json")
        self.problem(answer, 400, "validation")

    def test_pages_of_other_sites_are_kept_out(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.web.port, timeout=10)
        connection.request("GET", API, headers={"Host": "shop.example"})
        self.problem(Answer(connection.getresponse()), 421, "misdirected-request")
        connection.close()
        answer = self.ask("POST", "operations/rename", Origin="http://evil.example")
        self.problem(answer, 403, "forbidden")
        answer = self.ask("GET", "", Origin="http://evil.example")
        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)

    def test_answers_tell_browsers_to_be_careful(self):
        for answer in [self.ask("GET", API), self.ask("GET", "/none"), self.ask("GET", "/healthz")]:
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
            self.assertEqual(answer.headers["Referrer-Policy"], "no-referrer")

    # Access patterns and operations

    def test_a_list_comes_in_pages(self):
        customer = self.customer()
        for number in range(1, 8):
            self.order(customer, number)
        base = f"access/ordersOfCustomer?customerId={customer}"
        numbers, path, pages = [], f"{base}&limit=3", 0
        while path:
            answer = self.ask("GET", path)
            self.assertEqual(answer.status, 200, answer.text)
            numbers += [item["number"] for item in answer.json["items"]]
            pages += 1
            following = re.fullmatch(r'<(.*)>; rel="next"', answer.headers.get("Link", ""))
            self.assertEqual(bool(following), "nextCursor" in answer.json)
            if following:
                self.assertTrue(following[1].endswith("cursor=" + answer.json["nextCursor"]))
            path = following and following[1]
        self.assertEqual((numbers, pages), ([1, 2, 3, 4, 5, 6, 7], 3))
        newest = self.ask("GET", f"{base}&order=desc&limit=2").json["items"]
        self.assertEqual([item["number"] for item in newest], [7, 6])
        self.assertEqual({item["@type"] for item in newest}, {"Order"})

    def test_cursors_are_sealed(self):
        one, other = self.customer(), self.customer()
        for number in (1, 2):
            self.order(one, number)
            self.order(other, number)
        base = "access/ordersOfCustomer?limit=1&customerId="
        cursor = self.ask("GET", base + one).json["nextCursor"]
        second = self.ask("GET", f"{base}{one}&cursor={cursor}")
        self.assertEqual([item["number"] for item in second.json["items"]], [2])
        self.assertNotIn(one.encode(), base64.urlsafe_b64decode(cursor + "=="))
        for path in [
            f"{base}{other}&cursor={cursor}",
            f"{base}{one}&order=desc&cursor={cursor}",
            f"{base}{one}&cursor={cursor[:-1]}",
            f"{base}{one}&cursor={'B' if cursor[0] == 'A' else 'A'}{cursor[1:]}",
            f"{base}{one}&cursor=x",
            f"{base}{one}&cursor=",
            f"access/ofCustomer?customerId={one}&cursor={cursor}",
        ]:
            self.problem(self.ask("GET", path), 400, "invalid-cursor")

    def test_parameters_of_lists_are_checked(self):
        base = "access/ordersOfCustomer?customerId=c"
        for limit in ["0", "101", "-1", "x", "", "1.5"]:
            answer = self.ask("GET", f"{base}&limit={limit}")
            self.problem(answer, 400, "validation", ("?limit", "range"))
        self.problem(self.ask("GET", f"{base}&order=up"), 400, "validation", ("?order", "enum"))
        answer = self.ask("GET", "access/ordersInState?state=OPEN&order=asc")
        self.problem(answer, 400, "validation", ("?order", "invalid"))
        answer = self.ask("GET", f"{base}&customerId=d")
        self.problem(answer, 400, "validation", ("?customerId", "repeated"))
        self.problem(self.ask("GET", "access/ordersInState?state=NO"), 400, "validation")
        self.problem(self.ask("GET", "access/ordersOfCustomer"), 400, "validation")
        self.assertEqual(self.ask("GET", base).json, {"items": []})

    def test_an_access_has_a_limit_of_its_own(self):
        customer = self.customer()
        for number in range(1, 6):
            self.order(customer, number, state="GONE")
        answer = self.ask("GET", "access/ordersInState?state=GONE")
        self.assertEqual(len(answer.json["items"]), 3)
        answer = self.ask("GET", "access/ordersInState?state=GONE&limit=50")
        self.assertEqual(len(answer.json["items"]), 3)
        answer = self.ask("GET", "access/ordersInState?state=GONE&limit=2")
        self.assertEqual(len(answer.json["items"]), 2)

    def test_lists_of_several_kinds_say_which(self):
        customer = self.customer()
        self.order(customer, 1)
        event = self.ask("POST", "Event", {"customerId": customer, "text": "x"})
        self.assertEqual(event.status, 201, event.text)
        self.assertEqual(self.ask("GET", event.headers["Location"]).status, 200)
        items = self.ask("GET", f"access/ofCustomer?customerId={customer}").json["items"]
        self.assertEqual([item["@type"] for item in items], ["Event", "Order", "Customer"])

    def test_operations_run(self):
        customer = self.customer()
        answer = self.ask("POST", "operations/rename", {"customerId": customer, "name": "New"})
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual([item["name"] for item in answer.json["items"]], ["New"])
        missing = {"customerId": "nobody", "name": "x"}
        self.problem(self.ask("POST", "operations/rename", missing), 404, "not-found")
        long = {"customerId": customer, "name": "x" * 41}
        self.problem(self.ask("POST", "operations/rename", long), 400, "validation")
        answer = self.ask("POST", "operations/rename", {"customerId": customer, "name": 5})
        self.problem(answer, 400, "validation")

    # What the server says of itself

    def test_the_description_is_one_of_openapi(self):
        document = self.ask("GET", "openapi.json").json
        self.assertEqual(document["openapi"], "3.1.0")
        self.assertEqual(document["info"], {"title": "Shop", "version": "3"})
        schemas = document["components"]["schemas"]
        for schema in schemas.values():
            jsonschema.Draft202012Validator.check_schema(schema)

        def references(node):
            if isinstance(node, dict):
                yield from ([node["$ref"]] if "$ref" in node else [])
                for value in node.values():
                    yield from references(value)
            elif isinstance(node, list):
                for value in node:
                    yield from references(value)

        for reference in references(document):
            target = document
            for part in reference.removeprefix("#/").split("/"):
                target = target[part]
        ids = []
        for path, item in document["paths"].items():
            for method, operation in item.items():
                ids.append(operation["operationId"])
                self.assertIn("default", operation["responses"])
                named = {p["name"] for p in operation["parameters"] if p.get("in") == "path"}
                self.assertEqual(named, set(re.findall(r"{(\w+)}", path)), (method, path))
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(set(document["paths"]["/Event"]), {"post"})
        self.assertEqual(schemas["Order"]["properties"]["state"]["enum"], ["OPEN", "PAID", "GONE"])
        self.assertEqual(schemas["Customer.New"]["required"], ["email", "name"])

    def test_answers_and_examples_are_as_described(self):
        document = self.ask("GET", "openapi.json").json

        def check(name, value):
            schema = {"$ref": f"#/components/schemas/{name}", **document}
            jsonschema.validate(value, schema, jsonschema.Draft202012Validator)

        customer = self.customer(address={"street": "s"}, extra=[1, {"a": None}])
        check("Customer", self.ask("GET", f"Customer/{customer}").json)
        order = self.order(customer, 3, tags=["a"], seal="AA==", total=1.5, due="2026-01-01")
        check("Order", order.json)
        for item in self.ask("GET", f"access/ofCustomer?customerId={customer}").json["items"]:
            check(item["@type"], item)
        check("trestle.Problem", self.ask("GET", "Customer/none").json)
        check("trestle.Problem", self.ask("POST", "Customer", {"name": ""}).json)
        for name in ["Customer.New", "Order.New", "Event.New", "Page.New", "Order.Patch"]:
            schema = document["components"]["schemas"][name]
            example = {
                key: value["examples"][0]
                for key, value in schema["properties"].items()
                if "examples" in value
            }
            check(name, example)
            with self.assertRaises(jsonschema.ValidationError):
                check(name, example | {"nope": 1})

    def test_the_index_lists_what_there_is(self):
        index = self.ask("GET", "/").json
        self.assertEqual(index["apps"][0], {"name": "Shop", "title": "Shop", "href": API})
        self.assertEqual([app["name"] for app in index["apps"]], ["Shop", "studio"])
        design = self.ask("GET", API + "/").json
        self.assertEqual((design["design"], design["version"]), ("Shop", 3))
        names = {entity["name"] for entity in design["entities"]}
        self.assertEqual(names, {"Customer", "Order", "Event", "Page"})
        self.assertNotIn("createCustomer", [access["name"] for access in design["accesses"]])
        self.assertEqual(self.ask("GET", "/problems/not-found").json["status"], 404)

    def test_it_tells_how_it_is(self):
        self.assertEqual(self.ask("GET", "/healthz").text, "ok\n")
        self.assertEqual(self.ask("GET", "/readyz").text, "ok\n")
        metrics = self.ask("GET", "/metrics").text
        self.assertIn('route="/api/Shop/v1/Customer/{customerId}"', metrics)
        self.assertIn("trestle_web_ready 1\n", metrics)

    # Load

    def test_five_hundred_requests_at_once(self):
        customer = self.customer()

        def create(number):
            return self.ask("POST", "Order", {"customerId": customer, "number": number}).status

        with concurrent.futures.ThreadPoolExecutor(100) as pool:
            statuses = list(pool.map(create, range(1, 501)))
        self.assertEqual(statuses, [201] * 500)
        self.assertEqual(self.ask("GET", f"Customer/{customer}").json["orders"], 500)

    def test_five_hundred_connections_at_once(self):
        request = f"GET {API}/Customer/none HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        sockets = [socket.create_connection(("127.0.0.1", self.web.port)) for _ in range(200)]
        for connection in sockets:
            connection.sendall(request * 3)
        for connection in sockets:
            connection.settimeout(20)
            received = b""
            while received.count(b"HTTP/1.1 404") < 3:
                received += connection.recv(65536)
            connection.close()

    def test_slow_clients_hold_nobody_up(self):
        head = f"POST {API}/Customer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
        sockets = [socket.create_connection(("127.0.0.1", self.web.port)) for _ in range(150)]
        for connection in sockets:
            connection.sendall(head.encode() + b"{")
        customer = self.customer()
        self.assertEqual(self.ask("GET", f"Customer/{customer}").status, 200)
        for connection in sockets:
            connection.close()

    def test_the_same_keep_alive_connection_serves_many(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.web.port, timeout=10)
        for _ in range(50):
            connection.request("GET", f"{API}/Customer/none")
            self.assertEqual(Answer(connection.getresponse()).status, 404)
        connection.close()


class Serving(unittest.TestCase):
    def test_data_and_cursors_outlive_a_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder, "data")
            with Web(SHOP, folder=data) as web:
                customer = web.ask(
                    "POST", f"{API}/Customer", {"email": "a@b.cd", "name": "x"}
                ).json["customerId"]
                for number in (1, 2):
                    body = {"customerId": customer, "number": number}
                    web.ask("POST", f"{API}/Order", body)
                path = f"{API}/access/ordersOfCustomer?customerId={customer}&limit=1"
                cursor = web.ask("GET", path).json["nextCursor"]
            self.assertEqual((data / "WEB_KEY").stat().st_mode & 0o777, 0o600)
            with Web(SHOP, folder=data) as web:
                answer = web.ask("GET", f"{path}&cursor={cursor}")
                self.assertEqual([item["number"] for item in answer.json["items"]], [2])

    # Copies, cascades and averages follow the stream while the server runs.
    def test_what_follows_the_stream_follows(self):
        with Web(SHOP) as web:
            customer = web.ask(
                "POST", f"{API}/Customer", {"email": "a@b.cd", "name": "x"}
            ).json["customerId"]
            for number in range(1, 61):
                web.ask("POST", f"{API}/Order", {"customerId": customer, "number": number})
            self.assertEqual(web.ask("DELETE", f"{API}/Customer/{customer}").status, 204)
            path = f"{API}/access/ordersOfCustomer?customerId={customer}"
            deadline = threading.Event()
            for _ in range(500):
                if not web.ask("GET", path).json["items"]:
                    break
                deadline.wait(0.01)
            self.assertEqual(web.ask("GET", path).json, {"items": []})

    def test_the_five_designs_are_served_together(self):
        designs = sorted((ROOT / "src/apps").glob("*/*.design"))
        self.assertEqual(len(designs), 5)
        with Web(*designs) as web:
            apps = [app for app in web.ask("GET", "/").json["apps"] if app["name"] != "studio"]
            self.assertEqual(len(apps), 5)
            for app in apps:
                document = web.ask("GET", app["href"] + "/openapi.json").json
                for schema in document["components"]["schemas"].values():
                    jsonschema.Draft202012Validator.check_schema(schema)


if __name__ == "__main__":
    unittest.main()
