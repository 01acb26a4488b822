"""Events about changes to another server; what it refuses, and what an administrator does then."""

import hashlib
import hmac
import http.server
import json
import pathlib
import queue
import tempfile
import threading
import time
import unittest

from people_test import BOOKS, Site

SECRET = "a secret that both know"
ADMIN = {"email": "root@example.org", "password": "a very long secret"}
WAIT_SECONDS = 60


class Receiver:
    """Keeps the events that it gets; answers with `status`."""

    def __init__(self):
        self.status = 200
        self.events = queue.Queue()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if receiver.status == 200:
                    receiver.events.put((self.path, self.headers["Trestle-Signature"], body))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def next(self, kind):
        """The next event of this kind, and its signature."""
        while True:
            path, signature, body = self.events.get(timeout=WAIT_SECONDS)
            event = json.loads(body)
            if event["detail-type"] == kind:
                return event, path, signature, body


class OutboundEvents(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in (("secret", SECRET), ("admins", " ".join(ADMIN.values()))):
            (folder / name).write_text(text + "\n")
            (folder / name).chmod(0o600)
        self.receiver = self.enterContext(Receiver())
        flags = ("--outbound-url", self.receiver.url, "--outbound-secret", str(folder / "secret"))
        self.site = self.enterContext(Site(*flags, "--admins", str(folder / "admins")))
        self.token = self.site.join("ann").json["accessToken"]

    def admin(self, method, path):
        login = self.site.ask("POST", "/auth/v1/login", ADMIN)
        token = login.json["accessToken"]
        return self.site.ask(method, f"/api/operator/v1/consumers{path}", token=token)

    def add_book(self, title):
        answer = self.site.ask("POST", f"{BOOKS}/books", {"title": title}, token=self.token)
        self.assertEqual(answer.status, 201, answer.text)
        return answer.json

    def test_a_change_is_told_and_signed(self):
        book = self.add_book("Emma")
        event, path, signature, body = self.receiver.next("Book created")
        self.assertEqual((path, event["version"]), ("/events", "0"))
        self.assertEqual(event["source"], "trestle.books")
        self.assertEqual(event["detail"]["new"]["title"], "Emma")
        self.assertNotIn("old", event["detail"])
        moment, _, digest = signature.removeprefix("t=").partition(",v1=")
        wanted = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256)
        self.assertEqual(digest, wanted.hexdigest())
        self.assertLess(abs(time.time() - int(moment)), 60)

        path = f"{BOOKS}/books/{book['id']}"
        self.site.ask("DELETE", path, token=self.token)
        event = self.receiver.next("Book deleted")[0]
        self.assertEqual(event["detail"]["old"]["title"], "Emma")
        self.assertNotIn("new", event["detail"])

    def test_what_is_refused_waits_for_an_administrator(self):
        self.receiver.status = 400
        self.add_book("Emma")
        letters = "/books/outbound/dead-letters"
        deadline = time.monotonic() + WAIT_SECONDS
        found = []
        while not found and time.monotonic() < deadline:
            time.sleep(0.5)
            answer = self.admin("GET", letters)
            self.assertEqual(answer.status, 200, answer.text)
            found = answer.json["items"]
        self.assertIn("400", found[0]["error"])
        self.assertNotIn("Emma", answer.text)
        failed = self.admin("POST", "/books/outbound/replay")
        self.assertEqual((failed.status, failed.json["done"]), (200, 0))
        self.assertGreaterEqual(failed.json["failed"], 1)

        self.receiver.status = 200
        done = self.admin("POST", "/books/outbound/replay")
        self.assertGreaterEqual(done.json["done"], 1)
        self.assertEqual(done.json["failed"], 0)
        self.assertEqual(self.receiver.next("Book created")[0]["detail"]["new"]["title"], "Emma")
        self.assertEqual(self.admin("GET", letters).json["items"], [])
        consumers = self.admin("GET", "").json["items"]
        outbound = next(each for each in consumers if each["consumer"] == "outbound")
        self.assertEqual((outbound["app"], outbound["isRunning"]), ("books", True))
        self.assertGreaterEqual(outbound["givenUp"], 1)

    def test_only_administrators_see_it(self):
        for method, path in (("GET", ""), ("POST", "/books/outbound/replay")):
            answer = self.site.ask(method, f"/api/operator/v1/consumers{path}", token=self.token)
            self.assertEqual(answer.status, 403)
        self.assertEqual(self.admin("POST", "/books/none/replay").status, 404)
        self.assertEqual(self.admin("POST", "/none/outbound/replay").status, 404)


if __name__ == "__main__":
    unittest.main()
