"""Sandbox: a process of Linux that gives up what it does not need to read files of others, for good.

It may not write outside of one folder (Landlock), nor connect, start programs or processes, signal others or
change the rights to files (seccomp), and has limits of time and memory. What it has open stays open.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from shlo.support.memory import limit_memory, machine_memory

SECONDS: Final = 600
"""Processor time, with that of all threads."""
FILE_BYTES: Final = 4 << 30
FILES: Final = 256
"""How many files may be open."""


class SandboxError(Exception):
    """Why there is no sandbox on this system."""


class _Machine(Struct, frozen=True):
    """A kind of processor: its number for seccomp, and the numbers of its system calls."""

    audit: int
    denied: tuple[int, ...]
    clone: int
    ioctl: int
    own: tuple[int, ...]
    """kill, tgkill and prlimit64: of this process alone."""
    socketpair: int


_MACHINES: Final = {
    "x86_64": _Machine(
        0xC000003E,
        denied=(
            *(41, 42, 43, 288, 49, 50),  # socket connect accept accept4 bind listen
            *(57, 58, 59, 322),  # fork vfork execve execveat
            *(101, 311, 434, 424, 438, 200),  # ptrace process_vm_writev pidfd_open _send_signal _getfd tkill
            *(165, 166, 308, 272),  # mount umount2 setns unshare
            *(321, 323, 425, 298),  # bpf userfaultfd io_uring_setup perf_event_open
            *(250, 248, 249),  # keyctl add_key request_key
            *(90, 91, 268, 452),  # chmod fchmod fchmodat fchmodat2
            *(92, 93, 94, 260),  # chown fchown lchown fchownat
            *(132, 235, 261, 280),  # utime utimes futimesat utimensat
            *(188, 189, 190, 197, 198, 199, 160),  # setxattr l- f- removexattr l- f- setrlimit
        ),
        clone=56,
        ioctl=16,
        own=(62, 234, 302),
        socketpair=53,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        denied=(
            *(198, 203, 202, 242, 200, 201),
            *(221, 281),
            *(117, 271, 434, 424, 438, 130),
            *(40, 39, 268, 97),
            *(280, 282, 425, 241, 219, 217, 218),
            *(52, 53, 452, 55, 54),
            88,
            *(5, 6, 7, 14, 15, 16, 164),
        ),
        clone=220,
        ioctl=29,
        own=(129, 131, 261),
        socketpair=199,
    ),
}
_CLONE3, _FIRST_UNKNOWN = 435, 463
"""What is answered as by an older system: a call whose arguments are not seen, and those that came since."""
_CLONE_THREAD: Final = 0x10000
_TYPING: Final = (0x5412, 0x541C)
"""Requests of ioctl that put keys into a terminal: TIOCSTI, TIOCLINUX."""

_LANDLOCK: Final = (444, 445, 446)
"""landlock_create_ruleset, landlock_add_rule, landlock_restrict_self."""
_LEAST_LANDLOCK: Final = 3
"""The first version that knows of truncation: Linux 6.2."""
_WRITES: Final = 0b111_1111_1111_0011
"""Rights to files by bits: execute, write, (read, list), remove, make, refer, truncate."""
_WRITES_BELOW: Final = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 14
"""What is left below the folder: no devices, links, sockets or programs."""
_WRITES_TO_NULL: Final = 1 << 1 | 1 << 14

_SET_NO_NEW_PRIVILEGES, _SET_SECCOMP = 38, 22
_ALLOW, _KILL, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38
_LOAD, _AND, _EQUAL, _AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_CAPABILITIES_VERSION, _MAY_READ = 0x20080522, 1 << 2


def why_no_sandbox() -> str:
    """Returns why this system has no sandbox; nothing where it has one."""
    if sys.platform != "linux":
        return "the sandbox is there on Linux alone"
    if platform.machine() not in _MACHINES or sys.maxsize < 1 << 32:
        return f"the sandbox knows the system calls of {' and '.join(_MACHINES)}, not of {platform.machine()}"
    version = ctypes.CDLL(None).syscall(_LANDLOCK[0], None, ctypes.c_size_t(0), 1)
    if version < _LEAST_LANDLOCK:
        return "the sandbox needs Linux 6.2 with Landlock"
    return ""


def enter_sandbox(folder: str | None = None) -> None:
    """Confines this process, which has one thread, and those that it will have; it may write below `folder`.

    Raises SandboxError where that is not possible.
    """
    reason = why_no_sandbox()
    if not reason and len(os.listdir("/proc/self/task")) != 1:
        reason = "the process has other threads"
    if reason:
        raise SandboxError(reason)
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _restrict_files(libc, folder)
    _set_limits()
    _drop_capabilities(libc)
    _restrict_calls(libc, _MACHINES[platform.machine()])


def _check(result: int) -> int:
    if result < 0:
        raise SandboxError(f"the system refuses: {os.strerror(ctypes.get_errno())}")
    return result


def _restrict_files(libc: ctypes.CDLL, folder: str | None) -> None:
    create, add, restrict = _LANDLOCK
    attributes = ctypes.create_string_buffer(struct.pack("=Q", _WRITES), 8)
    rules = _check(libc.syscall(create, attributes, ctypes.c_size_t(8), 0))
    writable = {os.devnull: _WRITES_TO_NULL} | ({folder: _WRITES_BELOW} if folder is not None else {})
    for path, rights in writable.items():
        opened = os.open(path, os.O_RDONLY)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, opened), 12)
        _check(libc.syscall(add, rules, 1, rule, 0))
        os.close(opened)
    _check(libc.syscall(restrict, rules, 0))
    os.close(rules)


def _set_limits() -> None:
    import resource

    for limit, value in (
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(limit)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))
    limit_memory((machine_memory() or 8 << 30) // 2)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Leaves root the right to read files."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), 8)
    held = ctypes.create_string_buffer(24)
    _check(libc.capget(header, held))
    effective, permitted = struct.unpack("=6I", held)[:2]
    left = struct.pack("=6I", effective & _MAY_READ, permitted & _MAY_READ, 0, 0, 0, 0)
    _check(libc.capset(header, ctypes.create_string_buffer(left, 24)))


def _restrict_calls(libc: ctypes.CDLL, machine: _Machine) -> None:
    program = b"".join(struct.pack("=HBBI", *step) for step in _filter_of(machine))
    code = ctypes.create_string_buffer(program, len(program))
    attributes = ctypes.create_string_buffer(
        struct.pack("@HP", len(program) // 8, ctypes.addressof(code)), struct.calcsize("@HP")
    )
    _check(libc.prctl(_SET_SECCOMP, 2, attributes, 0, 0))


def _filter_of(machine: _Machine) -> Iterator[tuple[int, int, int, int]]:
    """Yields the steps that judge a system call: operation, jumps where it is true and where not, number."""
    number, audit, arguments, this = 0, 4, 16, 0

    def only_if(call: int, *steps: tuple[int, int, int, int]) -> Iterator[tuple[int, int, int, int]]:
        yield _LOAD, 0, 0, number
        yield _EQUAL, 0, len(steps), call
        yield from steps

    yield _LOAD, 0, 0, audit
    yield _EQUAL, 1, 0, machine.audit
    yield _RETURN, 0, 0, _KILL
    yield _LOAD, 0, 0, number
    yield _AT_LEAST, 0, 1, _FIRST_UNKNOWN
    yield _RETURN, 0, 0, _UNKNOWN
    for call in machine.denied:
        yield from only_if(call, (_RETURN, 0, 0, _REFUSE))
    yield from only_if(_CLONE3, (_RETURN, 0, 0, _UNKNOWN))
    is_thread = ((_LOAD, 0, 0, arguments), (_HAS_BITS, 1, 0, _CLONE_THREAD), (_RETURN, 0, 0, _REFUSE))
    yield from only_if(machine.clone, *is_thread)
    for request in _TYPING:
        types = ((_LOAD, 0, 0, arguments + 8), (_EQUAL, 0, 1, request), (_RETURN, 0, 0, _REFUSE))
        yield from only_if(machine.ioctl, *types)
    is_stream = ((_LOAD, 0, 0, arguments + 8), (_AND, 0, 0, 0xF), (_EQUAL, 1, 0, 1), (_RETURN, 0, 0, _REFUSE))
    yield from only_if(machine.socketpair, *is_stream)
    for call in machine.own:
        is_own = ((_LOAD, 0, 0, arguments), (_EQUAL, 2, 0, os.getpid()), (_EQUAL, 1, 0, this))
        yield from only_if(call, *is_own, (_RETURN, 0, 0, _REFUSE))
    yield _RETURN, 0, 0, _ALLOW
