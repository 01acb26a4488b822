"""What differs between the answer a scenario expects and the one that came."""

import json
import re

from scenario import VARIABLE

SETS = {"SS", "NS", "BS"}
LIKE = re.compile(r"@like\((.*)\)$", re.DOTALL)
ANY_ORDER = "@any-order"


def _brief(value) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-80:]} ({len(text)} characters)"


def differences(expected, actual, variables: dict, partial=False, path="") -> list[str]:
    """Sentences, none if they agree. Captures variables on the way."""
    where = path or "the answer"
    if isinstance(expected, str):
        if expected == "...":
            return []
        if found := VARIABLE.match(expected):
            variables[found[1]] = actual
            return []
        if (found := LIKE.match(expected)) and isinstance(actual, str):
            pattern = ".*".join(re.escape(piece) for piece in found[1].split("..."))
            if re.fullmatch(pattern, actual, re.DOTALL):
                return []
    if type(expected) is not type(actual) and not _both_numbers(expected, actual):
        return [f"{where}: expected {_brief(expected)}, got {_brief(actual)}"]
    if isinstance(expected, dict):
        if len(expected) == 1 and expected.keys() == actual.keys() and SETS & expected.keys():
            name = next(iter(expected))
            if isinstance(expected[name], list) and isinstance(actual[name], list):
                return _unordered(expected[name], actual[name], variables, partial, path)
        return _members(expected, actual, variables, partial, path)
    if isinstance(expected, list):
        if expected[:1] == [ANY_ORDER]:
            return _unordered(expected[1:], actual, variables, partial, path)
        return _elements(expected, actual, variables, partial, path)
    if expected != actual:
        return [f"{where}: expected {_brief(expected)}, got {_brief(actual)}"]
    return []


def _both_numbers(left, right) -> bool:
    return type(left) in (int, float) and type(right) in (int, float)


def _members(expected, actual, variables, partial, path) -> list[str]:
    found = []
    for name, value in expected.items():
        inner = f"{path}.{name}" if path else name
        if name in actual:
            found += differences(value, actual[name], variables, partial, inner)
        else:
            found.append(f"{inner}: missing, expected {_brief(value)}")
    if not partial:
        found += [
            f"{path}.{name}: not expected, got {_brief(value)}".lstrip(".")
            for name, value in actual.items()
            if name not in expected
        ]
    return found


def _elements(expected, actual, variables, partial, path) -> list[str]:
    if len(expected) != len(actual):
        return [f"{path}: expected {len(expected)} elements, got {len(actual)}: {_brief(actual)}"]
    return [
        difference
        for index, (left, right) in enumerate(zip(expected, actual))
        for difference in differences(left, right, variables, partial, f"{path}[{index}]")
    ]


def _unordered(expected, actual, variables, partial, path) -> list[str]:
    left_over, found = list(actual), []
    for value in expected:
        for index, candidate in enumerate(left_over):
            captured = dict(variables)
            if not differences(value, candidate, captured, partial):
                variables.update(captured)
                del left_over[index]
                break
        else:
            found.append(f"{path}: expected {_brief(value)} among them")
    return found + [f"{path}: not expected {_brief(value)}" for value in left_over]
