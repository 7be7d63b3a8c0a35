"""All checks of an installation: those of this package, and those of the front ends."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from shlo.cli.commands import ENTRY_POINT_GROUP
from shlo.cli.installation.doctor.packages import package_checks
from shlo.command_line.console import Console
from shlo.command_line.health import DISTRIBUTION, HealthCheck, reinstall_advice, upgrade_command
from shlo.engines import DEFAULT, EngineError
from shlo.support.entry_points import entry_points_of

GROUPS: Final = ("shlo.dialects", "shlo.custom_calls", "shlo.passes", "shlo.front_ends")
"""Entry points by which other distributions add to shlo; those of commands have a check of their own."""
EDITORS: Final = {"code": "VS Code", "nvim": "Neovim", "emacs": "Emacs", "hx": "Helix", "zed": "Zed"}
COMPLETIONS: Final = {
    "bash": "bash-completion/completions/shlo",
    "zsh": "zsh/site-functions/_shlo",
    "fish": "fish/vendor_completions.d/shlo.fish",
}
"""Where a wheel has the completion script of each shell, below `share` of its environment."""
MAN_PAGE: Final = "man/man1/shlo.1"
"""Where a wheel has the manual page, below `share` of its environment."""


def all_checks(console: Console) -> list[HealthCheck]:
    """Returns every check, part by part. No check raises: what goes wrong in one is its finding."""
    return [
        *_core(),
        *package_checks(),
        *_engines(),
        *_front_ends(),
        *_extensions(),
        *_shell(console),
        *_editors(),
    ]


def _core() -> list[HealthCheck]:
    import shlo

    version = sys.version.split()[0]
    supported = sys.version_info >= (3, 11)
    return [
        HealthCheck("core", "shlo", "ok", f"{shlo.__version__} in {Path(shlo.__file__).parent}"),
        HealthCheck(
            "core",
            "Python",
            "ok" if supported else "broken",
            f"{version} on {sys.platform}, {sys.executable}",
            "" if supported else "use Python 3.11 or newer",
        ),
        *_copies(),
        guarded("core", "a program runs", lambda: program_run_by(DEFAULT)),
    ]


def _engines() -> list[HealthCheck]:
    """Returns whether XLA runs a program, where JAX is installed: versions do not tell."""
    if find_spec("jax") is None:
        return []
    return [guarded("engines", "a program runs with XLA", lambda: program_run_by("xla"))]


def _copies() -> list[HealthCheck]:
    """Returns a check where metadata of shlo is found more than once: the first one wins, others mislead."""
    from importlib.metadata import distributions

    copies = {copy.read_text("RECORD"): copy for copy in distributions(name=DISTRIBUTION)}
    if len(copies) < 2:
        return []
    folders = ", ".join(sorted(str(copy.locate_file("")) for copy in copies.values()))
    return [
        HealthCheck("core", "copies", "broken", f"shlo is installed in {folders}", "uninstall all but one")
    ]


def program_run_by(engine: str) -> str:
    """Has an engine run a program of one operation; returns what it gave. Raises where that is wrong."""
    from shlo import api
    from shlo.engines import Placement, engine_of
    from shlo.interpreter import RunOptions

    module = api.parse(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %y = stablehlo.add %x, %x : tensor<2xf32>\n"
        "  return %y : tensor<2xf32>\n}\n"
    )
    runs = engine_of(engine, Placement("cpu", is_separate=True))
    (result,) = runs.execute(module, [[1.0, 2.0]], RunOptions())
    if result.tolist() != [2.0, 4.0]:
        raise ValueError(f"expected [2.0, 4.0], got {result.tolist()}")
    return "stablehlo.add of [1, 2] and itself gives [2, 4]"


def guarded(part: str, name: str, find: Callable[[], str], advice: str = "") -> HealthCheck:
    """Returns a check that is ok where `find` returns what it saw, broken where it raises."""
    try:
        return HealthCheck(part, name, "ok", find())
    except Exception as error:
        detail = f"{type(error).__name__}: {error}".splitlines()[0]
        hint = error.hint if isinstance(error, EngineError) else ""
        return HealthCheck(part, name, "broken", detail, advice or hint or reinstall_advice())


def _front_ends() -> list[HealthCheck]:
    """Returns whether each front end's command loads, and what it says about itself."""
    commands: list[HealthCheck] = []
    of_front_ends: list[HealthCheck] = []
    for name, points in sorted(entry_points_of(ENTRY_POINT_GROUP).items()):
        try:
            command = points[0].load()
            command_checks: Callable[[], Iterable[HealthCheck]] = getattr(command, "checks", tuple)
            of_front_ends += command_checks()
            commands.append(HealthCheck("commands", f"shlo {name}", "ok", points[0].value))
        except Exception as error:
            detail = f"cannot be loaded: {type(error).__name__}: {error}"
            commands.append(
                HealthCheck("commands", f"shlo {name}", "broken", detail, _update(points[0].dist))
            )
    return commands + of_front_ends


def _update(distribution: object) -> str:
    name = getattr(distribution, "name", None)
    return upgrade_command(name) if name else ""


def _extensions() -> list[HealthCheck]:
    """Returns what other distributions add; an entry point that does not load is broken."""
    checks: list[HealthCheck] = []
    for group in GROUPS:
        for name, points in sorted(entry_points_of(group).items()):
            for point in points:
                if point.dist is None or point.dist.name != DISTRIBUTION:
                    owner = point.dist.name if point.dist else "unknown"
                    label = f"{group.removeprefix('shlo.')} {name} of {owner}"
                    load = point.load
                    advice = _update(point.dist)
                    checks.append(guarded("extensions", label, lambda load=load: repr(load())[:80], advice))
    return checks


def _shell(console: Console) -> list[HealthCheck]:
    checks = [_command_on_path(), _encoding(console)]
    if all(Path(sys.prefix, "share", path).is_file() for path in (*COMPLETIONS.values(), MAN_PAGE)):
        checks.append(HealthCheck("shell", "completion, manual page", "ok", str(Path(sys.prefix, "share"))))
    else:
        advice = 'eval "$(shlo completion bash)"'
        checks.append(
            HealthCheck("shell", "completion, manual page", "absent", "only a wheel installs these", advice)
        )
    return checks


def _command_on_path() -> HealthCheck:
    path = shutil.which("shlo")
    ours = Path(sys.executable).parent
    if path is None:
        advice = f"add {ours} to PATH, or call {sys.executable} -P -m shlo"
        return HealthCheck("shell", "shlo on PATH", "absent", "no folder of PATH has it", advice)
    if not Path(path).resolve().is_relative_to(ours.resolve()) and Path(path).parent != ours:
        detail = f"{path} is of another installation than {sys.executable}"
        return HealthCheck("shell", "shlo on PATH", "ok", detail)
    return HealthCheck("shell", "shlo on PATH", "ok", path)


def _encoding(console: Console) -> HealthCheck:
    encoding = getattr(console.stdout, "encoding", None) or "unknown"
    if encoding.lower().replace("-", "") == "utf8":
        return HealthCheck("shell", "encoding of the output", "ok", encoding)
    detail = f"{encoding}: characters that it lacks are written as escapes"
    return HealthCheck("shell", "encoding of the output", "absent", detail, "set PYTHONUTF8=1")


def _editors() -> list[HealthCheck]:
    checks = [
        HealthCheck("editors", title, "ok", path)
        for name, title in EDITORS.items()
        if (path := shutil.which(name)) is not None
    ]
    checks += [
        HealthCheck("editors", "extension for VS Code", "ok", str(extension))
        for extension in _vscode_extensions()
    ]
    return checks


def _vscode_extensions() -> list[Path]:
    try:
        return sorted(Path.home().glob(".vscode*/extensions/shlo.shlo-*"))
    except (RuntimeError, OSError):  # no home folder, or one that cannot be read
        return []
