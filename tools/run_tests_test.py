"""What ./test makes of the output of each kind of test."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import run_tests  # noqa: E402


class CountsTest(unittest.TestCase):
    def assert_adds(self, output, status, passed, failures):
        part = run_tests.Part("part")
        part.add("it", output, status)
        self.assertEqual((part.passed, part.failures), (passed, failures))

    def test_googletest(self):
        self.assert_adds("[==========] 3 tests ran.\n[  PASSED  ] 3 tests.\n", 0, 3, [])
        output = (
            "[  FAILED  ] Put.Refuses (0 ms)\n[  PASSED  ] 2 tests.\n"
            "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Put.Refuses\n"
        )
        self.assert_adds(output, 1, 2, ["it: Put.Refuses"])

    def test_a_program_that_dies_after_its_tests_has_failed(self):
        self.assert_adds("[  PASSED  ] 3 tests.\n==1==ERROR: leak\n", 1, 3, ["it: exit code 1"])

    def test_a_program_without_counts_is_one_test(self):
        self.assert_adds("all well\n", 0, 1, [])
        self.assert_adds("not well\n", 1, 0, ["it: exit code 1"])

    def test_nothing_run_is_nothing_passed(self):
        self.assert_adds("0 passed, 0 failed\n", 0, 0, [])

    def test_unittest(self):
        self.assert_adds("Ran 5 tests in 0.1s\n\nOK (skipped=2)\n", 0, 3, [])
        output = (
            "FAIL: test_a (x.T.test_a)\nERROR: test_b (x.T.test_b)\n"
            "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1)\n"
        )
        self.assert_adds(output, 1, 3, ["it: test_a (x.T.test_a)", "it: test_b (x.T.test_b)"])

    def test_node(self):
        self.assert_adds("    ok 1 - a\n# pass 1\n# fail 0\n# cancelled 0\n", 0, 1, [])
        self.assert_adds(
            "    not ok 1 - a\nnot ok 1 - the suite\n# pass 0\n# fail 1\n# cancelled 0\n",
            1,
            0,
            ["it: a"],
        )

    def test_scenarios(self):
        self.assert_adds("FAILED put_item.txt:3:\nPutItem {}\n7 passed, 1 failed\n", 1, 7,
                         ["it: put_item.txt:3"])  # fmt: skip

    def test_failures_without_names_are_counted_too(self):
        part = run_tests.Part("part")
        part.add("it", "1 passed, 3 failed\n", 1)
        self.assertEqual(len(part.failures), 3)


if __name__ == "__main__":
    unittest.main()
