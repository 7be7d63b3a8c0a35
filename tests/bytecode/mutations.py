"""Damaged files, many of them: `python -m tests.bytecode.mutations [--count 200000] [--seed N] [-j 2]`.

Valid files are changed at random (bits, lengths, cuts, sections of other files), read, inspected, printed and
written again in children with a memory limit. Only the codec's own errors may come of it, and soon. What is read
and verifies prints as text that parses and verifies as the same program, and is written as bytecode of it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import shlo
import shlo_bytecode
from shlo.ir.operations import Module
from shlo_bytecode.container.file import open_container
from shlo_bytecode.inspection import inspect
from tests.bytecode.texts import TEXTS
from tests.jax_programs import SMALL
from tests.oracle import Oracle

SEED = 20261120
SECONDS = 1.0
"""How long one file may take."""
SHORT = 1500
"""How many bytes a program of JAX may take to be one of the files."""
MEMORY = 16 << 20
"""How much more memory than the valid files a child may take."""
BATCH = 2000

Change = Callable[[random.Random, bytearray, Sequence[bytes]], None]


def flip_bits(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        at = rng.randrange(len(data))
        data[at] = rng.choice((data[at] ^ 1 << rng.randrange(8), 0, 1, 2, 3, 4, 0xFE, 0xFF))


def cut_off(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    del data[rng.randrange(len(data)) + 1 :]


def insert(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    at = rng.randrange(len(data))
    data[at:at] = rng.randbytes(rng.randrange(1, 10))


def drop(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    at = rng.randrange(len(data))
    del data[at : min(at + rng.randrange(1, 6), len(data) - 1)]


def copy_bytes(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    size = rng.randrange(1, 20)
    source, target = rng.randrange(len(data)), rng.randrange(len(data))
    data[target : target + size] = data[source : source + size]


def grow_number(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    """A number becomes a large one, in nine bytes or as many as it had."""
    at = rng.randrange(len(data))
    large = rng.choice((1 << 62, 1 << 32, 1 << 24, len(data), (1 << 64) - 1))
    data[at : at + rng.choice((1, 9))] = b"\0" + large.to_bytes(8, "little")


def splice_section(rng: random.Random, data: bytearray, files: Sequence[bytes]) -> None:
    """A section's content becomes that of the same section in another file, with its length."""
    from tests.bytecode.test_damage import section

    try:
        mine = open_container(bytes(data)).sections
    except shlo_bytecode.BytecodeError:
        return
    other = rng.choice(files)
    theirs = open_container(other).sections
    number = rng.choice(sorted(mine.keys() & theirs.keys()))
    content = other[theirs[number].start : theirs[number].end]
    place = mine[number]
    header = bytes(data).rfind(bytes([number]), 0, place.start)
    data[header : place.end] = section(number, content)


CHANGES: tuple[Change, ...] = (
    *(flip_bits, flip_bits, flip_bits, cut_off, insert, drop, copy_bytes),
    *(grow_number, grow_number, splice_section, splice_section),
)


def mutated(rng: random.Random, files: Sequence[bytes]) -> bytes:
    """Returns one of the files, changed."""
    data = bytearray(rng.choice(files))
    for _ in range(rng.choice((1, 1, 2, 4))):
        rng.choice(CHANGES)(rng, data, files)
    return bytes(data)


def outcome(data: bytes) -> str:
    """Returns what becomes of a file; raises what must not be raised."""
    found = inspect(data)
    module, damage = _read(data)
    if module is None:
        assert damage is not None
        assert found.damage is not None
        assert 0 <= damage.offset <= len(data)
        return "refused"
    module.to_text(locations=True)
    if _verifies(module):
        check_again(module)
    for write in (shlo_bytecode.write, shlo_bytecode.write_artifact):
        try:
            write(module)
        except shlo_bytecode.EncodingError:
            return f"not written by {write.__name__}"
    return "written"


def check_again(module: Module) -> None:
    """Raises where a program that verifies is another one, or none, by its text or its bytecode."""
    for generic in (False, True):
        text = module.to_text(generic=generic)
        again = shlo.parse(text)
        assert _verifies(again), f"its text is refused: {text}"
        assert again.to_text(generic=generic) == text
    assert shlo_bytecode.read(shlo_bytecode.write(module)).to_text() == module.to_text()


def _verifies(module: Module) -> bool:
    return all(finding.severity == "warning" for finding in shlo.verify(module))


def _read(data: bytes) -> tuple[Module | None, shlo_bytecode.BytecodeError | None]:
    try:
        return shlo_bytecode.read(data), None
    except shlo_bytecode.BytecodeError as error:
        return None, error


def seeds(oracle: Oracle) -> list[bytes]:
    """Returns the valid files that are changed."""
    versions = (0, 3, 4, 5, 6)
    files = [
        oracle.bytecode(TEXTS[name], version, unregistered=True) for name in TEXTS for version in versions
    ]
    artifacts = {"recent": ("1.17.0",), "stablehlo": ("1.6.0", "1.17.0")}
    files += [
        oracle.artifact(TEXTS[name], target) for name, targets in artifacts.items() for target in targets
    ]
    for program in SMALL[::8]:
        module = shlo.parse(program.text(debug_info=False))
        made = shlo_bytecode.write(module), shlo_bytecode.write_artifact(module)
        files += [data for data in made if len(data) < SHORT]
    return files


def run_batch(job: tuple[int, int, list[bytes]]) -> tuple[Counter[str], list[tuple[int, str]], float]:
    """Returns the outcomes of some files, the failures with their numbers, and the longest time; in a child."""
    first, count, files = job
    for data in files:
        outcome(data)
    _limit_memory()
    outcomes, failures, longest = Counter[str](), list[tuple[int, str]](), 0.0
    for number in range(first, first + count):
        data = mutated(random.Random(number), files)
        start = time.process_time()
        try:
            outcomes[outcome(data)] += 1
        except BaseException as error:
            failures.append((number, f"{type(error).__name__}: {str(error)[:200]}"))
        took = time.process_time() - start
        longest = max(longest, took)
        if took > SECONDS:
            failures.append((number, f"it took {took:.1f} s"))
    return outcomes, failures, longest


def _limit_memory() -> None:
    """The child may take so much more than it has taken for valid files; on Linux."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return
    import resource

    pages = int(status.read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bytecode.mutations", description=__doc__)
    parser.add_argument("--count", type=int, default=200_000, help="files (default: 200000)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"the first file's number (default: {SEED})")
    parser.add_argument("-j", dest="workers", type=int, default=2, help="children at a time (default: 2)")
    options = parser.parse_args()
    with Oracle() as oracle:
        files = seeds(oracle)
    jobs = [
        (options.seed + start, min(BATCH, options.count - start), files)
        for start in range(0, options.count, BATCH)
    ]
    outcomes, failures, longest = Counter[str](), list[tuple[int, str]](), 0.0
    with multiprocessing.get_context("spawn").Pool(options.workers, maxtasksperchild=1) as pool:
        for found, failed, slowest in pool.imap_unordered(run_batch, jobs):
            outcomes += found
            failures += failed
            longest = max(longest, slowest)
            for number, reason in failed:
                print(f"file {number}: {reason}", flush=True)
            print(f"{outcomes.total()} of {options.count}, {len(failures)} failures", file=sys.stderr)
    print(f"{dict(outcomes)}; longest {longest:.2f} s of CPU; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
