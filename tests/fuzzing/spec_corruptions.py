"""Random damage to a spec: to its values, to the small languages inside its texts, to its own text."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from fuzzing.expression_texts import Texts
from fuzzing.odd_values import NAMES, WRAPPERS, Json, odd_name, odd_value

_ROWS_LOOKED_AT = 4
_FORMATS: tuple[Json, ...] = (
    *({"type": "csv"}, {"type": "tsv"}, {"type": "dsv"}, {"type": "dsv", "delimiter": "|"}, {"type": "dsv", "delimiter": ""}),
    *({"type": "json", "property": "a.b"}, {"type": "json", "property": ["a"]}, {"type": "json", "copy": "x", "property": ""}),
    *(
        {"type": "topojson", "feature": "land"},
        {"type": "topojson", "mesh": "none"},
        {"type": "topojson"},
        {"type": "topojson", "feature": 3},
    ),
    *(
        {"type": "parquet"},
        {"type": "arrow"},
        {"type": 5},
        {"type": None},
        "csv",
        [],
        {"parse": "auto"},
        {"parse": {"a": "number", "zz": "date"}},
    ),
    *(
        {"parse": {"a": "date:'%Q"}},
        {"parse": []},
        {"type": "csv", "header": ["x", 1]},
        {"type": "csv", "parse": {"a": {"signal": "s"}}},
    ),
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A value's place: what holds it, and under which key or index."""

    holder: dict[str, Json] | list[Json]
    key: str | int

    @property
    def value(self) -> Json:
        return self.holder[self.key]  # type: ignore[call-overload,index,no-any-return]

    def put(self, value: Json) -> None:
        self.holder[self.key] = value  # type: ignore[call-overload,index]

    def remove(self) -> None:
        del self.holder[self.key]  # type: ignore[arg-type]


def slots(value: Json) -> Iterator[Slot]:
    """Every place below a value; of long lists only the first few elements."""
    if isinstance(value, dict):
        for key in value:
            yield Slot(value, key)
            yield from slots(value[key])
    elif isinstance(value, list):
        for index in range(min(len(value), _ROWS_LOOKED_AT) if value and not _is_list_of_sections(value) else len(value)):
            yield Slot(value, index)
            yield from slots(value[index])


def _is_list_of_sections(value: list[Json]) -> bool:
    return isinstance(value[0], dict) and not value[0].keys().isdisjoint(("name", "type", "scale", "signal", "events"))


class Corruptions:
    """Damage to the values of one spec."""

    def __init__(self, random: Random, samples: Mapping[str, Sequence[Json]], urls: Sequence[str]) -> None:
        self.random = random
        self.samples = samples
        self.urls = urls
        self.texts = Texts(random.randrange(2**32))
        self.found: list[Slot] = []

    def damaged(self, spec: Json) -> Json:
        """The spec after one to five changes."""
        root: dict[str, Json] = {"": spec}
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3, 5))):
            self.found = [*slots(root.setdefault("", None))] or [Slot(root, "")]
            self.random.choice(_CHANGES)(self)
        return root.get("")

    def slot(self) -> Slot:
        return self.random.choice(self.found)

    def text_slot(self) -> Slot:
        """A place that holds text, if one is met soon."""
        slot = self.slot()
        for _ in range(8):
            if isinstance(slot.value, str):
                break
            slot = self.slot()
        return slot

    def slot_under(self, *keys: str) -> Slot:
        """A place under one of the keys, if there is one."""
        among = [slot for slot in self.found if slot.key in keys]
        return self.random.choice(among or self.found)

    # The tree

    def remove(self) -> None:
        self.slot().remove()

    def retype(self) -> None:
        self.slot().put(odd_value(self.random))

    def duplicate(self) -> None:
        slot = self.slot()
        self._insert(slot.holder, slot.key, slot.value)

    def _insert(self, holder: dict[str, Json] | list[Json], key: str | int, value: Json) -> None:
        value = copy.deepcopy(value)
        if isinstance(holder, list):
            holder.insert(self.random.randint(0, len(holder)), value)
        else:
            holder[self._key(key)] = value

    def _key(self, key: str | int) -> str:
        roll = self.random.random()
        if roll < 0.4:
            return str(key)
        if roll < 0.8:
            return self.random.choice([*self.samples]) if self.samples else "data"
        return odd_name(self.random)

    def swap(self) -> None:
        one, other = self.slot(), self.slot()
        first, second = copy.deepcopy(one.value), copy.deepcopy(other.value)
        one.put(second)
        other.put(first)

    def move(self) -> None:
        """A subtree to another section."""
        slot = self.slot()
        value = copy.deepcopy(slot.value)
        self.copy_from(slot, value)
        if slot.key in slot.holder if isinstance(slot.holder, dict) else int(slot.key) < len(slot.holder):
            slot.remove()

    def copy_from(self, slot: Slot, value: Json) -> None:
        target = self.slot()
        holder = target.value if isinstance(target.value, dict | list) and self.random.random() < 0.5 else target.holder
        self._insert(holder, slot.key, value)

    def rename(self) -> None:
        slot = self.slot()
        if isinstance(slot.holder, dict):
            value = slot.value
            slot.remove()
            slot.holder[self._key("")] = value

    def wrap(self) -> None:
        slot = self.slot()
        slot.put({self.random.choice(WRAPPERS): slot.value} if self.random.random() < 0.8 else [slot.value, slot.value])

    def unwrap(self) -> None:
        slot = self.slot()
        if isinstance(slot.value, dict | list) and slot.value:
            inner = list(slot.value.values()) if isinstance(slot.value, dict) else slot.value
            slot.put(self.random.choice(inner))

    def transplant(self) -> None:
        """What another spec has under the same key."""
        slot = self.slot()
        if samples := self.samples.get(str(slot.key)):
            slot.put(copy.deepcopy(self.random.choice(samples)))

    def add_member(self) -> None:
        slot = self.slot()
        if isinstance(slot.holder, dict) and self.samples:
            key = self.random.choice([*self.samples])
            slot.holder[key] = copy.deepcopy(self.random.choice(self.samples[key] or [None]))

    # Names and texts

    def collide(self) -> None:
        """One text of the spec in the place of another: names that collide, sources and signals that refer to themselves."""
        one, other = self.text_slot(), self.text_slot()
        if isinstance(one.value, str):
            other.put(one.value)

    def misname(self) -> None:
        self.slot_under(
            "name", "field", "data", "source", "from", "scale", "signal", "as", "groupby", "fields", "facet", "type"
        ).put(odd_name(self.random))

    def refer_back(self) -> None:
        """A dataset that reads itself or a later one; a signal or scale that does."""
        names = [slot.value for slot in self.found if slot.key == "name" and isinstance(slot.value, str)]
        if names:
            name = self.random.choice(names)
            self.slot_under("source", "data", "from", "update", "init", "domain", "signal", "expr").put(
                self.random.choice(
                    (
                        name,
                        [name, name],
                        {"data": name},
                        {"signal": name},
                        f"{name} + 1",
                        f"data('{name}')",
                        f"scale('{name}', 1)",
                    )
                )
            )

    def break_expression(self) -> None:
        slot = self.slot_under("expr", "update", "init", "signal", "test", "filter", "on")
        slot.put(self.texts.changed(slot.value) if isinstance(slot.value, str) else self.texts.text())

    def new_expression(self) -> None:
        self.slot_under("expr", "update", "init", "signal", "test").put(self.texts.text())

    def break_text(self) -> None:
        slot = self.text_slot()
        if isinstance(slot.value, str) and len(slot.value) < 5000:
            slot.put(self.texts.changed(slot.value))

    def break_selector(self) -> None:
        slot = self.slot_under("events", "stream", "between", "force")
        slot.put(
            self.texts.changed(slot.value)
            if isinstance(slot.value, str) and self.random.random() < 0.5
            else self.texts.selector()
        )

    def break_path(self) -> None:
        slot = self.slot_under("field", "fields", "groupby", "sort", "key", "property", "x", "y", "as")
        base = slot.value if isinstance(slot.value, str) else "a"
        bad = self.random.choice(
            ("[0]", "['b']", '["b"]', "[", "]", "..", ".", "\\.", "['", "[b]c", "'x'.y", "[[0]]", "\\", "['a\\'b']", "[-1]")
        )
        at = self.random.randint(0, len(base))
        slot.put(base[:at] + bad + base[at:])

    def odd_file(self) -> None:
        slot = self.slot_under("url", "values", "source")
        if isinstance(slot.holder, dict):
            slot.holder["url"] = self.random.choice(self.urls) if self.urls else "missing.json"
            if self.random.random() < 0.6:
                slot.holder["format"] = copy.deepcopy(self.random.choice(_FORMATS))
            if slot.key != "url" and self.random.random() < 0.7:
                slot.remove()

    def wrong_format(self) -> None:
        slot = self.slot_under("format", "values", "url")
        if isinstance(slot.holder, dict):
            slot.holder["format"] = copy.deepcopy(self.random.choice(_FORMATS))


_CHANGES: tuple[Callable[[Corruptions], None], ...] = (
    *(Corruptions.remove, Corruptions.remove, Corruptions.retype, Corruptions.retype, Corruptions.retype, Corruptions.duplicate),
    *(Corruptions.swap, Corruptions.move, Corruptions.rename, Corruptions.wrap, Corruptions.unwrap, Corruptions.transplant),
    *(Corruptions.add_member, Corruptions.collide, Corruptions.misname, Corruptions.refer_back, Corruptions.break_expression),
    *(
        Corruptions.new_expression,
        Corruptions.break_text,
        Corruptions.break_selector,
        Corruptions.break_path,
        Corruptions.odd_file,
    ),
    Corruptions.wrong_format,
)

_MARKS = (
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "'",
    "\\",
    "//x\n",
    "/*",
    "*/",
    "#",
    "null",
    "NaN",
    "-Infinity",
    "1e",
    "\\u12",
    "\\ud800",
    "\0",
    "\ufeff",
)
_MORE_MARKS = (
    "// sheliak: ignore\n",
    "/* sheliak: ignore-file * */",
    ",,",
    ",]",
    ",}",
    "\u2028",
    "\r",
    "0x1",
    "+1",
    ".5",
    "1.",
    "undefined",
    '"a":',
)


def garbled(random: Random, text: str) -> str:
    """The text of a spec with characters lost, gained or moved."""
    for _ in range(random.choice((1, 1, 2, 4, 12))):
        at, width = random.randint(0, len(text)), random.choice((1, 1, 2, 8, 60))
        roll = random.randrange(6)
        if roll == 0:
            text = text[:at] + text[at + width :]
        elif roll == 1:
            text = text[:at] + random.choice(_MARKS + _MORE_MARKS) + text[at:]
        elif roll == 2:
            text = text[:at] + text[at : at + width] * 2 + text[at + width :]
        elif roll == 3:
            text = text[:at] + random.choice(NAMES) + text[at + width :]
        elif roll == 4:
            to = random.randint(0, len(text))
            text = text[:to] + text[at : at + width] + text[to:]
        else:
            text = text[:at] + random.choice(_MARKS) + text[at + 1 :]
    return text[: random.randint(0, len(text))] if random.random() < 0.15 else text


def commented(random: Random, spec: Json) -> str:
    """A spec as people write it by hand: indented, with comments and trailing commas."""
    lines = json.dumps(spec, indent=random.choice((0, 1, 4)), ensure_ascii=random.random() < 0.5).split("\n")
    odd = (
        "// sheliak: ignore",
        "// note",
        "/* a\n b */",
        "// sheliak: ignore unknown-*",
        "/**/",
        "/* sheliak: ignore-file */",
        "// 😀 \u2028",
    )
    for number, line in enumerate(lines):
        if random.random() < 0.08:
            lines[number] = f"{random.choice(odd)}\n{line}" if random.random() < 0.5 else f"{line} {random.choice(odd)}"
        if line and line[-1] not in "{[," and random.random() < 0.1:
            lines[number] += ","
    return random.choice(("\n", "\n", "\r\n", "\r")).join(lines)


def encoded(random: Random, text: str) -> bytes:
    """The bytes of a file, sometimes in an encoding that nobody said, sometimes damaged."""
    roll = random.random()
    if roll < 0.90:
        return text.encode("utf-8", "surrogatepass")
    if roll < 0.94:
        return text.encode(random.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-32-be")), "surrogatepass")
    if roll < 0.96:
        return text.encode("latin-1", "replace")
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(random.randint(1, 6)):
        content[random.randrange(len(content) or 1) : random.randrange(len(content) or 1)] = random.randbytes(
            random.randint(1, 3)
        )
    return bytes(content[:60_000])
