"""Runs conformance scenarios against a DynamoDB endpoint. README.md describes their form."""

import argparse
import contextlib
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import compare  # noqa: E402
import endpoint  # noqa: E402
import scenario  # noqa: E402
import server  # noqa: E402

CHANGES_A_TABLE = {"CreateTable", "UpdateTable", "DeleteTable"}


def expand_answer(answer: scenario.Answer, variables: dict) -> scenario.Answer:
    return scenario.Answer(
        answer.status,
        answer.headers,
        answer.error,
        answer.partial,
        scenario.expand(answer.body, variables),
        scenario.expand_text(answer.raw) if answer.raw is not None else None,
        answer.any_body,
    )


def judge(expected: scenario.Answer, reply: endpoint.Reply, variables: dict) -> list[str]:
    """What is wrong with a reply, as sentences. Captures variables if nothing is."""
    found = []
    if reply.status != expected.status:
        found.append(f"status: expected {expected.status}, got {reply.status}")
    if expected.error and reply.error != expected.error:
        found.append(f"error: expected {expected.error}, got {reply.error or 'none'}")
    for name, value in expected.headers.items():
        actual = reply.headers.get(name) or ""
        if actual != value and not (value == "..." and actual):
            found.append(f"header {name}: expected {value!r}, got {actual!r}")
    if reply.crc32_wrong:
        found.append("header x-amz-crc32 does not fit the body")
    if found or expected.any_body:
        return found
    if expected.raw is not None:
        if reply.text.rstrip("\n") != expected.raw:
            found.append(f"body: expected {expected.raw!r}, got {reply.text!r}")
        return found
    actual = reply.body
    if expected.error and isinstance(actual, dict):
        actual = {k: v for k, v in actual.items() if k not in ("__type", "Message")}
        if "Message" in reply.body:
            actual["message"] = reply.body["Message"]
    captured = dict(variables)
    found = compare.differences(expected.body, actual, captured, expected.partial)
    if not found:
        variables.update(captured)
    return found


class Run:
    def __init__(self, target: endpoint.Endpoint, rewrite: bool, patience: int):
        self.target = target
        self.rewrite = rewrite
        self.patience = patience
        self.passed = 0
        self.failed = 0

    def file(self, file: pathlib.Path):
        try:
            parts = scenario.read(file)
            if not parts:
                return
            self.target.delete_all_tables()
        except (scenario.FormatError, OSError, RuntimeError) as error:
            self._fail(f"{file.name}: {error}")
            return
        variables, answers = {}, {}
        for step in parts:
            if isinstance(step, scenario.Step):
                answer = self._step(file, step, variables)
                if answer:
                    answers[step.line] = answer
        if self.rewrite and answers and file.suffix == ".txt":
            file.write_text(scenario.write(parts, answers), encoding="utf-8")

    def _step(self, file, step, variables) -> str | None:
        """-> the answer that came, if it is not the one expected"""
        try:
            reply, problems = self._until_right(step, variables)
        except (OSError, ValueError, RuntimeError, endpoint.http.client.HTTPException) as error:
            self._fail(f"{file.name}:{step.line}: {type(error).__name__}: {error}\n{step.text}")
            return None
        if not problems:
            self.passed += 1
            return None
        got = scenario.describe(reply.status, reply.error, reply.body, reply.text)
        if self.rewrite:
            print(f"{file.name}:{step.line}: rewritten")
            return got
        shown = got if len(got) <= 2000 else f"{got[:2000]} ... ({len(got)} characters)"
        lines = "".join(f"\n  {problem}" for problem in problems[:10])
        self._fail(f"{file.name}:{step.line}:\n{step.text}\n----{lines}\ngot: {shown}")
        return None

    def _until_right(self, step, variables):
        seconds = max(step.request.within_seconds, self.patience)
        deadline = time.monotonic() + seconds
        while True:
            reply = self._send(step.request, variables)
            if step.answer is None:
                return reply, ["the scenario has no answer; --rewrite fills it in"]
            problems = judge(expand_answer(step.answer, variables), reply, variables)
            if not problems or time.monotonic() > deadline:
                return reply, problems
            time.sleep(0.05)

    def _send(self, request: scenario.Request, variables) -> endpoint.Reply:
        body = scenario.expand(request.body, variables)
        if request.raw is not None:
            payload = scenario.expand_text(request.raw).encode("utf-8", "surrogateescape")
        else:
            payload = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        reply = self.target.send(
            request.operation, request.method, request.path, payload, request.headers
        )
        if request.operation in CHANGES_A_TABLE and reply.status == 200 and body:
            self.target.settle(body["TableName"])
        return reply

    def _fail(self, text: str):
        self.failed += 1
        print(f"FAILED {text}\n", flush=True)


def all_files() -> list[pathlib.Path]:
    """The scenarios here, and the examples of the reference pages."""
    pages = server.ROOT / "docs/reference"
    return sorted(HERE.glob("*.txt")) + sorted(pages.glob("*.md"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endpoint", help="without it a server is started for the run")
    parser.add_argument("--rewrite", action="store_true", help="put what came in wrong answers")
    parser.add_argument(
        "--patience", type=int, default=0, help="seconds a request is repeated until it fits"
    )
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="all scenarios here if none")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        url = options.endpoint or stack.enter_context(server.Server()).endpoint
        run = Run(endpoint.Endpoint(url), options.rewrite, options.patience)
        for file in options.files or all_files():
            run.file(file)
    print(f"{run.passed} passed, {run.failed} failed")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
