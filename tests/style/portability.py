"""Uses of what only some systems have: `shlo/support` alone may look at the system and call what others lack.

`python -m tests.style.portability` lists what is elsewhere. It is found in the syntax trees: names of modules,
attributes of modules, keywords of calls and texts, not what a program makes up as it runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from tests.style.vocabulary import PACKAGES, ROOT

SUPPORT: Final = ROOT / "shlo" / "support"
MODULES: Final = frozenset(
    ("fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "readline", "resource", "select", "selectors")
) | {"termios", "tty", "winreg", "_winapi"}
"""Modules that some systems lack, or that do there something else."""
ATTRIBUTES: Final = {
    "os": frozenset(
        (
            "chown",
            "fork",
            "forkpty",
            "getegid",
            "geteuid",
            "getgid",
            "getlogin",
            "getpgid",
            "getpgrp",
            "getppid",
        )
    )
    | {"getuid", "kill", "killpg", "lchown", "mkfifo", "mknod", "name", "nice", "O_NOFOLLOW", "O_NONBLOCK"}
    | {
        "posix_spawn",
        "sched_getaffinity",
        "set_blocking",
        "setpgid",
        "setsid",
        "startfile",
        "sysconf",
        "uname",
    }
    | {"wait", "waitpid", "waitstatus_to_exitcode"},
    "signal": frozenset(
        ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGUSR1")
    )
    | {"SIGUSR2", "SIGWINCH", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"},
    "sys": frozenset(("platform", "getwindowsversion")),
    "platform": frozenset(("system",)),
    "ctypes": frozenset(("windll", "WinDLL")),
    "loop": frozenset(
        ("add_reader", "add_writer", "add_signal_handler", "connect_read_pipe", "connect_write_pipe")
    ),
}
"""Attributes of modules (`loop`: of whatever object) that some systems lack, or that tell which one it is."""
KEYWORDS: Final = frozenset(
    ("creationflags", "preexec_fn", "process_group", "pass_fds", "start_new_session", "startupinfo", "umask")
)
FOLDERS: Final = ("/proc/", "/tmp/", "/var/", "/dev/std", "/dev/fd", "/etc/")
WHERE: Final = {
    "shlo/cli/installation/doctor/checks.py": {"sys.platform"},  # tells which system it is
    "shlo/cli/installation/doctor/report.py": {"platform.system"},
    "shlo/reduction/issue.py": {"platform.system"},  # so do reports to others
}
"""Uses outside of `shlo/support` that are no decision."""
SUSPECT: Final = re.compile(
    rf"\b(?:{'|'.join((*MODULES, *KEYWORDS, *ATTRIBUTES['loop'], 'read_text', 'write_text'))})\b"
    rf"|\b(?:{'|'.join(ATTRIBUTES)})\.|\bfrom (?:{'|'.join(ATTRIBUTES)}) import|[\"'](?:{'|'.join(FOLDERS)})"
)
"""What a text has where there may be a use in it: most have nothing, and are not parsed."""


def uses_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yields the lines and names of what only some systems have."""
    for node in nodes:
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Import(names):
                yield from ((line, each.name) for each in names if each.name in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                if module in MODULES:
                    yield line, module
                found = ATTRIBUTES.get(module, frozenset())
                yield from ((line, f"{module}.{each.name}") for each in names if each.name in found)
            case ast.Attribute(value, attribute):
                owner = value.id if isinstance(value, ast.Name) else ""
                if attribute in ATTRIBUTES.get(owner, ()):
                    yield line, f"{owner}.{attribute}"
                elif attribute in ATTRIBUTES["loop"]:
                    yield line, attribute
            case ast.keyword(arg=str(name)) if name in KEYWORDS:
                yield node.value.lineno, f"{name}="
            case ast.Constant(value=str(text)) if text.startswith(FOLDERS):
                yield line, repr(text)
            case _:
                pass


def texts_without_encoding(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yields calls that read or write text in whatever encoding the system has, or with its line ends."""
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = {each.arg for each in node.keywords}
        if name in ("read_text", "write_text"):
            if "encoding" not in given and len(node.args) < 1 + (name == "write_text"):
                yield node.lineno, f"{name} without an encoding"
            if name == "write_text" and "newline" not in given:
                yield node.lineno, "write_text without newline"


def uses() -> list[str]:
    """Returns `path:line: name` for each use outside of `shlo/support`, and each text without an encoding."""
    found: list[str] = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if "node_modules" in path.parts:
                continue
            text = path.read_text("utf-8")
            if not SUSPECT.search(text):
                continue
            nodes = list(ast.walk(ast.parse(text)))
            own = [] if path.is_relative_to(SUPPORT) else list(uses_in(nodes))
            here = [each for each in own if each[1] not in WHERE.get(place, ())]
            found += [f"{place}:{line}: {name}" for line, name in (*here, *texts_without_encoding(nodes))]
    return found


if __name__ == "__main__":
    print(*uses(), sep="\n")
