"""Questions about dates and formats: texts that look like dates, instants near the changes of clocks, patterns, specifiers."""

from __future__ import annotations

from random import Random

from fuzzing.vega_values import Question
from sheliak.expressions.intervals import INTERVALS
from sheliak.expressions.values import Json, encode

_WORDS = (
    *(
        "Jan",
        "jan",
        "January",
        "Feb",
        "mar",
        "MAY",
        "Sep",
        "december",
        "am",
        "pm",
        "AM",
        "PM",
        "a.m.",
        "UTC",
        "GMT",
        "Z",
        "z",
        "EST",
    ),
    *("PDT", "T", "t", "Mon", "Tuesday", "foo", "x", "ut", "CET", "é", "Sector"),
)
_MARKS = ("-", "/", " ", ":", ".", ",", "+", "(", ")", "(x)", "\t", "T", "  ", "Z", "::", "\u00a0", "_")
_MONTHS = ("Jan", "Feb", "March", "April", "May", "Jun", "July", "Aug", "Sept", "Oct", "Nov", "Dec")
_ENDINGS = ("", "", "", " am", " PM", " GMT", " UTC+2", " +0100", " GMT-0500 (EST)", " Z", "Z", " EST", " -8")
_OFFSETS = ("Z", "z", " Z", "+01:00", "-0800", "+5", "+05:3", "-23:59", "+24:00", " GMT", "+01")
_LETTERS = "aAbBcdefgGHIjLmMpqQsSuUVwWxXyYZ%"
_PATTERNS = (
    *("%Y-%m-%d", "%Y", "%m/%d/%Y %H:%M", "%b %d %Y", "%d %B %Y %I:%M %p", "%Y-%m-%dT%H:%M:%S.%LZ", "%Y-W%V-%u", "%G-%V"),
    *("%Y %U %w", "%Y %W %u", "%j %Y", "%y%m%d", "%Q", "%s", "%A %d %B %y", "%Y-%m-%d %Z", "%c", "%x", "%X", "%q %Y"),
)
_WRITTEN = (
    "2020-03-29",
    "2019",
    "12/31/1999 23:59",
    "Feb 29 2020",
    "5 May 2021 03:04 PM",
    "2020-W53-7",
    "2021 00 3",
    "366 2020",
    "990101",
)


class Dates:
    """A source of random questions."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def question(self) -> Question:
        ask = self.random.choice(
            (self.read, self.read, self.written, self.parsed, self.part, self.part, self.stepped, self.number)
        )
        return ask()

    # What to ask

    def read(self) -> Question:
        return Question("[time(datum.t), toDate(datum.t)]", {"t": self.text()})

    def written(self) -> Question:
        return Question(f"{self.place()}Format(datum.i, datum.p)", {"i": self.instant(), "p": self.pattern()})

    def parsed(self) -> Question:
        text = self.random.choice(_WRITTEN)
        if self.random.random() < 0.3:
            at = self.random.randrange(len(text))
            text = text[:at] + self.random.choice(("", "1", " ", "x", "0")) + text[at + 1 :]
        return Question(f"{self.place()}Parse(datum.t, datum.p)", {"t": text, "p": self.pattern()})

    def part(self) -> Question:
        part = self.random.choice(("", "utc")) + self.random.choice(tuple(INTERVALS))
        return Question(f"[{part}(datum.i), timezoneoffset(datum.i), datetime(datum.i) + '']", {"i": self.instant()})

    def stepped(self) -> Question:
        unit = self.random.choice([unit for unit in INTERVALS if unit != "quarter"])
        fields: Json = {"u": unit, "i": self.instant(), "n": self.random.choice((1, -1, 2, 3, 12, -5, 0, 1.5, 100))}
        return Question(f"{self.place()}Offset(datum.u, datum.i, datum.n)", fields)

    def number(self) -> Question:
        scale = 10.0 ** self.random.randint(-30, 30)
        plain = (float(self.random.randint(-(10**6), 10**6)), round(self.random.uniform(-1000, 1000), self.random.randint(0, 4)))
        number = self.random.choice((*plain, self.random.uniform(-10, 10) * scale, 0.5, 2.5, 1e21, 0.0))
        return Question("format(datum.n, datum.s)", {"n": encode(number), "s": self.specifier()})

    # Parts of questions

    def place(self) -> str:
        return self.random.choice(("time", "utc"))

    def instant(self) -> Json:
        chance = self.random.random()
        if chance < 0.05:
            return encode(self.random.choice((float("nan"), 0.0, -1.0, 8.64e15, -8.64e15, 1e300, -62135596800000.0)))
        if chance < 0.5:
            return self.random.randint(0, 2 * 10**12)
        if chance < 0.6:
            return self.random.randint(-(10**14), 10**14)
        # Around midnight at the ends of March, October and the year
        day = 86_400_000 * (
            365 * self.random.randint(25, 60) + self.random.choice((80, 90, 290, 300, 305, 365)) + self.random.randint(0, 15)
        )
        return day + 1_800_000 * self.random.randint(-12, 12) + self.random.choice((0, 0, 1, -1, 500))

    def pattern(self) -> str:
        if self.random.random() < 0.4:
            return self.random.choice(_PATTERNS)
        pieces = [
            f"%{self.random.choice(('', '', '-', '_', '0'))}{self.random.choice(_LETTERS)}"
            for _ in range(self.random.randint(1, 4))
        ]
        return self.random.choice(("", "-", "/", " ")).join(pieces)

    def specifier(self) -> str:
        choose = self.random.choice
        width, precision = choose(("", "", "8", "020", "0")), choose(("", "", f".{self.random.randint(0, 22)}"))
        start = choose(("", "", "<", "*^", "0=", "é>")) + choose(("", "", "+", "(", " ", "-")) + choose(("", "", "$", "#"))
        return start + width + choose(("", ",")) + precision + choose(("", "~")) + choose(("", *"defgrspxXbon%cA"))

    def text(self) -> str:
        chance = self.random.random()
        if chance < 0.3:
            return self.standard()
        if chance < 0.65:
            return self.common()
        pieces = [self.random.choice((self.digits(), self.digits(), self.random.choice(_WORDS), self.random.choice(_MARKS), " "))]
        pieces += [self.random.choice((self.digits(), self.random.choice(_WORDS), self.random.choice(_MARKS))) for _ in range(6)]
        return "".join(pieces[: self.random.randint(1, 7)])

    def digits(self) -> str:
        random = self.random
        choices = (random.randint(0, 12), random.randint(0, 31), random.randint(1900, 2100), random.randint(0, 10**9), 0)
        return random.choice(
            (*map(str, choices), f"{random.randint(0, 59):02d}", f"{random.randint(0, 9999):04d}", "000123", "12345678901234")
        )

    def standard(self) -> str:
        random = self.random
        date = f"{random.randint(1900, 2050):04d}-{random.randint(0, 13):02d}-{random.randint(0, 32):02d}"[
            : random.choice((4, 7, 10, 10, 10))
        ]
        if random.random() < 0.5:
            return date
        time = f"{random.choice('TTt ')}{random.randint(0, 25):02d}:{random.randint(0, 61):02d}"
        time += random.choice(("", f":{random.randint(0, 61):02d}", f":{random.randint(0, 59):02d}.{self.digits()}"))
        return date + time + random.choice(("", "", *_OFFSETS))

    def common(self) -> str:
        random = self.random
        day, month, year = random.randint(1, 31), random.randint(1, 12), random.randint(1950, 2030)
        name = _MONTHS[month - 1]
        date = random.choice(
            (
                *(
                    f"{month}/{day}/{year}",
                    f"{name} {day}, {year}",
                    f"{day} {name} {year}",
                    f"{day}-{name}-{year}",
                    f"{year}/{month}/{day}",
                ),
                *(
                    f"{name} {year}",
                    f"{name} {day}",
                    f"{year} {name} {day}",
                    f"{month}/{day}/{year % 100}",
                    f"{month}-{day}-{year}",
                ),
                *(
                    f"Tue, {day} {name} {year}",
                    f"{month}.{day}.{year}",
                    str(year),
                    f"+{year:06d}-{month:02d}-{day:02d}",
                    f"-000001-{month:02d}",
                ),
            )
        )
        clock = (
            f" {random.randint(0, 24)}:{random.randint(0, 59):02d}",
            f" {random.randint(1, 12)} pm",
            f" {random.randint(0, 12)}:00:59.{self.digits()}",
        )
        return date + random.choice(("", *clock)) + random.choice(_ENDINGS)
