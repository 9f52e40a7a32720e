"""Testing, replacing and splitting by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sheliak.expressions.patterns import Matcher, matcher_of
from sheliak.expressions.texts import joined, length_of, units_of
from sheliak.expressions.values import UNDEFINED, RegExp, Value

_REFERENCE: Final = re.compile(
    r"\$(?:(?P<dollar>\$)|(?P<match>&)|(?P<before>`)|(?P<after>')|(?P<number>[0-9]{1,2})|<(?P<name>[^>]*)>)"
)


def tested(regexp: RegExp, text: str) -> bool:
    """regexp.test(text). With g or y it starts where the last success ended, and remembers where this one does."""
    matcher = matcher_of(regexp.pattern, regexp.flags)
    form = matcher.form(text)
    if not {"g", "y"} & set(regexp.flags):
        return matcher.run.search(form) is not None
    found = None
    if regexp.last_index <= length_of(text):
        start = _index_in_form(matcher, text, int(regexp.last_index))
        found = matcher.run.match(form, start) if "y" in regexp.flags else matcher.run.search(form, start)
    regexp.last_index = 0.0 if found is None else float(len(units_of(form[: found.end()])))
    return found is not None


def _index_in_form(matcher: Matcher, text: str, units: int) -> int:
    return len(joined(units_of(text)[:units])) if matcher.by_character else units


def replaced(text: str, pattern: RegExp | str, replacement: str) -> str:
    """text.replace(pattern, replacement): all matches under the flag g, else the first."""
    if isinstance(pattern, str):
        return _replaced_text(units_of(text), units_of(pattern), replacement)
    matcher = matcher_of(pattern.pattern, pattern.flags)
    form = matcher.form(text)
    parts, at = [], 0
    for found in _matches(matcher, pattern, form):
        parts += [form[at : found.start()], _substituted(replacement, found, matcher.names)]
        at = found.end()
    return joined("".join([*parts, form[at:]]))


def _matches(matcher: Matcher, regexp: RegExp, form: str) -> Iterator[re.Match[str]]:
    find = matcher.run.match if "y" in regexp.flags else matcher.run.search
    if "g" not in regexp.flags:
        found = find(form, int(regexp.last_index) if "y" in regexp.flags else 0)
        if "y" in regexp.flags:
            regexp.last_index = float(found.end()) if found else 0.0
        if found:
            yield found
        return
    at = 0
    while at <= len(form) and (found := find(form, at)):
        yield found
        at = found.end() + (found.end() == found.start())
    regexp.last_index = 0.0


def _replaced_text(text: str, pattern: str, replacement: str) -> str:
    found = re.search(re.escape(pattern), text)
    if found is None:
        return joined(text)
    return joined(text[: found.start()] + _substituted(replacement, found, {}) + text[found.end() :])


def _substituted(replacement: str, found: re.Match[str], names: dict[str, int]) -> str:
    """The replacement with its `$` references filled in; one that refers to nothing stays as it is."""
    if "$" not in replacement:
        return replacement
    return _REFERENCE.sub(lambda reference: _referred(reference, found, names), replacement)


def _referred(reference: re.Match[str], found: re.Match[str], names: dict[str, int]) -> str:
    match reference.lastgroup:
        case "dollar":
            return "$"
        case "match":
            return found[0]
        case "before":
            return found.string[: found.start()]
        case "after":
            return found.string[found.end() :]
        case "name":
            if not names:
                return reference[0]
            return (found[names[reference["name"]]] or "") if reference["name"] in names else ""
        case _:
            return _numbered(reference["number"], found)


def _numbered(digits: str, found: re.Match[str]) -> str:
    count = found.re.groups
    for length in (2, 1):
        if len(digits) >= length and 1 <= int(digits[:length]) <= count:
            return (found[int(digits[:length])] or "") + digits[length:]
    return f"${digits}"


def split_by(text: str, regexp: RegExp) -> list[Value]:
    """The parts between matches, and what their groups matched."""
    matcher = matcher_of(regexp.pattern, regexp.flags.replace("y", ""))
    form = matcher.form(text)
    if not form:
        return [] if matcher.run.match(form) else [""]
    parts: list[Value] = []
    start = at = 0
    while at < len(form) and (found := matcher.run.search(form, at)) and found.start() < len(form):
        if found.end() == start:
            at = start + 1
            continue
        parts.append(joined(form[start : found.start()]))
        parts += [UNDEFINED if group is None else joined(group) for group in found.groups()]
        start = at = found.end()
    return [*parts, joined(form[start:])]
