"""Changes of bytes, of archives, and of what JSON and MessagePack hold, each by a generator of random numbers."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Sequence
from typing import Any, Final

from tests.mutations import mutate

Change = Callable[[random.Random, bytearray, Sequence[bytes]], None]
"""Changes bytes in place; it may look at the valid files."""


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


CHANGES: Final[tuple[Change, ...]] = (
    *(flip_bits, flip_bits, flip_bits, cut_off, insert, drop, copy_bytes, grow_number, grow_number),
)


def changed_bytes(rng: random.Random, files: Sequence[bytes], changes: Sequence[Change] = CHANGES) -> bytes:
    """Returns one of some files, changed."""
    data = bytearray(rng.choice(files))
    for _ in range(rng.choice((1, 1, 2, 4))):
        rng.choice(changes)(rng, data, files)
    return bytes(data)


def changed_text(rng: random.Random, files: Sequence[bytes]) -> bytes:
    """Returns one of some texts, changed."""
    text = rng.choice(files).decode("utf-8", "surrogateescape")
    return mutate(rng, text).encode("utf-8", "surrogateescape")


def changed_archive(rng: random.Random, files: Sequence[bytes]) -> bytes:
    """Returns a zip archive whose members are changed, with the right checksums; at times changed bytes."""
    if rng.random() < 0.3:
        return changed_bytes(rng, files)
    written = io.BytesIO()
    try:
        with (
            zipfile.ZipFile(io.BytesIO(rng.choice(files))) as given,
            zipfile.ZipFile(written, "w") as archive,
        ):
            for info in given.infolist():
                content = given.read(info)
                if rng.random() < 0.5 and content:
                    content = _changed_member(rng, info.filename, content)
                name = (
                    info.filename if rng.random() < 0.95 else rng.choice(("", "../x.npy", "a\0.npy", "é.npy"))
                )
                how = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
                archive.writestr(zipfile.ZipInfo(name), content, how)
    except Exception:  # an input that was changed before may be no archive any more
        return changed_bytes(rng, files)
    return written.getvalue()


def _changed_member(rng: random.Random, name: str, content: bytes) -> bytes:
    if name.endswith(".json"):
        return json.dumps(changed_value(rng, json.loads(content))).encode()
    if name.endswith(".mlir"):
        return changed_text(rng, (content,))
    if rng.random() < 0.5 and b"}" in content[:200]:  # the header of an array, which is text
        end = content.index(b"}")
        return changed_text(rng, (content[10:end],)).join((content[:10], content[end:]))
    return changed_bytes(rng, (content,))


ODD: Final = (None, -1, 0, 1, 3, 1 << 40, (1 << 63) - 1, "", "x", [], [[]], [0], {}, {"a": {}}, 1.5, True)


def changed_value(rng: random.Random, value: Any, odd: Sequence[Any] = ODD) -> Any:
    """Returns what JSON or MessagePack hold with one part of it replaced, left out, or there twice."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        rest = {name: part for name, part in value.items() if name != key}
        if rng.random() < 0.1:
            return rest
        new = str(rng.choice(odd)) if rng.random() < 0.05 else key
        return rest | {new: changed_value(rng, value[key], odd)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        match rng.randrange(8):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value, value[at]]
            case _:
                return [*value[:at], changed_value(rng, value[at], odd), *value[at + 1 :]]
    if isinstance(value, int) and rng.random() < 0.6:
        return value + rng.choice((-1, 1, 7, 1 << 20))
    if isinstance(value, str) and value and rng.random() < 0.6:
        return changed_text(rng, (value.encode(),)).decode("utf-8", "replace")
    return rng.choice(odd)


def changed_conversation(rng: random.Random, files: Sequence[bytes], turns: int) -> bytes:
    """Returns changed lists of messages, one behind the other, as one list in JSON."""
    return json.dumps([message for _ in range(turns) for message in changed_messages(rng, files)]).encode()


def changed_messages(rng: random.Random, files: Sequence[bytes]) -> list[Any]:
    """Returns a list of messages of which some are changed, missing or there twice."""
    messages = json.loads(rng.choice(files))
    for _ in range(rng.choice((1, 2, 4))):
        at = rng.randrange(1, len(messages)) if len(messages) > 1 else 0  # the first one opens the session
        match rng.randrange(6):
            case 0:
                messages.insert(at, messages[rng.randrange(len(messages))])
            case 1:
                del messages[at]
            case _ if isinstance(messages[at], dict) and messages[at] and rng.random() < 0.99:
                key = rng.choice(list(messages[at]))  # what is no object ends some conversations
                messages[at] = messages[at] | {key: changed_value(rng, messages[at][key])}
            case _:
                messages[at] = changed_value(rng, messages[at])
        if not messages:
            break
    return messages
