"""People and their accounts, over real HTTP, with an app behind them."""

import base64
import concurrent.futures
import http.client
import json
import pathlib
import re
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from server import Server  # noqa: E402

WEB = re.compile(rb"http://127\.0\.0\.1:(\d+)/api/")
BOOKS = "/api/books/v1"
PASSWORD = "correct horse battery"
WAIT_SECONDS = 30
DATA = 'data: {"entity":"Book"'


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()
        self.json = json.loads(self.text) if self.text.startswith(("{", "[")) else None


class Site:
    def __init__(self, *flags, folder=None, apps="books", variables=None):
        flags = ("--apps", apps, "--web-port", "0", "--log-level", "warn", *flags)
        self.server = Server(*flags, folder=folder, variables=variables)

    def __enter__(self):
        self.server.__enter__()
        self.port = int(WEB.search(self.server.output()).group(1))
        return self

    def __exit__(self, *error):
        self.server.__exit__(*error)

    def ask(self, method, path, body=None, token=None, **headers):
        """A body is sent as JSON, or as CSV when it is a text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            is_text = isinstance(body, str)
            if body is not None:
                names["Content-Type"] = "text/csv" if is_text else "application/json"
            if token:
                names["Authorization"] = f"Bearer {token}"
            text = body if body is None or is_text else json.dumps(body)
            connection.request(method, path, text, names)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def dynamodb(self, operation, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.request(
                "POST",
                "/",
                json.dumps(body),
                {
                    "X-Amz-Target": f"DynamoDB_20120810.{operation}",
                    "Content-Type": "application/x-amz-json-1.0",
                    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb"
                    "/aws4_request, SignedHeaders=host, Signature=0",
                    "X-Amz-Date": "20260101T000000Z",
                },
            )
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def find(self, token, words):
        """The first book with these words, as soon as there is one."""
        deadline = time.monotonic() + WAIT_SECONDS
        found = []
        while not found and time.monotonic() < deadline:
            answer = self.ask("GET", f"{BOOKS}/search?q={words}", token=token)
            if answer.status != 200:
                raise AssertionError(answer.text)
            found = answer.json["items"]
        return found[0]["item"]

    def join(self, name):
        """Signs up and in, -> the answer of the login."""
        person = {"email": f"{name}@example.org", "password": PASSWORD, "name": name}
        self.ask("POST", "/auth/v1/signup", person)
        return self.ask(
            "POST", "/auth/v1/login", {"email": person["email"], "password": PASSWORD}
        )


class People(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(Site())

    def test_a_token_opens_the_app(self):
        login = self.site.join("ann")
        self.assertEqual(login.status, 200, login.text)
        token = login.json["accessToken"]
        self.assertEqual(self.site.ask("GET", f"{BOOKS}/books").status, 401)
        self.assertEqual(self.site.ask("GET", f"{BOOKS}/books", token=token).status, 200)
        for wrong in (token + "x", token[:-4], login.json["idToken"], "x"):
            answer = self.site.ask("GET", f"{BOOKS}/books", token=wrong)
            self.assertEqual((answer.status, answer.json["code"]), (401, "unauthenticated"))
            self.assertIn("Bearer", answer.headers["WWW-Authenticate"])
        # A token of no use does not keep anybody from signing in.
        again = self.site.ask(
            "POST",
            "/auth/v1/login",
            {"email": "ann@example.org", "password": PASSWORD},
            token="x",
        )
        self.assertEqual(again.status, 200)

    def test_a_session_is_renewed_by_its_cookie(self):
        login = self.site.join("rita")
        cookie = login.headers["Set-Cookie"]
        self.assertIn("HttpOnly", cookie)
        self.assertIn("SameSite=Strict", cookie)
        sent = cookie.split(";")[0]
        renewed = self.site.ask("POST", "/auth/v1/refresh", Cookie=sent)
        self.assertEqual(renewed.status, 200, renewed.text)
        self.assertEqual(
            self.site.ask("GET", f"{BOOKS}/me", token=renewed.json["accessToken"]).status, 200
        )
        next_cookie = renewed.headers["Set-Cookie"].split(";")[0]
        self.assertNotEqual(next_cookie, sent)
        self.assertEqual(self.site.ask("POST", "/auth/v1/logout", Cookie=next_cookie).status, 204)
        self.assertEqual(self.site.ask("POST", "/auth/v1/refresh", Cookie=next_cookie).status, 401)

    def test_what_was_written_is_found(self):
        token = self.site.join("finder").json["accessToken"]
        self.site.ask("POST", f"{BOOKS}/books", {"title": "The Lathe of Heaven"}, token=token)
        self.assertEqual(self.site.find(token, "lahte")["title"], "The Lathe of Heaven")

    def test_one_of_a_hundred_gets_the_address(self):
        def sign_up(number):
            email = "".join(
                c.upper() if number >> i & 1 else c for i, c in enumerate("mixedcase")
            )
            body = {"email": f"{email}@example.org", "password": PASSWORD, "name": "x"}
            return self.site.ask("POST", "/auth/v1/signup", body).status

        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            statuses = list(pool.map(sign_up, range(100)))
        self.assertEqual(statuses.count(201), 1, statuses)
        self.assertEqual(set(statuses), {201, 409})

    def test_who_leaves_is_forgotten(self):
        login = self.site.join("leaver")
        token = login.json["accessToken"]
        me = self.site.ask("GET", "/auth/v1/me", token=token).json
        book = self.site.ask("POST", f"{BOOKS}/books", {"title": "Emma"}, token=token).json
        page = f"{BOOKS}/books/{book['id']}/page"
        self.assertEqual(self.site.ask("POST", page, {"page": 3}, token=token).status, 201)
        leaving = self.site.ask("DELETE", "/auth/v1/me", token=token)
        self.assertEqual(leaving.status, 202)
        job = leaving.headers["Location"]
        self.assertTrue(job.startswith("/auth/v1/jobs/"), job)
        self.assertEqual(self.site.ask("GET", f"{BOOKS}/books", token=token).status, 401)
        # Its owner cannot sign in any more. It is there until the account is gone.
        deadline = time.monotonic() + WAIT_SECONDS
        answer = self.site.ask("GET", job)
        while answer.status == 200 and time.monotonic() < deadline:
            self.assertEqual(answer.json["kind"], "erase")
            time.sleep(0.05)
            answer = self.site.ask("GET", job)
        self.assertEqual(answer.status, 404)
        left = [""]
        while left and time.monotonic() < deadline:
            left = [
                item
                for table in ("BookTrackerTable", "TrestlePlatform")
                for item in self.site.dynamodb("Scan", {"TableName": table})["Items"]
                if any(word in json.dumps(item) for word in (me["sub"], "leaver"))
            ]
        self.assertEqual(left, [])
        person = {"email": "leaver@example.org", "password": PASSWORD}
        self.assertEqual(self.site.ask("POST", "/auth/v1/login", person).status, 401)

    def test_open_pages_are_told(self):
        token = self.site.join("listener").json["accessToken"]
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=30)
        connection.request(
            "GET",
            f"{BOOKS}/live",
            headers={"Authorization": f"Bearer {token}", "Accept": "text/event-stream"},
        )
        stream = connection.getresponse()
        self.assertEqual(stream.status, 200)
        self.site.ask("POST", f"{BOOKS}/books", {"title": "Emma"}, token=token)
        while (line := stream.readline().decode()) and not line.startswith(DATA):
            pass
        event = json.loads(line.removeprefix("data: "))
        self.assertEqual((event["entity"], event["change"]), ("Book", "created"))
        connection.close()


class Live(unittest.TestCase):
    """Who listens hears of their own, in every app."""

    CHANGES = {  # something that is the caller's alone
        "books": ("POST", "/books", {"title": "Emma"}),
        "library": ("POST", "/libraries", {"libraryName": "Home"}),
        "watch": ("PATCH", "/me", {"bio": "x"}),
        "stories": ("PATCH", "/me", {"displayName": "another"}),
        "notes": ("POST", "/notes", {"title": "Emma"}),
    }

    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(Site(apps=",".join(cls.CHANGES)))

    def change(self, app, token):
        """-> what events say of it: an id."""
        method, path, body = self.CHANGES[app]
        answer = self.site.ask(method, f"/api/{app}/v1{path}", body, token=token)
        self.assertIn(answer.status, (200, 201), answer.text)
        return answer.json.get("id") or answer.json["userId"]

    def listen(self, app, token, **headers):
        """A stream that has begun."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=30)
        self.addCleanup(connection.close)
        names = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        connection.request("GET", f"/api/{app}/v1/live", headers=names | headers)
        stream = connection.getresponse()
        self.assertEqual(stream.status, 200)
        return stream

    @staticmethod
    def read_until(stream, word):
        """All lines up to the one with the word."""
        lines = []
        while line := stream.readline().decode():
            lines.append(line)
            if word in line:
                return lines
        raise AssertionError(f"the stream has ended: {lines}")

    def test_nobody_listens_without_a_good_token(self):
        login = self.site.join("ann").json
        for app in self.CHANGES:
            for token in (None, "x", login["accessToken"][:-4], login["idToken"]):
                answer = self.site.ask("GET", f"/api/{app}/v1/live", token=token)
                self.assertEqual((answer.status, answer.json["code"]), (401, "unauthenticated"))

    def test_changes_of_others_are_not_told(self):
        for app in self.CHANGES:
            with self.subTest(app):
                # People of their own: nobody may have more than eight streams.
                ann, bob = (
                    self.site.join(f"{name}-{app}").json["accessToken"] for name in ("ann", "bob")
                )
                for token in (ann, bob):  # who comes first gets a profile
                    me = self.site.ask("GET", f"/api/{app}/v1/me", token=token)
                    self.assertEqual(me.status, 200, me.text)
                anns, bobs = self.listen(app, ann), self.listen(app, bob)
                word, own = self.change(app, ann), self.change(app, bob)
                lines = self.read_until(anns, word)
                self.assertNotIn(word, "".join(self.read_until(bobs, own)))
                # Not even from where another was when it began.
                start = lines[0].removeprefix("id: ").strip()
                again = self.listen(app, bob, **{"Last-Event-ID": start})
                self.assertNotIn(word, "".join(self.read_until(again, self.change(app, bob))))


class OtherMachines(unittest.TestCase):
    """A server that others can reach: pages for all of them, the studio for administrators."""

    def test_pages_are_for_all_and_the_studio_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = pathlib.Path(folder, "keys")
            keys.write_text("AKIDEXAMPLE secret-of-the-key-0123456789\n", encoding="utf-8")
            admins = pathlib.Path(folder, "admins")
            admins.write_text(f"root@example.org {PASSWORD}\n", encoding="utf-8")
            for file in (keys, admins):
                file.chmod(0o600)
            flags = ("--bind", "0.0.0.0", "--access-keys", str(keys), "--admins", str(admins))
            with Site(*flags) as site:
                page = site.ask("GET", "/books", Accept="text/html")
                self.assertEqual((page.status, "<title>" in page.text), (200, True))
                designs = "/api/studio/v1/designs"
                self.assertEqual(site.ask("GET", designs).status, 401)
                token = site.join("joe").json["accessToken"]
                self.assertEqual(site.ask("GET", designs, token=token).status, 403)
                root = {"email": "root@example.org", "password": PASSWORD}
                token = site.ask("POST", "/auth/v1/login", root).json["accessToken"]
                self.assertEqual(site.ask("GET", designs, token=token).status, 200)


class Issuer(unittest.TestCase):
    """Who a token is from: an address at which people find the server."""

    def names_of(self, site):
        login = site.join("ann")
        claims = login.json["accessToken"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        told = site.ask("GET", "/auth/v1/.well-known/openid-configuration").json["issuer"]
        token = login.json["accessToken"]
        self.assertEqual(site.ask("GET", f"{BOOKS}/books", token=token).status, 200)
        return {claims["iss"], told}

    def test_it_is_where_the_port_is(self):
        with Site() as site:
            self.assertEqual(self.names_of(site), {f"http://127.0.0.1:{site.port}/auth/v1"})

    def test_it_is_what_the_operator_says(self):
        with Site("--issuer-url", "https://books.example.org/") as site:
            self.assertEqual(self.names_of(site), {"https://books.example.org/auth/v1"})


class Metrics(unittest.TestCase):
    def test_consumers_tell_how_far_they_are(self):
        with Site() as site:
            token = site.join("ann").json["accessToken"]
            site.ask("POST", f"{BOOKS}/books", {"title": "Emma"}, token=token)
            counted = re.compile(
                r'^trestle_consumer_changes_total\{app="books",consumer="live"\} [1-9]', re.M
            )
            deadline = time.monotonic() + WAIT_SECONDS
            while not counted.search(metrics := site.ask("GET", "/metrics").text):
                self.assertLess(time.monotonic(), deadline, metrics)
                time.sleep(0.1)
            self.assertIn('trestle_consumer_running{app="auth",consumer="people"} 1\n', metrics)
            self.assertIn('trestle_consumer_lag_milliseconds{app="books",consumer="days"}', metrics)


class Restart(unittest.TestCase):
    def test_accounts_tokens_and_search_outlive_it(self):
        with tempfile.TemporaryDirectory() as folder:
            with Site(folder=folder) as site:
                token = site.join("ann").json["accessToken"]
                body = {"title": "The Dispossessed"}
                site.ask("POST", f"{BOOKS}/books", body, token=token)
            with Site(folder=folder) as site:
                self.assertEqual(site.find(token, "disposessed")["title"], "The Dispossessed")


if __name__ == "__main__":
    unittest.main()
