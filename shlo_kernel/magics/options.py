"""Options of magics, `--name VALUE` or `--name=VALUE`, in any order in front of a call and behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from shlo.engines import DEFAULT, Placement, engine_of
from shlo.runner.errors import RequestError, quoted
from shlo.syntax.lexer.tokens import STRING
from shlo.text.suggest import did_you_mean

if TYPE_CHECKING:
    from shlo.sanitizer.selection import Selection

Options = Mapping[str, str]
"""Options that are given, without `--`, with their values; an empty one where there is none."""

ENGINE: Final = ("engine", "engine-command", "platform", "devices")
LIMITS: Final = ("max-steps", "max-bytes")

_VALUES: Final = {
    "engine": "xla",
    "engine-command": "'./backend {program} {arguments} {results}'",
    "platform": "cpu",
    "devices": "8",
    "max-steps": "1000",
    "max-bytes": "2G",
    "shadow": "f64",
    "grid": "2x4",
}
"""Options that need a value, and one of them."""
_OF_CALLS: Final = ("random", "zeros", "split")
"""Options that are a part of the call."""
_CALLEE: Final = re.compile(rf"@(?:{STRING}|[^\s(]*)")
_NAME: Final = re.compile(r"(?<!\S)--(?P<name>[\w-]*)(?:=(?P<value>\S*))?")
_VALUE: Final = re.compile(
    r"(?:\s*=\s*|\s+)(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<value>(?!--|[@%])\S+))"
)
_NATURAL: Final = re.compile(r"[0-9]{1,18}", re.ASCII)


def read_options(text: str, takes: Collection[str]) -> tuple[dict[str, str], str]:
    """Returns the options in front of a call and behind it, and the text without them; raises RequestError
    where one is none of those that are taken, or lacks its value. Options of the call itself stay.
    """
    start = end = len(text)
    callee = _CALLEE.search(text)
    if callee is not None:
        behind = text[callee.end() :]
        is_closed = behind.lstrip().startswith("(") and ")" in behind
        start, end = callee.start(), text.rindex(")") + 1 if is_closed else callee.end()
    options: dict[str, str] = {}
    front = _extracted(text[:start], takes, options)
    behind = _extracted(text[end:], takes, options)
    return options, f"{front}{text[start:end]}{behind}"


def _extracted(text: str, takes: Collection[str], values: dict[str, str]) -> str:
    """Returns a text without the options that are taken, which it adds to `found`."""
    pieces, at = list[str](), 0
    for match in _NAME.finditer(text):
        name, value, end = match["name"], match["value"], match.end()
        if name in _OF_CALLS:
            continue
        if name not in takes:
            options = [f"--{option}" for option in (*takes, *_OF_CALLS)]
            hint = did_you_mean(f"--{name}", options) or None
            raise RequestError(f"expected {_either(takes)}, got {quoted(f'--{name}')}", hint)
        if name in _VALUES:
            value_match = _VALUE.match(text, match.start() + len(f"--{name}"))
            if value_match is None:
                raise RequestError(
                    f"expected a value of --{name}, got none", f"write --{name} {_VALUES[name]}"
                )
            value, end = value_match[value_match.lastgroup or "value"], value_match.end()
        values[name] = value or ""
        pieces.append(text[at : match.start()])
        at = end
    return "".join([*pieces, text[at:]])


def _either(names: Iterable[str]) -> str:
    *others, last = (f"--{name}" for name in names)
    return f"{', '.join(others)} or {last}" if others else last


def runner_in(options: Options) -> tuple[Any, Callable[[], Iterable[str]]]:
    """Returns what runs programs: an engine, the sanitizer or a shadow, None for the session's own way; and
    what gives lines about a run. Raises RequestError and EngineError.
    """
    runners = [name for name in ("sanitize", "shadow", *ENGINE[:2]) if name in options]
    if len(runners) > 1:
        raise RequestError(
            f"expected {_either(runners)}, got {'both' if len(runners) == 2 else 'all of them'}",
            "the sanitizer and shadows each run a program on the interpreter",
        )
    name, platform, devices = _engine_in(options), options.get("platform"), options.get("devices")
    if devices is not None and not _NATURAL.fullmatch(devices):
        raise RequestError(f"expected a number of devices, got {quoted(devices)}")
    engine = None
    if name != DEFAULT or platform is not None or devices is not None:
        engine = engine_of(name, Placement(platform, None if devices is None else int(devices)))
    selection = selection_in(options)
    if selection is not None:
        from shlo.runner.python_source import PythonSources
        from shlo.sanitizer.report import lines_of
        from shlo.sanitizer.run import Sanitizer

        sanitizer = Sanitizer(selection)
        return sanitizer, lambda: lines_of(sanitizer.findings, PythonSources(["."]))
    if "shadow" in options:
        from shlo.runner.python_source import PythonSources
        from shlo.shadow import report
        from shlo.shadow.run import ShadowRun, check_precision

        check_precision(options["shadow"])
        shadow = ShadowRun()
        return shadow, lambda: report.lines_of(shadow.losses, PythonSources(["."]))
    return engine, tuple


def _engine_in(options: Options) -> str:
    """Returns the name of the engine that options give."""
    command = options.get("engine-command")
    return options.get("engine", DEFAULT) if command is None else f"command:{command}"


def selection_in(options: Options) -> Selection | None:
    """Returns what `--sanitize` asks for, None where it is not given; raises RequestError."""
    if "sanitize" not in options:
        return None
    from shlo.sanitizer.selection import Selection

    return Selection.of(options["sanitize"])
