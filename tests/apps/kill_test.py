"""Kills the server in the middle of what takes several writes, and starts it again.

    kill_test.py [--long] [--seed N]    a kill in two commits of each flow, and at a moment;
                                        the long form: in 40 of them, or all, and at five

Each flow is prepared, begun and cut off: behind its first commit, behind its second and so on, by
a library that counts the server's fdatasync calls (end_at_sync.cc), and at moments of chance, by
kill -9. After a restart what was answered has happened, what was not has happened as a whole or
not at all, and `trestle design verify` finds no drift in any table.
"""

import argparse
import http.client
import mmap
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import server  # noqa: E402
from people_test import PASSWORD, Site  # noqa: E402

APPS = {
    "books": "/api/books/v1",
    "library": "/api/library/v1",
    "stories": "/api/stories/v1",
    "notes": "/api/notes/v1",
}
PLATFORM = "src/platform/platform.design"
DESIGNS = {name: f"src/apps/{name}/{name}.design" for name in APPS} | {"auth": PLATFORM}
BUILT = server.ROOT / "build/release/tests/apps/libend_at_sync.so"
LIBRARY = pathlib.Path(os.environ.get("TRESTLE_END_LIBRARY", BUILT))
SETTLE_SECONDS = 60
LOST = (OSError, http.client.HTTPException)  # what a request to a killed server raises
MANY = 1 << 40  # more commits than there are


class Wrong(AssertionError):
    """Something is not as it must be, now."""


def expect(is_so, *words):
    if not is_so:
        raise Wrong(" ".join(map(str, words)))


class World:
    """A data folder, the server on it, and a way to end that in a chosen commit."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder, "data")
        self.countdown_file = pathlib.Path(folder, "countdown")
        self.countdown_file.write_bytes(bytes(8))
        with self.countdown_file.open("r+b") as file:
            self.countdown = mmap.mmap(file.fileno(), 8)
        self.tokens = {}
        self.kills = 0
        self.people = 0
        self.start()

    def start(self):
        self.end_in_commit(MANY)
        variables = {"LD_PRELOAD": str(LIBRARY), "TRESTLE_END_FILE": str(self.countdown_file)}
        self.site = Site(folder=self.folder, apps=",".join(APPS), variables=variables)
        self.site.__enter__()

    def end_in_commit(self, number):
        """Ends the process in the so-manieth from now."""
        self.countdown[:] = struct.pack("=q", number)

    def commits_left(self):
        return struct.unpack("=q", self.countdown[:])[0]

    @property
    def process(self):
        return self.site.server.process

    def restart(self):
        """After a kill, which is now if there was none."""
        self.process.kill()
        status = self.process.wait()
        if status != -signal.SIGKILL:
            raise AssertionError(f"ended with {status}: {self.site.server.output().decode()}")
        self.kills += 1
        self.start()

    def stop(self):
        self.end_in_commit(MANY)
        self.site.__exit__(*sys.exc_info())

    def scan(self, table):
        """Every item of a table."""
        items, start = [], {}
        while True:
            page = self.site.dynamodb("Scan", {"TableName": table, **start})
            items += page["Items"]
            if "LastEvaluatedKey" not in page:
                return items
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def join(self, kind):
        """A new account, -> its name."""
        self.people += 1
        name = f"{kind}{self.people}"
        answer = self.site.join(name)
        expect(answer.status == 200, answer.text)
        self.tokens[name] = answer.json["accessToken"]
        return name

    def ask(self, who, method, path, body=None):
        return self.site.ask(method, path, body, token=self.tokens[who])

    def make(self, who, method, path, body=None):
        """A request that must succeed, -> what it answers."""
        answer = self.ask(who, method, path, body)
        expect(200 <= answer.status < 300, method, path, answer.status, answer.text)
        return answer.json

    def all(self, who, path):
        """Every item of a list."""
        found, cursor = [], ""
        mark = "&" if "?" in path else "?"
        while True:
            page = self.make(who, "GET", f"{path}{mark}limit=100{cursor}")
            found += page["items"]
            if "nextCursor" not in page:
                return found
            cursor = f"&cursor={page['nextCursor']}"

    def finish(self, who, answer):
        """Waits for a job, -> its last state."""
        expect(answer.status in (200, 202), answer.text)
        if answer.status == 200:
            return None
        path = answer.headers["Location"]
        deadline = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < deadline:
            job = self.make(who, "GET", path)
            if job["state"] in ("DONE", "FAILED"):
                return job
            time.sleep(0.01)
        raise AssertionError(f"{path} does not end")

    def verify(self, apps):
        for design in map(DESIGNS.get, apps):
            command = [server.binary(), "design", "verify", server.ROOT / design]
            command += ["--endpoint", self.site.server.endpoint, "--region", "us-east-1"]
            environment = dict(os.environ, AWS_ACCESS_KEY_ID="local", AWS_SECRET_ACCESS_KEY="local")
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )
            expect(done.returncode == 0, design, done.stdout, done.stderr)
            expect(" 0 drifts" in done.stdout, design, done.stdout)


class Flow:
    """Something that takes several writes. `prepare` makes what it needs, `run` does it and
    writes down what was answered, `check` compares that with what is there afterwards, `clean`
    removes what would be in the way of the next time."""

    apps = ()  # whose tables it changes

    def __init__(self, world):
        self.world = world

    def clean(self):
        pass

class RemoveABook(Flow):
    apps = ("books",)
    NOTES = 110  # more than one transaction
    BOOKS = APPS["books"]

    def prepare(self):
        if not hasattr(self, "who"):
            self.who = self.world.join("reader")
        notes = [{"bookId": "b", "content": f"note {i}"} for i in range(self.NOTES)]
        book = {"Book": [{"id": "b", "title": "Emma"}], "Note": notes}
        answer = self.world.ask(self.who, "POST", f"{self.BOOKS}/import", {"entities": book})
        self.world.finish(self.who, answer)
        (book,) = self.world.all(self.who, f"{self.BOOKS}/books")
        self.book = f"{self.BOOKS}/books/{book['id']}"
        self.answered = None

    def run(self):
        answer = self.world.ask(self.who, "DELETE", self.book)
        expect(answer.status in (202, 204), answer.text)
        self.answered = answer
        if answer.status == 202:
            expect(self.world.finish(self.who, answer)["state"] == "DONE", "the removal")

    def check(self):
        book = self.world.ask(self.who, "GET", self.book)
        expect(book.status in (200, 404), book.text)
        is_there = book.status == 200
        expect(not (is_there and self.answered), "it was removed, and is there")
        counts = self.world.make(self.who, "GET", f"{self.BOOKS}/me")["counts"]
        expect(counts["SHELF"] == is_there, counts, is_there)
        if is_there:
            expect(book.json["notesCount"] == self.NOTES, book.text)
            notes = self.world.all(self.who, f"{self.book}/notes")
            expect(len(notes) == self.NOTES, len(notes), "notes")

    def clean(self):
        self.world.ask(self.who, "DELETE", self.book)


class ReachPages(Flow):
    apps = ("books",)
    BOOKS = APPS["books"]

    def prepare(self):
        self.who = self.world.join("pages")
        body = {"title": "Emma", "totalPages": 1000}
        self.book = f"{self.BOOKS}/books/" + self.world.make(
            self.who, "POST", f"{self.BOOKS}/books", body
        )["id"]
        self.reached = 0

    def run(self):
        for page in range(1, 5):
            answer = self.world.ask(self.who, "POST", f"{self.book}/page", {"page": page})
            expect(answer.status == 201, answer.text)
            self.reached = page

    def check(self):
        book = self.world.make(self.who, "GET", self.book)
        events = self.world.all(self.who, f"{self.book}/events?order=asc")
        expect(len(events) in (self.reached, self.reached + 1), len(events), self.reached)
        expect([event["page"] for event in events] == list(range(1, len(events) + 1)), events)
        expect(book.get("currentPage", 0) == len(events), book, len(events))
        days = self.world.make(self.who, "GET", f"{self.BOOKS}/stats/reading")
        expect(days["pages"] == len(events), days)


class Continue(Flow):
    apps = ("stories",)
    STORIES = APPS["stories"]
    TEXT = "t" * 500

    def prepare(self):
        self.who = self.world.join("writer")
        story = {
            "title": "A tree",
            "synopsis": self.TEXT,
            "genre": "Fantasy",
            "ageRating": "PG",
            "firstChapter": {"title": "Root", "content": self.TEXT},
        }
        made = self.world.make(self.who, "POST", f"{self.STORIES}/stories", story)
        self.story = f"{self.STORIES}/stories/{made['storyId']}"
        self.root = f"{self.story}/chapters/{made['rootNodeId']}"
        self.branches = 0

    def run(self):
        for number in range(4):
            chapter = {"title": f"Branch {number}", "content": self.TEXT}
            answer = self.world.ask(self.who, "POST", f"{self.root}/branches", chapter)
            expect(answer.status == 201, answer.text)
            self.branches = number + 1

    def check(self):
        chapters = self.world.all(self.who, f"{self.story}/chapters")
        count = len(chapters) - 1
        expect(count in (self.branches, self.branches + 1), count, self.branches)
        children = self.world.all(self.who, f"{self.root}/children")
        expect([child["order"] for child in children] == list(range(count)), children)
        expect(self.world.make(self.who, "GET", self.root)["stats"]["childCount"] == count, count)
        story = self.world.make(self.who, "GET", self.story)
        expect(story["stats"]["totalBranches"] == count, story["stats"], count)
        me = self.world.make(self.who, "GET", f"{self.STORIES}/me")
        expect(me["stats"]["branchesContributed"] == count, me["stats"], count)


class Share(Flow):
    apps = ("library",)
    LIBRARY = APPS["library"]

    def prepare(self):
        if not hasattr(self, "who"):
            self.who = self.world.join("owner")
            self.other = self.world.join("friend")
            self.world.make(self.other, "GET", f"{self.LIBRARY}/me")
        body = {"libraryName": "Home"}
        made = self.world.make(self.who, "POST", f"{self.LIBRARY}/libraries", body)
        self.library = f"{self.LIBRARY}/libraries/{made['id']}"
        self.state, self.is_open = False, False  # what was answered last; whether more was asked

    def ask(self, method, path, body, state):
        self.is_open = True
        answer = self.world.ask(self.who, method, self.library + path, body)
        expect(answer.status in (201, 204), answer.text)
        self.state, self.is_open = state, False

    def run(self):
        email = f"{self.other}@example.org"
        for _ in range(2):
            self.ask("POST", "/shares", {"email": email}, True)
            self.ask("DELETE", f"/shares/{email}", None, False)
        self.ask("POST", "/shares", {"email": email}, True)

    def check(self):
        shares = len(self.world.all(self.who, f"{self.library}/shares"))
        names = self.world.make(self.who, "GET", self.library).get("sharedTo", [])
        seen = self.world.all(self.other, f"{self.LIBRARY}/libraries?scope=shared")
        opened = self.world.ask(self.other, "GET", self.library).status
        views = {shares, len(names), len(seen), int(opened == 200)}
        expect(len(views) == 1, shares, names, seen, opened)
        expect(self.is_open or shares == self.state, shares, self.state)

    def clean(self):
        self.world.make(self.who, "DELETE", f"{self.library}?unshare=true")


class RemoveALibrary(Flow):
    apps = ("library",)
    ITEMS = 110
    LIBRARY = APPS["library"]

    def prepare(self):
        if not hasattr(self, "who"):
            self.who = self.world.join("owner")
        body = {"libraryName": "Home"}
        made = self.world.make(self.who, "POST", f"{self.LIBRARY}/libraries", body)
        self.library = f"{self.LIBRARY}/libraries/{made['id']}"
        lines = ["type,title,collection"]
        lines += [f"book,Book {i},{'Series' if i % 2 else ''}" for i in range(self.ITEMS)]
        path = f"{self.LIBRARY}/import?libraryId={made['id']}"
        answer = self.world.ask(self.who, "POST", path, "\n".join(lines))
        expect(self.world.finish(self.who, answer)["state"] == "DONE", "the import")
        self.answered = False

    def run(self):
        answer = self.world.ask(self.who, "DELETE", self.library)
        expect(answer.status in (202, 204), answer.text)
        self.answered = True
        # What follows goes on behind the answer.
        while self.world.all(self.who, f"{self.LIBRARY}/items"):
            time.sleep(0.02)

    def check(self):
        library = self.world.ask(self.who, "GET", self.library)
        expect(library.status in (200, 404), library.text)
        is_there = library.status == 200
        expect(not (is_there and self.answered), "it was removed, and is there")
        items = self.world.all(self.who, f"{self.LIBRARY}/items")
        expect(len(items) == (self.ITEMS if is_there else 0), len(items), "items", is_there)
        me = self.world.make(self.who, "GET", f"{self.LIBRARY}/me")
        expect(me["libraryCount"] == is_there, me)
        if is_there:
            expect(library.json["totalItems"] == self.ITEMS, library.text)

    def clean(self):
        self.world.ask(self.who, "DELETE", self.library)


class Move(Flow):
    """Another e-mail address, with more notes than one transaction moves."""

    apps = ("notes", "auth")
    NOTES = 60
    API = APPS["notes"]

    def prepare(self):
        self.who = self.world.join("before")
        notes = {"notes": [{"title": f"note {i}"} for i in range(self.NOTES)]}
        answer = self.world.ask(self.who, "POST", f"{self.API}/import", notes)
        self.world.finish(self.who, answer)
        self.email = f"after-{self.who}@example.org"
        body = {"newEmail": self.email, "password": PASSWORD}
        self.world.make(self.who, "POST", f"{self.API}/me/email", body)
        mails = (self.world.folder / "mail.log").read_text(encoding="utf-8").splitlines()
        (mail,) = [line for line in mails if self.email in line]
        self.code = re.search(r"\b(\d{6})\b", mail).group(1)
        self.answered = False

    def run(self):
        path = f"{self.API}/me/email/confirm"
        answer = self.world.ask(self.who, "POST", path, {"code": self.code})
        expect(answer.status in (200, 202), answer.text)
        self.answered = True
        while self.world.make(self.who, "GET", f"{self.API}/me")["isMoving"]:
            pass

    def check(self):
        user = self.world.make(self.who, "GET", f"{self.API}/me")
        expect(not user["isMoving"], user)
        is_moved = user["email"] == self.email
        expect(is_moved or user["email"] == f"{self.who}@example.org", user)
        expect(is_moved or not self.answered, "it was answered, and has not moved")
        account = self.world.make(self.who, "GET", "/auth/v1/me")
        expect(account["email"] == user["email"], account, user)
        notes = self.world.all(self.who, f"{self.API}/notes")
        titles = {note["title"] for note in notes}
        expect(len(notes) == len(titles) == self.NOTES, len(notes), len(titles))
        expect(user["counts"]["open"] == self.NOTES, user)


class Leave(Flow):
    """An account goes, and with it what every app has of it."""

    apps = tuple(DESIGNS)

    def prepare(self):
        self.who = self.world.join("leaver")
        self.sub = self.world.make(self.who, "GET", "/auth/v1/me")["sub"]
        for name, path in APPS.items():
            self.world.make(self.who, "GET", f"{path}/me")
        self.world.make(self.who, "POST", f"{APPS['books']}/books", {"title": "Emma"})
        self.world.make(self.who, "POST", f"{APPS['notes']}/notes", {"title": "Emma"})
        self.world.make(self.who, "POST", f"{APPS['library']}/libraries", {"libraryName": "Home"})
        self.answered = False

    def left(self):
        """Where something is left."""
        words = (self.sub, self.sub.replace("-", "").upper(), f"{self.who}@")
        tables = ["BookTrackerTable", "NotesApp", "MediaLibrary", "TrestlePlatform"]
        return [
            (table, item)
            for table in tables
            for item in self.world.scan(table)
            if any(word in str(item) for word in words)
        ]

    def run(self):
        answer = self.world.ask(self.who, "DELETE", "/auth/v1/me")
        expect(answer.status == 202, answer.text)
        self.answered = True
        while self.left():
            pass

    def check(self):
        login = {"email": f"{self.who}@example.org", "password": PASSWORD}
        status = self.world.site.ask("POST", "/auth/v1/login", login).status
        if status not in (200, 401):
            raise AssertionError(f"a sign-in answers {status}")
        if status == 200:
            expect(not self.answered, "it was removed, and is there")
            expect(self.world.all(self.who, f"{APPS['books']}/books"), "no book")
            expect(self.world.all(self.who, f"{APPS['notes']}/notes"), "no note")
        else:
            left = self.left()
            expect(not left, left)


FLOWS = [RemoveABook, ReachPages, Continue, Share, RemoveALibrary, Move, Leave]


def settle(world, flow):
    """Waits until all is as it must be."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        try:
            flow.check()
            return world.verify(flow.apps)
        except Wrong:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def run_whole(world, flow):
    """-> (commits, seconds) that it takes."""
    flow.prepare()
    before, start = world.commits_left(), time.monotonic()
    flow.run()
    taken = before - world.commits_left(), time.monotonic() - start
    settle(world, flow)
    flow.clean()
    return taken


def run_cut(world, flow, commit=None, seconds=None):
    """Runs a flow that is cut off in a commit, or after some time."""
    flow.prepare()
    timer = threading.Timer(seconds or 0, world.process.kill)
    if commit:
        world.end_in_commit(commit)
    else:
        timer.start()
    try:
        flow.run()
    except LOST:
        pass
    timer.cancel()
    world.restart()
    settle(world, flow)
    flow.clean()


def cut_everywhere(world, flow, commits_max, moments):
    start = time.monotonic()
    commits, seconds = run_whole(world, flow)
    chosen = range(1, commits + 1)
    if len(chosen) > commits_max:
        chosen = sorted(random.sample(chosen, commits_max))
    for commit in chosen:
        run_cut(world, flow, commit=commit)
    for _ in range(moments):
        run_cut(world, flow, seconds=random.uniform(0, seconds))
    name = type(flow).__name__
    cuts = f"cut off in {len(chosen)} and at {moments} moments"
    print(f"{name}: {commits} commits, {cuts}, {time.monotonic() - start:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", help="the name of a flow")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    random.seed(options.seed)
    commits_max, moments = (40, 5) if options.long else (2, 1)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        world = World(folder)
        try:
            for flow in FLOWS:
                if options.only in (None, flow.__name__):
                    cut_everywhere(world, flow(world), commits_max, moments)
            world.verify(DESIGNS)
        finally:
            world.stop()
    print(f"{world.kills} kills in {time.monotonic() - start:.0f} s, everything as it must be")


if __name__ == "__main__":
    main()
