"""Reminders of notes at their time: told to pages that are open, once, also after a restart."""

import datetime
import http.client
import json
import tempfile
import time
import unittest

from people_test import Site

NOTES = "/api/notes/v1"
WAIT_SECONDS = 60


def from_now(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")


class Reminders(unittest.TestCase):
    def add(self, site, token, title, seconds):
        body = {"title": title, "remindAt": from_now(seconds)}
        added = site.ask("POST", f"{NOTES}/notes", body, token=token)
        self.assertEqual(added.status, 201, added.text)
        return f"{NOTES}/notes/{added.json['id']}"

    def reminded(self, site, token, path):
        """The note, as soon as somebody was reminded of it."""
        deadline = time.monotonic() + WAIT_SECONDS
        note = {}
        while "remindedAt" not in note and time.monotonic() < deadline:
            time.sleep(0.2)
            note = site.ask("GET", path, token=token).json
        self.assertIn("remindedAt", note)
        return note

    def test_an_open_page_is_told(self):
        with Site(apps="notes") as site:
            token = site.join("ann").json["accessToken"]
            self.assertEqual(site.ask("GET", f"{NOTES}/me", token=token).status, 200)
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=WAIT_SECONDS)
            connection.request(
                "GET",
                f"{NOTES}/live",
                headers={"Authorization": f"Bearer {token}", "Accept": "text/event-stream"},
            )
            stream = connection.getresponse()
            self.add(site, token, "call back", 2)
            while (line := stream.readline().decode()) and line != "event: reminder\n":
                pass
            event = json.loads(stream.readline().decode().removeprefix("data: "))
            self.assertEqual(event["title"], "call back")
            note = self.reminded(site, token, f"{NOTES}/notes/{event['id']}")
            self.assertEqual(note["version"], 1)
            connection.close()

    def test_what_was_due_meanwhile_is_told_afterwards_and_nothing_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            with Site(apps="notes", folder=folder) as site:
                token = site.join("ann").json["accessToken"]
                first = self.add(site, token, "first", 0)
                before = self.reminded(site, token, first)
                second = self.add(site, token, "second", 2)
            time.sleep(2)
            with Site(apps="notes", folder=folder) as site:
                self.reminded(site, token, second)
                self.assertEqual(site.ask("GET", first, token=token).json, before)


if __name__ == "__main__":
    unittest.main()
