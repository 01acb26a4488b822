"""What a person or a service manager sees of the program: its words and its exit codes."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = None  # set by main

THINGS = """design Things version 1
param Stage = "dev"

table "things-{Stage}" {
  key pk, sk
  pitr on
  index GSI1 (a, b) project all
}

entity Thing {
  key pk "THING#{id}" sk "THING"
  id : id
}
"""

NOTES = """design Notes version 1
table "notes" {
  key pk, sk
  discriminate by attribute kind
  stream new_and_old
}
entity User {
  type "USER"
  key pk "USER#{user}" sk "PROFILE"
  user : id immutable
  name : string(1..50)
}
entity Note {
  type "NOTE"
  key pk "USER#{user}" sk "NOTE#{id}"
  user  : id immutable
  id    : id immutable
  order : int(0..)
  name  : string(1..50) derived_copy
  belongs_to User by (user) {
    must_exist
    copy name = name
    on_delete cascade
    through notesOf
  }
}
access getUser(user) -> User = get
access getNote(user, id) -> Note = get
access notesOf(user) -> Note* = query table pk "USER#{user}" sk begins "NOTE#" order either
"""


def run(*arguments, cwd=None):
    return subprocess.run(
        [BINARY, *arguments], cwd=cwd, capture_output=True, text=True, timeout=30, check=False
    )


STOP_SECONDS = 15


class Server:
    """A running server; ended with SIGTERM unless the test ended it."""

    def __init__(self, *arguments, cwd=None):
        self.process = subprocess.Popen(
            [BINARY, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.start = ""
        while "list-tables" not in self.start:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"no start: {self.start} {self.process.stderr.read()}")
            self.start += line
        self.port = int(re.search(r"https?://[^ \n]*:(\d+)", self.start).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(STOP_SECONDS)
        self.process.stdout.close()
        self.process.stderr.close()


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refused(self, code, part, *arguments):
        done = run(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stdout, "")
        self.assertIn(part, done.stderr)
        self.assertTrue(done.stderr.startswith("trestle: "), done.stderr)
        self.assertRegex(done.stderr, r"^[^\n]*[^.\n]\.\n$", "one plain line with one full stop")

    def test_version_and_help(self):
        for arguments in (["version"], ["--version"], ["-version"], ["serve", "--version"]):
            self.assertRegex(run(*arguments).stdout, r"^Trestle \d+\.\d+\.\d+\n$")
        for arguments in (["help"], ["--help"], ["-help"], ["-h"], ["serve", "--help"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 0)
            self.assertIn("--in-memory", done.stdout)

    def test_wrong_usage_ends_with_2(self):
        self.refused(2, "needs a command")
        self.refused(2, "import is not a command", "import")
        self.refused(2, "--nope is not a flag", "serve", "--nope")
        self.refused(2, "-nope is not a flag", "-nope")
        self.refused(2, "must be embedded or dynamodb", "serve", "--store", "1")
        self.refused(2, "exclude each other", "serve", "--in-memory", "--data", "x")
        self.refused(2, "give --access-keys", "serve", "--in-memory", "--bind", "0.0.0.0")
        self.refused(2, "must be a number", "healthcheck", "--port", "x")
        self.refused(2, "design needs a command", "design")
        self.refused(2, "draw is not a command of design", "design", "draw")
        self.refused(2, "design check needs one FILE", "design", "check")
        self.refused(
            2, "--backend x is not a flag of design check", "design", "check", "a", "--backend", "x"
        )
        self.refused(2, "design format needs one FILE", "design", "format")
        self.refused(2, "design to-json needs one FILE", "design", "to-json", "a", "b")
        self.refused(2, "is not a flag of design to-json", "design", "to-json", "--check", "a")
        self.refused(2, "cannot read absent", "design", "format", "absent")
        self.refused(2, "design apply needs one FILE", "design", "apply", "--data", "x")
        self.refused(2, "design apply needs one FILE", "design", "apply", "a", "b", "--data", "x")
        self.refused(2, "needs --data DIR, --endpoint URL or --region R", "design", "apply", "a")
        self.refused(2, "--data needs an argument", "design", "apply", "a", "--data")
        self.refused(2, "--data excludes", "design", "apply", "a", "--data", "x", "--region", "r")
        self.refused(2, "Name=value", "design", "apply", "a", "--set", "x", "--data", "x")
        self.refused(2, "--dry is not a flag of design apply", "design", "apply", "a", "--dry")
        self.refused(2, "cannot read absent", "design", "apply", "absent", "--data", "x")
        self.refused(2, "needs --from TABLE and --map", "design", "adopt", "a", "--data", "x")
        self.refused(2, "design explain needs one FILE", "design", "explain")
        self.refused(2, "is not a flag of design explain", "design", "explain", "a", "--data")
        self.refused(2, "design run needs an access", "design", "run", "a", "--data", "x")
        self.refused(2, "design verify needs one FILE", "design", "verify", "a", "b", "--data", "x")
        self.refused(2, "cannot read", "serve", "--in-memory", "--access-keys", "absent")
        self.refused(2, "absent", "serve", "--in-memory", "--tls-cert", "absent", "--tls-key", "x")
        self.assertEqual(list(self.folder.iterdir()), [], "nothing was made")

    def test_apply_plans_makes_and_refuses_a_table(self):
        design = self.folder / "things.design"
        design.write_text(THINGS)
        apply = ["design", "apply", str(design), "--data", str(self.folder / "data")]

        plan = run(*apply, "--set", "Stage=test", "--plan")
        self.assertEqual(plan.returncode, 0, plan.stderr)
        self.assertIn("Plan for table things-test:\n  Creates the table things-test", plan.stdout)
        self.assertIn("Not in force:\n  Point-in-time recovery", plan.stdout)
        self.assertFalse((self.folder / "data").exists(), "a plan makes nothing")

        made = run(*apply)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("Creates the table things-dev", made.stdout)
        self.assertIn("Done.\n", made.stdout)
        self.assertIn("is as the design wants it", run(*apply).stdout)

        design.write_text(THINGS.replace("index GSI1 (a, b)", "index GSI1 (b, a)"))
        refused = run(*apply)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("Give the new index another name", refused.stderr)
        self.refused(1, "no parameter Stags", *apply, "--set", "Stags=x")
        design.write_text("design")
        self.assertEqual(run(*apply).returncode, 1)

    def test_a_design_is_explained_run_and_verified(self):
        design = self.folder / "notes.design"
        design.write_text(NOTES)
        place = ["--data", str(self.folder / "data")]
        explained = run("design", "explain", str(design), "notesOf", "--set", "user=u1")
        self.assertEqual(explained.returncode, 0, explained.stderr)
        self.assertIn('":v0":{"S":"USER#u1"}', explained.stdout)
        self.assertIn("aws dynamodb query", explained.stdout)
        self.refused(2, "no access pattern draw", "design", "explain", str(design), "draw")

        self.refused(1, "notes", "design", "verify", str(design), *place)
        self.assertEqual(run("design", "apply", str(design), *place).returncode, 0)

        def call(*words):
            done = run("design", "run", str(design), *words, *place)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        call("create", "User", "user=u1", "name=Ada")
        for number in ("1", "2", "3"):
            call("create", "Note", "user=u1", "id=n" + number, "order=" + number)
        page = call("notesOf", "user=u1", "--limit", "2", "--descending")
        self.assertEqual([it["attributes"]["id"] for it in page["items"]], ["n3", "n2"])
        rest = call("notesOf", "user=u1", "--descending", "--cursor", page["cursor"])
        self.assertEqual([it["attributes"]["name"] for it in rest["items"]], ["Ada"])
        self.assertNotIn("cursor", rest)
        call("update", "User", "user=u1", "name=Bob")
        copied = call("get", "Note", "user=u1", "id=n1")["items"][0]
        self.assertEqual(copied["attributes"]["name"], "Bob", "what follows is done before it ends")
        call("delete", "User", "user=u1")
        self.assertEqual(call("notesOf", "user=u1"), {"items": []})
        self.refused(1, "order must", "design", "run", str(design), "create", "Note", "user=u1",
                     "id=n1", "order=x", *place)
        verified = run("design", "verify", str(design), "--repair", *place)
        self.assertEqual(verified.returncode, 0, verified.stderr)
        self.assertEqual(verified.stdout, "0 items, 0 drifts, 0 mended\n")

    def test_keys_that_others_may_read_are_refused(self):
        keys = self.folder / "keys"
        keys.write_text("AKID canary-secret\n")
        keys.chmod(0o644)
        self.refused(2, "chmod 600", "serve", "--in-memory", "--access-keys", str(keys))
        keys.chmod(0o600)
        keys.write_text("AKID\n")
        self.refused(2, "line 1", "serve", "--in-memory", "--access-keys", str(keys))

    def test_start_says_what_there_is(self):
        with Server("serve", "--port", "0", cwd=self.folder) as server:
            self.assertRegex(server.start, r"^Trestle \d")
            self.assertIn(str(self.folder / "trestle-data"), server.start)
            self.assertIn("sync: a write is acknowledged when it is on disk", server.start)
            self.assertIn("data is not encrypted at rest", server.start)
            url = f"http://127.0.0.1:{server.port}"
            self.assertIn(f"DynamoDB API  {url}\n", server.start)
            self.assertIn(
                "AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local aws dynamodb list-tables "
                f"--endpoint-url {url} --region us-east-1\n",
                server.start,
            )
        with Server("serve", "--port", "0", "--durability", "relaxed", cwd=self.folder) as server:
            self.assertIn("RELAXED: a power cut can take back", server.start)

    def test_flags_of_dynamodb_local_need_no_command(self):
        with Server("-inMemory", "-port", "0", "-sharedDb", cwd=self.folder) as server:
            self.assertIn("in memory: it is gone", server.start)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_enforced_keys_are_not_printed(self):
        keys = self.folder / "keys"
        keys.write_text("AKID canary-secret\n")
        keys.chmod(0o600)
        flags = ["--in-memory", "--port", "0", "--bind", "0.0.0.0", "--access-keys", str(keys)]
        with Server("serve", *flags) as server:
            self.assertIn("Signatures    enforced", server.start)
            self.assertNotIn("AWS_SECRET_ACCESS_KEY", server.start)
            self.assertNotIn("canary", server.start)
            self.assertEqual(run("healthcheck", "--port", str(server.port)).returncode, 0)

    def test_healthcheck(self):
        with Server("serve", "--in-memory", "--port", "0") as server:
            done = run("healthcheck", "--port", str(server.port))
            self.assertEqual((done.returncode, done.stdout), (0, "healthy\n"), done.stderr)
        self.refused(1, "no answer", "healthcheck", "--port", str(server.port))

    def test_bench_measures_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("bench", "--items", "200", "--seconds", "1", "--data", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for request in ("BatchWriteItem", "GetItem", "Query", "PutItem", "UpdateItem"):
                self.assertRegex(done.stdout, rf"(?m)^{request}.* +\d+ +\d+ +\d+ +\d+\.\d$")
            self.assertEqual(os.listdir(folder), [])
            bench = subprocess.Popen(
                [BINARY, "bench", "--seconds", "60", "--data", folder],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            bench.stdout.readline()
            bench.send_signal(signal.SIGTERM)
            said = bench.communicate(timeout=60)[1]
            self.assertRegex(said, "closed a connection|cannot connect")
            self.assertEqual((bench.returncode, os.listdir(folder)), (1, []))
        self.refused(1, "cannot make a folder", "bench", "--data", folder)
        self.refused(2, "from 100 to", "bench", "--items", "5")

    def test_a_folder_in_use_ends_with_3(self):
        data = str(self.folder / "data")
        with Server("serve", "--data", data, "--port", "0") as server:
            self.refused(3, data, "serve", "--data", data, "--port", "0")
            self.assertEqual(run("healthcheck", "--port", str(server.port)).returncode, 0)

    def test_a_foreign_folder_ends_with_4_and_is_left_alone(self):
        (self.folder / "letter.txt").write_text("mine")
        self.refused(4, str(self.folder), "serve", "--data", str(self.folder), "--port", "0")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["letter.txt"])

    def test_an_address_in_use_ends_with_5(self):
        with Server("serve", "--in-memory", "--port", "0") as server:
            self.refused(5, str(server.port), "serve", "--in-memory", "--port", str(server.port))

    def test_either_signal_ends_it_with_0(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with Server("serve", "--in-memory", "--port", "0") as server:
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(10), 0)

    def test_a_hangup_does_not_end_it(self):
        with Server("serve", "--in-memory", "--port", "0") as server:
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(run("healthcheck", "--port", str(server.port)).returncode, 0)
            server.process.terminate()
            self.assertEqual(server.process.wait(10), 0)

    def test_a_slow_client_delays_the_end_and_a_second_signal_does_not_wait(self):
        for second_signal in (False, True):
            with Server("serve", "--in-memory", "--port", "0") as server:
                with socket.create_connection(("127.0.0.1", server.port)) as client:
                    client.sendall(
                        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
                    )
                    time.sleep(0.2)
                    began = time.monotonic()
                    server.process.terminate()
                    if second_signal:
                        time.sleep(0.5)
                        self.assertIsNone(server.process.poll(), "it waits for the request")
                        server.process.terminate()
                        self.assertEqual(server.process.wait(10), -signal.SIGTERM)
                        self.assertLess(time.monotonic() - began, 3)
                    else:
                        self.assertEqual(server.process.wait(15), 0)
                        self.assertLess(time.monotonic() - began, 11)


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv.pop(1))
    unittest.main()
