"""Designs in files: the canonical text and the diagnostics of those in testdata/, and what the
designs of the applications promise. `--rewrite` writes the expected files from what the program
says, for review."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTDATA = pathlib.Path(__file__).parent / "testdata"
GOOD = sorted(TESTDATA.glob("good/*.design"))
BAD = sorted(TESTDATA.glob("bad/*.design"))
APPS = sorted(ROOT.glob("src/apps/*/*.design")) + [ROOT / "src/platform/platform.design"]
CHECKED = sorted((ROOT / "src/design/checks/testdata").glob("*.design"))
SCHEMA = json.loads((ROOT / "docs/design/design.schema.json").read_text(encoding="utf-8"))

BINARY = None  # set by main
REWRITE = False


def design(command, file, *flags):
    return subprocess.run(
        [BINARY, "design", command, *flags, file.name],
        cwd=file.parent,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def objects_in(value):
    """Every object of a JSON document, outermost first."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            yield from objects_in(element)


class Files(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, name, text):
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def expect(self, file, text):
        if REWRITE:
            file.write_text(text, encoding="utf-8")
        self.assertEqual(text, file.read_text(encoding="utf-8"), file)

    def canonical(self, file):
        done = design("format", file)
        self.assertEqual((done.returncode, done.stderr), (0, ""), file)
        return done.stdout

    def twin(self, file):
        done = design("to-json", file)
        self.assertEqual((done.returncode, done.stderr), (0, ""), file)
        return json.loads(done.stdout)

    def test_there_is_something_to_test(self):
        self.assertEqual(len(APPS), 6)
        self.assertTrue(GOOD and BAD and CHECKED)

    def test_good_designs_have_their_canonical_text(self):
        for file in GOOD:
            self.expect(file.with_suffix(".canonical"), self.canonical(file))

    def test_a_canonical_text_stays_as_it_is(self):
        for file in GOOD + APPS:
            text = self.canonical(file)
            again = self.written("canonical.design", text)
            self.assertEqual(self.canonical(again), text, file)
            self.assertEqual(design("format", again, "--check").returncode, 0, file)
            self.assertEqual(self.twin(again), self.twin(file), file)

    def test_bad_designs_have_their_diagnostics(self):
        for file in BAD:
            done = design("format", file)
            self.assertEqual((done.returncode, done.stdout), (1, ""), file)
            self.expect(file.with_suffix(".txt"), done.stderr)
            self.assertEqual(design("to-json", file).stderr, done.stderr, file)

    def test_applications_have_canonical_designs(self):
        for file in APPS:
            self.assertEqual(self.canonical(file), file.read_text(encoding="utf-8"), file)

    def test_applications_check_clean(self):
        for file in APPS:
            done = design("check", file)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), file)

    def test_checks_find_every_mistake_at_its_place(self):
        for file in CHECKED:
            done = design("check", file)
            self.assertEqual((done.returncode, done.stdout), (1, ""), file)
            self.expect(file.with_suffix(".txt"), done.stderr)
            self.assertEqual(design("cost", file).returncode, 1, file)
            # A comment on the line names the codes that are said there.
            lines = file.read_text(encoding="utf-8").splitlines()
            wanted = {
                (number, code)
                for number, line in enumerate(lines, 1)
                for code in re.findall(r"\b[A-Z]\d+\b", line.partition(" // ")[2])
            }
            said = {
                (int(line), code)
                for line, code in re.findall(r":(\d+):\d+: \w+ ([A-Z]\d+): ", done.stderr)
            }
            self.assertEqual(said, wanted, file)

    def test_a_back_end_without_transactions_is_named_for_what_weakens(self):
        for file in APPS:
            done = design("check", file, "--backend", "alternator")
            self.assertEqual((done.returncode, done.stdout), (0, ""), file)
            self.assertRegex(done.stderr, r": warning B\d: ", file)
            self.assertNotRegex(done.stderr, r": warning [^B]", file)

    def test_costs_are_a_table_with_every_access_pattern(self):
        for file in APPS:
            done = design("cost", file)
            self.assertEqual((done.returncode, done.stderr), (0, ""), file)
            patterns = re.findall(
                r"^(?:external )?access (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE
            )
            rows = re.findall(r"^access (\w+) +[-\d.,]+ +[-\d.,]+  \S", done.stdout, re.MULTILINE)
            self.assertEqual(rows, patterns, file)

    def test_the_tour_shows_canonical_designs(self):
        tour = (ROOT / "docs/design/tour.md").read_text(encoding="utf-8")
        steps = re.findall(r"^```design\n(.*?)^```", tour, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(steps), 2)
        for text in steps:
            self.assertEqual(self.canonical(self.written("tour.design", text)), text)

    def test_a_file_that_is_not_canonical_fails_the_check(self):
        done = design("format", GOOD[0], "--check")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not in canonical form", done.stderr)

    def test_the_json_twin_gives_the_text_back(self):
        for file in GOOD + APPS:
            twin = self.written("twin.json", json.dumps(self.twin(file)))
            done = design("from-json", twin)
            self.assertEqual((done.returncode, done.stderr), (0, ""), file)
            self.assertEqual(done.stdout, self.canonical(file), file)

    def test_the_json_twin_meets_its_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        for file in GOOD + APPS:
            jsonschema.Draft202012Validator(SCHEMA).validate(self.twin(file))

    def test_the_schema_and_the_program_refuse_the_same(self):
        """Of every kind of object: one with a member too many, and one with each member gone."""
        seen = set()
        every = self.twin(TESTDATA / "good/every_construct.design")
        for declaration in every["declarations"]:
            twin = {"design": "D", "version": 1, "declarations": [declaration]}
            for number, original in enumerate(objects_in(twin)):
                shape = (original.get("kind"), *sorted(original))
                if shape not in seen:
                    seen.add(shape)
                    self.check_refusals(twin, number, original)
        self.assertGreater(len(seen), 100)

    def check_refusals(self, twin, number, original):
        validator = jsonschema.Draft202012Validator(SCHEMA)
        for change in ["unknown", *original]:
            changed_twin = copy.deepcopy(twin)
            changed = list(objects_in(changed_twin))[number]
            if change == "unknown":
                changed["unknown"] = 1
            else:
                del changed[change]
            done = design("from-json", self.written("changed.json", json.dumps(changed_twin)))
            self.assertIn(done.returncode, (0, 1))
            self.assertEqual(
                done.returncode == 0, validator.is_valid(changed_twin), (original, change, done)
            )

    def test_a_wrong_twin_is_refused_with_its_place(self):
        file = self.written("wrong.json", '{"design": "D", "version": "1"}')
        done = design("from-json", file)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(
            done.stderr, "wrong.json: error S8: at /version: expected a whole number\n"
        )


if __name__ == "__main__":
    REWRITE = "--rewrite" in sys.argv
    BINARY = str(pathlib.Path(next(a for a in sys.argv[1:] if not a.startswith("-"))).resolve())
    unittest.main(argv=sys.argv[:1])
