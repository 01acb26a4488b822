"""The text form of a scenario: README.md beside this file describes it."""

import base64
import dataclasses
import json
import pathlib
import re

OPERATION = re.compile(r"([A-Za-z]\w*)\s*(.*)", re.DOTALL)
HTTP_REQUEST = re.compile(r"(GET|PUT|POST|HEAD|OPTIONS|DELETE) (/\S*)\s*(.*)", re.DOTALL)
HEADER = re.compile(r"([A-Za-z][\w-]*):(?: (.*))?$")
WITHIN = re.compile(r"@within (\d+)$")
ANSWER = re.compile(r"(\d{3})(?: +([A-Za-z]\w*))?\s*(~?)\s*(.*)", re.DOTALL)

REPEAT = re.compile(r"@repeat\((.*?),(\d+)\)", re.DOTALL)
BASE64 = re.compile(r"@base64\((.*?)\)", re.DOTALL)
INDEX = re.compile(r"@i(?:\((\d+)\))?(?![\w(])")
TIMES = re.compile(r"@times\((\d+)\)$")
NEST = re.compile(r"@nest\(([LM]),(\d+)\)$")
VARIABLE = re.compile(r"\$([a-z_][a-z0-9_]*)$")
INSIDE = re.compile(r"\$\{([a-z_][a-z0-9_]*)\}")


class FormatError(Exception):
    """The scenario itself is wrong."""


@dataclasses.dataclass
class Request:
    operation: str = ""
    method: str = "POST"
    path: str = "/"
    headers: dict = dataclasses.field(default_factory=dict)
    body: object = None  # JSON, before its helpers are expanded
    raw: str | None = None  # or text that is sent as it stands
    within_seconds: int = 0


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict = dataclasses.field(default_factory=dict)
    error: str | None = None
    partial: bool = False
    body: object = None
    raw: str | None = None
    any_body: bool = False


@dataclasses.dataclass
class Step:
    line: int  # of the request
    text: str  # the request as written, for messages and for --rewrite
    request: Request
    answer: Answer | None
    answer_text: str


def _lines_with(lines, pattern, take):
    """Takes matching lines off the front."""
    while lines and (found := pattern.match(lines[0])):
        take(found)
        lines.pop(0)


def _body(text: str):
    """-> (json, raw text), one of them None"""
    if text.startswith("<<"):
        return None, text[2:]
    if not text.strip():
        return None, ""
    try:
        return json.loads(text), None
    except ValueError as error:
        raise FormatError(f"not JSON: {error}") from error


def parse_request(text: str) -> Request:
    request = Request()
    lines = text.split("\n")

    def add_header(found):
        request.headers[found[1]] = found[2] or ""

    def set_within(found):
        request.within_seconds = int(found[1])

    _lines_with(lines, WITHIN, set_within)
    _lines_with(lines, HEADER, add_header)
    rest = "\n".join(lines)
    if found := HTTP_REQUEST.match(rest):
        request.method, request.path = found[1], found[2]
        request.body, request.raw = _body(found[3])
    elif found := OPERATION.match(rest):
        request.operation = found[1]
        request.body, request.raw = _body(found[2])
    else:
        raise FormatError("a request begins with the name of an operation, or GET /path")
    return request


def parse_answer(text: str) -> Answer:
    headers = {}
    lines = text.split("\n")
    _lines_with(lines, HEADER, lambda found: headers.update({found[1]: found[2] or ""}))
    found = ANSWER.match("\n".join(lines))
    if not found:
        raise FormatError("an answer begins with a status such as 200")
    answer = Answer(int(found[1]), headers, found[2], found[3] == "~")
    answer.any_body = not found[4]
    answer.body, answer.raw = _body(found[4])
    if answer.error and isinstance(answer.body, str):
        answer.body = {"message": answer.body}
    return answer


def parse(text: str) -> list:
    """The steps of a file, and between them the lines that are not steps, as strings."""
    parts = []
    block, first = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        raw = any("<<" in earlier for earlier in block)
        if not line.strip() or (line.startswith("#") and not raw):
            if block:
                parts.append(_step(block, first))
                block = []
            parts.append(line)
        else:
            if not block:
                first = number
            block.append(line.rstrip())
    while parts and parts[-1] == "":
        parts.pop()
    return parts


def _step(lines, first: int) -> Step:
    bar = lines.index("----") if "----" in lines else len(lines)
    text, answer_text = "\n".join(lines[:bar]), "\n".join(lines[bar + 1 :])
    try:
        answer = parse_answer(answer_text) if answer_text else None
        return Step(first, text, parse_request(text), answer, answer_text)
    except FormatError as error:
        raise FormatError(f"line {first}: {error}") from error


def examples(document: str) -> str:
    """The ```scenario blocks of a document, each line where it was."""
    lines, inside = [], False
    for line in document.split("\n"):
        fence = line.startswith("```")
        lines.append(line if inside and not fence else "")
        if fence:
            inside = line.strip() == "```scenario"
    return "\n".join(lines)


def read(file: pathlib.Path) -> list:
    text = file.read_text(encoding="utf-8")
    return parse(examples(text) if file.suffix == ".md" else text)


def expand_text(text: str) -> str:
    text = REPEAT.sub(lambda found: found[1] * int(found[2]), text)
    return BASE64.sub(lambda found: base64.b64encode(found[1].encode()).decode(), text)


def expand(value, variables: dict, index: int | None = None):
    """JSON with its helpers and known variables replaced. A `$name` not yet known stays."""
    if isinstance(value, str):
        if (found := VARIABLE.match(value)) and found[1] in variables:
            return variables[found[1]]
        if index is not None:
            value = INDEX.sub(lambda found: str(index).zfill(int(found[1] or 0)), value)
        value = INSIDE.sub(lambda found: str(variables.get(found[1], found[0])), value)
        return expand_text(value)
    if isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], str) and (found := TIMES.match(value[0])):
            return [expand(value[1], variables, i) for i in range(int(found[1]))]
        return [expand(member, variables, index) for member in value]
    if isinstance(value, dict):
        if len(value) == 1 and (found := NEST.match(next(iter(value)))):
            return _nest(found[1], int(found[2]), expand(next(iter(value.values())), variables))
        return {
            expand(name, {}, index): expand(member, variables, index)
            for name, member in value.items()
        }
    return value


def _nest(kind: str, depth: int, value):
    for _ in range(depth):
        value = {"L": [value]} if kind == "L" else {"M": {"a": value}}
    return value


# What differs from call to call: --rewrite writes "..." in their place.
VOLATILE = {
    "TableId", "TableArn", "IndexArn", "CreationDateTime", "CreationRequestDateTime",
    "LatestStreamArn", "LatestStreamLabel", "StreamArn", "StreamLabel", "ShardId",
    "SequenceNumber", "StartingSequenceNumber", "EndingSequenceNumber", "ShardIterator",
    "NextShardIterator", "ApproximateCreationDateTime", "eventID", "awsRegion",
    "LastUpdateToPayPerRequestDateTime", "LastIncreaseDateTime", "LastDecreaseDateTime",
}  # fmt: skip


def _steady(value):
    if isinstance(value, dict):
        return {k: "..." if k in VOLATILE else _steady(v) for k, v in value.items()}
    return [_steady(member) for member in value] if isinstance(value, list) else value


def layout(value, column: int = 0, width: int = 100) -> str:
    """JSON on one line where it fits, otherwise a member to a line."""
    flat = json.dumps(value, ensure_ascii=False)
    if column + len(flat) <= width or not isinstance(value, (dict, list)) or not value:
        return flat
    pad = "\n" + " " * (column + 1)
    if isinstance(value, list):
        return "[" + f",{pad}".join(layout(v, column + 1, width) for v in value) + "]"
    members = []
    for name, member in value.items():
        start = json.dumps(name, ensure_ascii=False) + ": "
        members.append(start + layout(member, column + 1 + len(start), width))
    return "{" + f",{pad}".join(members) + "}"


def describe(status: int, error: str, body, text: str) -> str:
    """An answer in the scenario's own words."""
    if not isinstance(body, dict):
        return f"{status} <<{text}" if text else f"{status}"
    if not error:
        return f"{status} " + layout(_steady(body), len("200 "))
    rest = {k: v for k, v in body.items() if k not in ("__type", "message", "Message")}
    message = body.get("message", body.get("Message"))
    if not rest:
        return f"{status} {error}" + (f" {layout(message)}" if message is not None else "")
    fields = {"message": message, **rest} if message is not None else rest
    return f"{status} {error} " + layout(_steady(fields), len(f"{status} {error} "))


def write(parts: list, answers: dict) -> str:
    """The file again, with new answers (by line of the request) where given."""
    out = []
    for part in parts:
        if isinstance(part, Step):
            out.append(f"{part.text}\n----\n{answers.get(part.line, part.answer_text)}")
        else:
            out.append(part)
    return "\n".join(out).rstrip("\n") + "\n"
