"""Sessions on disk: opened again after an orderly end, after a crash, and never believed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from shlo.api import parse
from shlo.debugger import Session
from shlo.debugger.errors import RecordingError
from shlo.debugger.recording import recorder as recording
from shlo.debugger.recording.columns import compress
from shlo.debugger.recording.file import open_recording, read_recording
from shlo.debugger.recording.frames import MAGIC, FrameWriter, encoded
from shlo.debugger.recording.recorder import record
from shlo.debugger.recording.values import ValueReader, ValueRecord, write_value
from shlo.interpreter.kernel_api import TOKEN
from shlo.places.origins import SourceLine
from tests.debugger.programs import EFFECTS, LONG_LOOP, NESTED, ROUNDS_IN_GRID, read

pytestmark = pytest.mark.slow


class Counter:
    """A custom call that counts how often it is made."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, call: Any) -> Any:
        return self.evaluate

    def evaluate(self, x: Any) -> Any:
        self.calls += 1
        return np.float32(self.calls)


def effects(**handlers: Any) -> Session:
    return Session(read(EFFECTS), [np.float32(1)], seed=3, handlers=handlers)


def test_a_session_is_opened_where_it_stood_and_repeats_no_effect(tmp_path: Path) -> None:
    path, counter = str(tmp_path / "a.shlorec"), Counter()
    session = effects(count=counter)
    session.step_in()  # what came before is recorded too
    recorder = record(session, path)
    session.breakpoints.on_value("b", "max > 1")
    session.breakpoints.on_line(2, column=1)
    point = session.breakpoints.on_op("rng")
    session.breakpoints.ignore(point.number, 2)
    session.breakpoints.enable(point.number, False)
    session.goto(99)
    results = session.results
    session.goto(4)
    session.back_in()
    recorder.close()
    session.resume()  # no more of this is recorded
    opened = open_recording(path, handlers={"count": counter})
    assert (opened.position, [*opened.breakpoints]) == (3, [*session.breakpoints])
    assert opened.reverse().breakpoints == (1,)
    for position in (0, 4, 1, 5, 2, 99):
        opened.goto(position)
    assert (opened.results, counter.calls) == (results, 2)


def test_what_comes_after_the_recording_is_what_would_have_come(tmp_path: Path) -> None:
    text = EFFECTS.replace(
        "  return %d",
        "  %e = stablehlo.rng %b, %d, %shape, distribution = NORMAL : "
        "(tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>\n  return %e",
    )
    path, counter = str(tmp_path / "a.shlorec"), Counter()
    whole = Session(read(text), [1.0], seed=7, handlers={"count": Counter()})
    whole.resume()
    session = Session(read(text), [1.0], seed=7, handlers={"count": counter})
    recorder = record(session, path)
    session.goto(5)  # one number was drawn
    recorder.close()
    opened = open_recording(path, handlers={"count": counter})
    opened.resume()
    assert opened.results == whole.results


def test_a_failure_is_not_tried_again(tmp_path: Path) -> None:
    path, attempts = str(tmp_path / "a.shlorec"), list[Any]()

    def fail(call: Any) -> Any:
        return lambda x: attempts.append(x) or [][0]

    session = effects(count=fail)
    recorder = record(session, path)
    failed = session.resume()
    recorder.close()
    opened = open_recording(path, handlers={"count": fail})
    assert opened.snapshot.status == "ready"
    again = opened.resume()
    assert (again.status, again.error, len(attempts)) == (failed.status, failed.error, 1)


CRASH = """
import os, sys
import numpy as np
from shlo.debugger import Session
from shlo.debugger.recording import recorder
from tests.debugger.programs import EFFECTS, read

recorder.SECONDS_BETWEEN = 3600  # however slowly the steps are taken

def count(call):
    calls = []
    def evaluate(x):
        calls.append(x)
        if len(calls) == 2:
            os.kill(os.getpid(), 9)
        return np.float32(11)
    return evaluate

session = Session(read(EFFECTS), [np.float32(1)], handlers={"count": count})
recorder.record(session, sys.argv[1])
session.breakpoints.on_op("add")
session.resume()
session.resume()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_process_that_is_killed_leaves_a_recording_up_to_the_last_effect(tmp_path: Path) -> None:
    path = str(tmp_path / "a.shlorec")
    done = subprocess.run(
        [sys.executable, "-c", CRASH, path],
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == -9
    counter = Counter()
    opened = open_recording(path, handlers={"count": counter})
    assert (opened.position, float(opened.inspector.value("a")), counter.calls) == (1, 11, 0)
    assert opened.step_in().position == 2
    assert opened.step_in().position == 3
    assert counter.calls == 1  # the call that nobody knows the end of


def whole_recording(path: Path) -> bytes:
    session = effects(count=Counter())
    recorder = record(session, str(path))
    session.resume()
    recorder.close()
    assert recorder.error is None
    return path.read_bytes()


def test_every_beginning_of_a_recording_opens_or_says_why_not(tmp_path: Path) -> None:
    data, path = whole_recording(tmp_path / "a.shlorec"), tmp_path / "b.shlorec"
    outcomes: list[str] = []
    for end in range(len(data) + 1):
        path.write_bytes(data[:end])
        try:
            outcomes.append("damaged" if read_recording(str(path)).damage else "whole")
        except RecordingError:
            outcomes.append("refused")
    first = outcomes.index("whole")
    assert set(outcomes[:first]) == {"refused"}
    assert set(outcomes[first:]) == {"whole", "damaged"}


def test_a_flipped_bit_is_found_or_changes_nothing(tmp_path: Path) -> None:
    data, path = whole_recording(tmp_path / "a.shlorec"), tmp_path / "b.shlorec"
    session = effects(count=Counter())
    session.resume()
    for at in range(0, len(data), 7):
        path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        try:
            damage = read_recording(str(path)).damage
            assert not damage or "byte" in damage or "cut short" in damage
            opened = open_recording(str(path), handlers={"count": Counter()})
        except RecordingError as error:
            assert "byte" in str(error) or "cut short" in str(error)  # noqa: PT017
            continue
        opened.resume()
        assert opened.results == session.results


PROGRAM = ["program", EFFECTS.encode(), "x.mlir", "main"]


def arguments(*records: Any) -> list[Any]:
    """Returns the frames of a process's arguments, whose elements are in frames before."""
    packed = encoded(records)
    group = ["values", 0, len(records), len(packed), compress(packed)]
    return [group, ["arguments", [list(range(len(records)))]]]


INPUTS = arguments(["array", "float32", [], 4])
ONE = np.float32(1).tobytes()


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], "no program"),
        (INPUTS, "elements are missing"),
        ([PROGRAM, ONE, *arguments(["array", "float32", [2], 4])], "do not agree"),
        (
            [PROGRAM, ONE, *arguments(["array", "float32", [-1], -4])],
            "expected `int` >= 0 - at `$[0][2][0]`",
        ),
        (
            [PROGRAM, ONE, *arguments(["array", "float32", [1 << 40, 1 << 40], 1 << 82 & 0xFF])],
            "do not agree",
        ),
        ([PROGRAM, *arguments(["array", "object", [], 8])], "dtype"),
        ([PROGRAM, *arguments(["array", "float32", [0] * 99, 0])], "shape"),
        ([PROGRAM, ["arguments", 3]], "expected `array`, got `int` - at `$[1]`"),
        ([PROGRAM, ONE, ONE, *INPUTS, ["at", "x"]], None),
        ([["program", b"\xff", "x", "main"]], "utf-8"),
        ([["program", "text", "x", "main"]], "got `str` - at `$[1]`"),
        ([["program", b"func.func @main( {", "x", "main"], ["arguments", [[]]]], "expected"),
        ([PROGRAM, ["arguments", [[]]]], "takes 1 argument"),
        ([PROGRAM, *arguments("token")], "argument 0"),
        ([PROGRAM, ["grid", 0, 1], ONE, *INPUTS], "expected replicas of at least 1, got 0"),
        ([PROGRAM, ONE, *INPUTS, ["effect", 0, [], "{"], ["at", 1]], None),
        (
            [PROGRAM, ONE, *INPUTS, ["effect", 0, ["token"], None], ["at", 1]],
            "results that stablehlo.custom_call",
        ),
        (
            [PROGRAM, ONE, *INPUTS, ONE, ["effect", 0, [["array", "int32", [], 4]], None], ["at", 1]],
            "results that",
        ),
        ([PROGRAM, ONE, *INPUTS, ["effect", 9, [], '{"bit_generator": "x"}']], "PCG64"),
        (
            [
                PROGRAM,
                ONE,
                *INPUTS,
                ["breakpoints", [["line", 2, True, "max > 1 or 1", 0], 7, ["op", "x", 1, None, 0]]],
            ],
            None,
        ),
        ([msgspec.msgpack.Ext(5, b"x")], "does not fit the format"),
    ],
)
def test_frames_that_are_wrong_though_their_checksums_are_right(
    tmp_path: Path, frames: list[Any], message: str | None
) -> None:
    path = tmp_path / "a.shlorec"
    with open(path, "wb") as file:
        writer = FrameWriter(file)
        for frame in frames:
            writer.write(frame)
    if message is None:
        assert open_recording(str(path)).position == 0
        return
    with pytest.raises(RecordingError) as caught:
        open_recording(str(path), handlers={"count": Counter()})
    assert message.lower() in str(caught.value).lower()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no recording"),
        (b"func.func @main", "no recording"),
        (MAGIC + b"\x03\0\0\0", "version 3"),
        (MAGIC + b"\x02\0\0\0" + b"\xff" * 8 + b"\0" * 40, "cut short"),
        (MAGIC + b"\x02\0\0\0" + b"\x01" + b"\0" * 7 + b"\xf1\xee\x99\x2e" + b"\xc1", None),
    ],
)
def test_files_that_are_no_recordings(tmp_path: Path, data: bytes, message: str | None) -> None:
    path = tmp_path / "a.shlorec"
    path.write_bytes(data)
    with pytest.raises(RecordingError, match=message):
        open_recording(str(path))
    with pytest.raises(RecordingError, match="cannot be read"):
        open_recording(str(tmp_path / "nothing"))
    with pytest.raises(RecordingError, match="already"):
        record(effects(), str(path))
    with pytest.raises(RecordingError, match="cannot be written"):
        record(effects(), str(tmp_path / "no" / "a.shlorec"))


@pytest.mark.parametrize(
    "name", ["bool", "int4", "uint2", "bfloat16", "float8_e4m3fn", "float4_e2m1fn", "complex128"]
)
def test_values_of_every_kind_come_back(name: str) -> None:
    import ml_dtypes

    dtype = np.dtype(getattr(ml_dtypes, name, name))
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
    for value in (
        array,
        array.T,
        array[0, 1],
        array[:, :0],
        np.broadcast_to(array[0], (4, 3)),
        (array, (), TOKEN),
    ):
        chunks: list[bytes] = []
        plain = write_value(value, chunks.append)
        reader = ValueReader()
        for chunk in chunks:
            reader.chunk(chunk)
        again = reader.value(msgspec.msgpack.decode(msgspec.msgpack.encode(plain), type=ValueRecord))
        if isinstance(value, tuple):
            assert again[1:] == ((), TOKEN)
            again, value = again[0], array
        assert again.dtype == dtype
        assert again.shape == value.shape
        assert again.tobytes() == value.tobytes()


def test_a_long_command_notes_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "SECONDS_BETWEEN", 0)
    polls = iter([False] * 100)
    x = np.ones((64, 64), np.float32)
    session = Session(read(LONG_LOOP), [x], stop=lambda: next(polls, True))
    path = tmp_path / "a.shlorec"
    record(session, str(path))
    session.cursor.takes_bulk_steps = False
    session.resume()
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 40])  # the command's end is not there
    opened = open_recording(str(path))
    assert 90 < opened.position <= 101
    assert read_recording(str(path)).damage
    stopped = open_recording(str(path), stop=lambda: True)
    assert stopped.position < opened.position


def test_a_full_disk_ends_the_recording_and_not_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = effects(count=Counter())
    recorder = record(session, str(tmp_path / "a.shlorec"))

    def full(self: Any, content: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FrameWriter, "write", full)
    assert session.resume().status == "done"
    assert "No space left" in (recorder.error or "")
    recorder.close()


def test_a_program_without_a_text_is_recorded_as_text(tmp_path: Path) -> None:
    session = Session(replace(read(NESTED), source=None), [np.int32(5)])
    recorder = record(session, str(tmp_path / "a.shlorec"))
    session.goto(12)
    recorder.close()
    opened = open_recording(str(tmp_path / "a.shlorec"))
    ops = [[frame.op for frame in one.snapshot.frames] for one in (session, opened)]
    assert ops[0] == ops[1]
    assert opened.module.source
    opened.resume()
    assert [int(result) for result in opened.results] == [17]


def test_a_recording_shows_lines_of_python_where_the_files_are_not(tmp_path: Path) -> None:
    source, path = tmp_path / "model.py", tmp_path / "run.shlorec"
    source.write_text("def loss(x):\n    return jnp.log(x)\n")
    program = f"""
    func.func @main(%x: tensor<f32>) -> tensor<f32> {{
      %r = stablehlo.log %x : tensor<f32> loc("{source}":2:11)
      return %r : tensor<f32>
    }}"""
    session = Session(parse(program), [np.float32(-1)])
    session.structure.python.add_folder(str(tmp_path))
    recorder = record(session, str(path))
    session.resume()
    recorder.close()
    source.unlink()
    opened = open_recording(str(path))
    opened.resume()
    line = SourceLine(str(source), 2, 11)
    assert opened.structure.python.text_of(line) == "return jnp.log(x)"


def test_a_recording_keeps_its_semantics(tmp_path: Path) -> None:
    path, session = str(tmp_path / "a.shlorec"), Session(read(EFFECTS), [np.float32(1)], semantics="xla")
    record(session, path).close()
    assert open_recording(path).run.options.semantics == "xla"


def test_another_future_of_an_opened_grid_forgets_what_the_recording_had(tmp_path: Path) -> None:
    path, inputs = str(tmp_path / "a.shlorec"), [[np.ones(3, np.float32)]] * 4
    session = Session(read(ROUNDS_IN_GRID), inputs, replicas=2, partitions=2)
    recorder = record(session, path)
    last = session.resume().position
    session.goto(2)
    recorder.close()
    opened = open_recording(path)
    opened.step_process(3)
    assert opened.resume().position == last
    opened.restart()
    assert opened.resume().position == last


def test_breakpoints_of_a_recording_keep_their_numbers(tmp_path: Path) -> None:
    path, session = str(tmp_path / "numbers.shlorec"), Session(read(NESTED), [np.int32(5)])
    for line in (9, 10, 11):
        session.breakpoints.on_line(line)
    session.breakpoints.remove(2)
    record(session, path).close()
    opened = open_recording(path)
    assert [(point.number, point.where) for point in opened.breakpoints] == [(1, 9), (3, 11)]
    assert opened.breakpoints.on_line(10).number == 4


def test_breakpoints_that_became_alike_are_both_in_a_recording(tmp_path: Path) -> None:
    path, session = str(tmp_path / "twins.shlorec"), Session(read(NESTED), [np.int32(5)])
    session.breakpoints.on_line(10)
    session.breakpoints.enable(1, False)
    session.breakpoints.on_line(10, "%i == 2")
    session.breakpoints.restrict(2, None)
    session.breakpoints.ignore(2, 1)
    record(session, path).close()
    opened = open_recording(path).breakpoints
    assert [(point.where, point.enabled, point.ignored) for point in opened] == [
        (10, False, 0),
        (10, True, 1),
    ]
