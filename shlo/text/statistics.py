"""Statistics of a tensor as text."""

from __future__ import annotations

from msgspec import Struct

from shlo.text.numbers import byte_size, number_text, plural


class Statistics(Struct, frozen=True):
    """A tensor in numbers. `low`, `high` and `mean` are those of its finite elements (None where it has
    none); of complex numbers, those of their magnitudes. `size` counts elements, `bytes` their memory.
    """

    shape: tuple[int, ...]
    dtype: str
    size: int
    bytes: int
    low: float | int | None
    high: float | int | None
    mean: float | None
    nans: int
    positive_infinities: int
    negative_infinities: int
    zeros: int

    @property
    def is_complex(self) -> bool:
        """Whether `low`, `high` and `mean` are those of magnitudes."""
        return self.dtype.startswith("complex")

    @property
    def infinities(self) -> int:
        """How many elements are infinite."""
        return self.positive_infinities + self.negative_infinities


def range_text(low: float | None, high: float | None, mean: float | None) -> str:
    """Returns `min -2, max 7.5, mean 0.25`; empty without finite elements."""
    extremes = (("min", low), ("max", high), ("mean", mean))
    return ", ".join(f"{name} {number_text(number, 6)}" for name, number in extremes if number is not None)


def special_counts(statistics: Statistics) -> list[tuple[str, int]]:
    """Returns the names and numbers of elements that are not finite, and of zeros; those that occur."""
    counts = (
        ("NaN", statistics.nans),
        ("+Inf", statistics.positive_infinities),
        ("-Inf", statistics.negative_infinities),
        ("zero", statistics.zeros),
    )
    return [(name, count) for name, count in counts if count]


def statistics_lines(statistics: Statistics) -> list[str]:
    """Returns size, range, and counts of special elements: a line each, as far as there are any."""
    size = f"{plural(statistics.size, 'element')}, {byte_size(statistics.bytes)}"
    counts = ", ".join(f"{count:,} {name}" for name, count in special_counts(statistics))
    range_ = range_text(statistics.low, statistics.high, statistics.mean)
    if range_ and statistics.is_complex:
        range_ = f"magnitude {range_}"
    return [size, *filter(None, (range_, counts))]


def statistics_line(statistics: Statistics) -> str:
    """Returns the statistics on one line."""
    return ", ".join(statistics_lines(statistics))


def summary_line(statistics: Statistics) -> str:
    """Returns range and mean in few characters, and alarms: `-2..7.5 mean 0.25 NaN!`."""
    alarms = (("NaN!", statistics.nans), ("Inf!", statistics.infinities))
    if statistics.size in (statistics.nans, statistics.infinities) and statistics.size:
        return "all NaN!" if statistics.nans else "all Inf!"
    return " ".join([short_range(statistics), *(word for word, count in alarms if count)])


def short_range(statistics: Statistics) -> str:
    """Returns range and mean in few characters: `-2..7.5 mean 0.25`, `all 0`, `3 of 4 true`, `empty`."""
    if not statistics.size:
        return "empty"
    if statistics.low is None or statistics.high is None:
        return "no numbers"
    if statistics.dtype == "bool":
        return f"{statistics.size - statistics.zeros} of {statistics.size} true"
    low, high = number_text(statistics.low), number_text(statistics.high)
    magnitude = "|x| " if statistics.is_complex else ""
    if statistics.low == statistics.high:
        return f"{magnitude}all {low}"
    return f"{magnitude}{low}..{high} mean {number_text(statistics.mean or 0.0)}"
