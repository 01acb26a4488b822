"""The applications of a server whose data is behind a DynamoDB endpoint: another server here."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import people_test
from people_test import BOOKS, Site

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from server import Server, binary  # noqa: E402

os.environ.setdefault("AWS_ACCESS_KEY_ID", "local")
os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "local")
SAMPLE_SECONDS = 120
LISTS = {
    "books": "/books",
    "library": "/libraries",
    "watch": "/watchlists",
    "stories": "/stories",
    "notes": "/notes",
}


def store(endpoint):
    return ("--store", "dynamodb", "--endpoint", endpoint.endpoint)


class EndpointPeople(people_test.People):
    @classmethod
    def setUpClass(cls):
        endpoint = cls.enterClassContext(Server())
        cls.site = cls.enterClassContext(Site(*store(endpoint), "--index-delay-ms", "500"))

    def test_there_is_no_second_database(self):
        self.assertNotIn(b"DynamoDB API", self.site.server.output())

    def test_the_studio_shows_the_tables_of_the_endpoint(self):
        def ask(operation, service="DynamoDB"):
            target = f"{service}_20120810.{operation}"
            path = "/api/studio/v1/dynamodb"
            return self.site.ask("POST", path, {}, X_Amz_Target=target)

        self.assertIn("BookTrackerTable", ask("ListTables").json["TableNames"])
        self.assertEqual(len(ask("ListStreams", "DynamoDBStreams").json["Streams"]), 2)
        refused = ask("GetItem")
        self.assertEqual(refused.status, 400)
        self.assertIn("ValidationException", refused.json["__type"])
        for service, operation in (("DynamoDB", "Bogus"), ("Other", "ListTables")):
            refused = ask(operation, service)
            self.assertEqual(refused.status, 400)
            self.assertIn("UnknownOperationException", refused.json["__type"])


class EndpointRestart(unittest.TestCase):
    def test_accounts_tokens_and_search_outlive_it(self):
        with Server() as endpoint, tempfile.TemporaryDirectory() as folder:
            flags = store(endpoint)
            with Site(*flags, folder=folder) as site:
                token = site.join("ann").json["accessToken"]
                site.ask("POST", f"{BOOKS}/books", {"title": "The Dispossessed"}, token=token)
            files = {path.name for path in pathlib.Path(folder).iterdir()}
            self.assertLessEqual({"ENDPOINT", "WEB_KEY", "SIGNING_KEYS", "search"}, files)
            self.assertNotIn("TRESTLE", files)
            with Site(*flags, folder=folder) as site:
                self.assertEqual(site.find(token, "disposessed")["title"], "The Dispossessed")
                command = [binary(), "serve", "--data", folder, *flags]
                second = subprocess.run(command, capture_output=True, text=True, timeout=30)
                self.assertEqual(second.returncode, 3, second.stderr)
            # Another server's tables are not those that the index knows.
            with Server() as other:
                command = [binary(), "serve", "--data", folder, *store(other)]
                moved = subprocess.run(command, capture_output=True, text=True, timeout=30)
                self.assertEqual(moved.returncode, 4, moved.stderr)
                self.assertIn("belongs to", moved.stderr)


class EndpointSamples(unittest.TestCase):
    def accounts(self, site):
        query = {
            "TableName": "TrestlePlatform",
            "IndexName": "GSI1",
            "KeyConditionExpression": "GSI1PK = :pk",
            "ExpressionAttributeValues": {":pk": {"S": "ACCOUNTS#CONFIRMED"}},
        }
        target = "DynamoDB_20120810.Query"
        return site.ask("POST", "/api/studio/v1/dynamodb", query, X_Amz_Target=target).text

    def test_all_applications_have_them(self):
        with Server() as endpoint:
            apps = ",".join(LISTS)
            with Site(*store(endpoint), "--sample-data", apps=apps) as site:
                person = {"email": "ann@example.org", "password": "trestle-sample"}
                deadline = time.monotonic() + SAMPLE_SECONDS
                # Who tries to sign in too often has to wait: the table is asked.
                while "ann@example.org" not in (accounts := self.accounts(site)):
                    self.assertLess(time.monotonic(), deadline, accounts)
                    time.sleep(0.5)
                login = site.ask("POST", "/auth/v1/login", person)
                self.assertEqual(login.status, 200, login.text)
                empty = dict(LISTS)
                while empty and time.monotonic() < deadline:
                    time.sleep(0.5)
                    for app, path in list(empty.items()):
                        token = login.json["accessToken"]
                        answer = site.ask("GET", f"/api/{app}/v1{path}", token=token)
                        if answer.status == 200 and answer.json["items"]:
                            del empty[app]
                self.assertEqual(empty, {}, site.server.output())


class NoEndpoint(unittest.TestCase):
    def test_the_start_fails_with_a_sentence(self):
        with Server() as endpoint:
            gone = store(endpoint)
        command = [binary(), "serve", "--in-memory", "--web-port", "0", *gone]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("127.0.0.1", done.stderr)


if __name__ == "__main__":
    unittest.main()
