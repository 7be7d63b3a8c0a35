"""Numbers, counts and sizes as text."""

from __future__ import annotations

from typing import Any, Final

UNITS: Final = ("KiB", "MiB", "GiB", "TiB")
PREFIXES: Final = ("", "k", "M", "G", "T", "P", "E")


def number_text(number: Any, digits: int = 4) -> str:
    """Returns an element in at most `digits` significant digits; integers in full, `NaN`, `Inf`, `1-2i`.

    Args:
        number: a number of Python, NumPy or ml_dtypes.
        digits: of floating-point numbers alone.
    """
    value = number.item() if hasattr(number, "item") else number
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, complex):
        imaginary = number_text(value.imag, digits)
        sign = "" if imaginary.startswith("-") else "+"
        return f"{number_text(value.real, digits)}{sign}{imaginary}i"
    if isinstance(value, int):
        return str(value)
    value = float(value)
    if value != value:
        return "NaN"
    return {float("inf"): "Inf", -float("inf"): "-Inf"}.get(value) or f"{value:.{digits}g}"


def exact_number_text(number: Any) -> str:
    """Returns an element with all digits that tell it from its neighbours."""
    return number_text(number, 17 if getattr(number, "itemsize", 8) > 4 else 9)


def plural(count: int, noun: str, zero: str = "0") -> str:
    """Returns a count with its noun: `1 element`, `2,048 elements`; `zero` for none."""
    return f"{count:,} {noun}" if count == 1 else f"{f'{count:,}' if count else zero} {noun}s"


def byte_size(count: int) -> str:
    """Returns a number of bytes in the largest unit that fits: `512 B`, `1.5 MiB`."""
    unit = min(max(count.bit_length() - 1, 0) // 10, len(UNITS))
    if not unit:
        return f"{count} B"
    return f"{f'{count / (1 << 10 * unit):.1f}'.removesuffix('.0')} {UNITS[unit - 1]}"


def count_text(count: int) -> str:
    """Returns a large count with the prefix of its unit, which is to follow: `12.3 M`, `512 `."""
    value, prefix = float(abs(count)), 0
    while value >= 999.5 and prefix < len(PREFIXES) - 1:
        value, prefix = value / 1000, prefix + 1
    text = f"{value:.3g}" if prefix else str(abs(count))
    return f"{'-' if count < 0 else ''}{text} {PREFIXES[prefix]}"


def duration_text(seconds: float) -> str:
    """Returns a time in the unit that fits: `1.5 s`, `20 ms`, `3.2 us`, `4 ns`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
