"""Recordings whose trace, checkpoints and values are in the file: at any position they are what the session
was, nothing runs from the beginning, and a damaged or hostile file ends in a DebuggerError.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np
import pytest

from shlo.debugger import Session
from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.recording import recorder as recorder_module
from shlo.debugger.recording.columns import LARGEST, decompress, packed, unpacked
from shlo.debugger.recording.file import open_recording
from shlo.debugger.recording.frames import FrameReader, FrameWriter
from shlo.debugger.recording.recorder import RecordedValues, record
from shlo.debugger.recording.runs import RecordedRun
from shlo.debugger.recording.value_store import ValueStore, ValueWriter
from shlo.interpreter.kernel_api import TOKEN
from shlo.runner.equality import same_bits
from shlo.runner.statistics import statistics_of
from tests.debugger.parallel_programs import parallel_program
from tests.debugger.programs import LONG_LOOP, NESTED, ROUNDS_IN_GRID, STUCK_GRID, read

pytestmark = pytest.mark.slow


LOOP = """\
func.func @main(%n: tensor<i32>, %x: tensor<f32>, %w: tensor<3x70xbf16>) -> (tensor<f32>, tensor<70x3xbf16>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %b = func.call @next(%a) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %j, %b : tensor<i32>, tensor<f32>
    }
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x70xbf16>) -> tensor<70x3xbf16>
  %u = stablehlo.add %t, %t : tensor<70x3xbf16>
  return %r#1, %u : tensor<f32>, tensor<70x3xbf16>
}
func.func private @next(%a: tensor<f32>) -> tensor<f32> {
  %half = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %s = stablehlo.log %a : tensor<f32>
  %v = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %p = stablehlo.multiply %v, %half : tensor<2xf32>
  %q = stablehlo.slice %p [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %z = stablehlo.reshape %q : (tensor<1xf32>) -> tensor<f32>
  return %z : tensor<f32>
}
"""


def loop() -> Session:
    import ml_dtypes

    w = np.linspace(-1, 1, 210).reshape(3, 70).astype(ml_dtypes.bfloat16)
    return Session(read(LOOP), [np.int32(40), np.float32(9), w])


def grid() -> Session:
    return Session(read(ROUNDS_IN_GRID), [[np.ones(3, np.float32)]] * 4, replicas=2, partitions=2)


def stuck() -> Session:
    return Session(read(STUCK_GRID), [[np.ones(3, np.float32)]] * 4, replicas=2, partitions=2)


def generated(seed: int) -> Session:
    text, (replicas, partitions) = parallel_program(seed)
    inputs = [[np.arange(4, dtype=np.float32) + number] for number in range(replicas * partitions)]
    return Session(read(text), inputs, replicas=replicas, partitions=partitions, seed=seed)


SESSIONS = {
    "loop": loop,
    "nested": lambda: Session(read(NESTED), [np.int32(5)]),
    "grid": grid,
    "stuck": stuck,
    **{f"generated {seed}": lambda seed=seed: generated(seed) for seed in range(8)},
}


def place_of(session: Session) -> list[Any]:
    """Returns where all processes are, and all values in scope in the selected one."""
    grid, snapshot = session.cursor.grid, session.snapshot
    frames = [
        [(one.function.name, one.code.place(one.index), one.region, one.iteration) for one in process.frames]
        for process in grid.processes
    ]
    statuses = [grid.status_of(number) for number in range(len(grid.processes))]
    step = snapshot.last_step
    return [
        snapshot.position,
        snapshot.last,
        snapshot.status,
        snapshot.error,
        frames,
        statuses,
        step and step.bound,
    ]


def values_of(session: Session) -> list[tuple[str, Any]]:
    return [(view.name, session.inspector.value(view.name)) for view in session.inspector.values()]


def recorded(tmp_path: Path, session: Session, values: RecordedValues = "statistics", **limits: int) -> str:
    path = str(tmp_path / f"{values}.shlorec")
    recorder = record(session, path, values, **limits)
    session.resume()
    recorder.close()
    assert recorder.error is None
    return path


@pytest.fixture(autouse=True)
def _checkpoints_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder_module, "STEPS_BETWEEN", 7)


@pytest.mark.parametrize("values", get_args(RecordedValues))
@pytest.mark.parametrize("name", SESSIONS)
def test_at_any_position_an_opened_recording_is_what_the_session_was(
    tmp_path: Path, name: str, values: RecordedValues
) -> None:
    session = SESSIONS[name]()
    path = recorded(tmp_path, session, values)
    opened, choose = open_recording(path), random.Random(1)
    assert place_of(opened) == place_of(session)
    size = len(session.cursor.grid.processes)
    for _ in range(12):
        position, process = choose.randrange(session.cursor.last + 1), choose.randrange(size)
        for one in (opened, session):
            one.goto(position)
            one.select_process(process)
        assert place_of(opened) == place_of(session)
        for view in opened.inspector.values():
            value = session.inspector.value(view.name)
            assert opened.inspector.statistics(view.name) == statistics_of(value)
            assert same_bits((opened.inspector.value(view.name),), (value,))
    opened.goto(session.cursor.last)
    session.goto(session.cursor.last)
    assert place_of(opened) == place_of(session)
    if session.snapshot.status == "done":
        assert same_bits(opened.results, session.results)


@pytest.mark.parametrize("name", ["loop", "grid", "generated 3"])
@pytest.mark.parametrize("values", ["statistics", "all"])
def test_values_are_read_by_step_and_name(tmp_path: Path, name: str, values: RecordedValues) -> None:
    session = SESSIONS[name]()
    run = RecordedRun(recorded(tmp_path, session, values))
    count = 0
    for found in run.values():
        count += 1
        if count % 7 == 0:
            session.goto(found.position)
            session.select_process(found.process)
            value = session.inspector.value(found.name)
            assert found.statistics == statistics_of(value)
            assert found.step == session.cursor.process.steps
            if values == "all" and found.statistics is not None:  # and no future of an asynchronous operation
                assert same_bits((found.value,), (value,))
    history = session.cursor.history
    assert count == sum(
        len(history.points[number].bound)
        for position in range(1, session.cursor.last + 1)
        for _, number in history.arrivals(position)
    )
    assert run.session.position == 0


def test_opening_and_jumping_run_little_of_the_program(tmp_path: Path) -> None:
    x = np.ones((64, 64), np.float32)
    session = Session(read(LONG_LOOP), [x])
    path = recorded(tmp_path, session)
    opened = open_recording(path)
    taken: list[int] = []
    step = opened.cursor.grid.step
    opened.cursor.grid.step = lambda *given: taken.append(1) or step(*given)  # type: ignore[method-assign]
    for position in (5, opened.cursor.last // 2, opened.cursor.last - 1):
        opened.goto(position)
    assert len(taken) < 3 * (recorder_module.STEPS_BETWEEN + 7)


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_future_that_was_cut_off_is_not_in_the_recording(tmp_path: Path, is_indexed: bool) -> None:
    session, path = grid(), tmp_path / "a.shlorec"
    recorder = record(session, str(path))
    session.resume()
    session.goto(9)
    session.step_process(3)
    session.resume()
    recorder.close()
    if not is_indexed:
        path.write_bytes(path.read_bytes()[:-27])
    opened = open_recording(str(path))
    for position in (9, 10, 11, 200, session.cursor.last):
        session.goto(position)
        opened.goto(position)
        assert place_of(opened) == place_of(session)
        assert same_bits(
            tuple(value for _, value in values_of(opened)), tuple(value for _, value in values_of(session))
        )
    for found in RecordedRun(str(path)).values():
        if found.position % 31 == 0 or found.position < 15:
            session.goto(found.position)
            session.select_process(found.process)
            assert found.statistics == statistics_of(session.inspector.value(found.name))


def test_another_future_of_an_opened_recording_leaves_the_file_behind(tmp_path: Path) -> None:
    session = grid()
    path = recorded(tmp_path, session)
    opened = open_recording(path)
    for one in (session, opened):
        one.goto(9)
        one.step_process(3)
        one.resume()
    for position in (8, 10, 300, session.cursor.last):
        session.goto(position)
        opened.goto(position)
        assert place_of(opened) == place_of(session)


def test_a_recording_without_its_end_is_read_by_its_frames(tmp_path: Path) -> None:
    session = loop()
    path = Path(recorded(tmp_path, session, "all"))
    whole = [(found.position, found.name, found.statistics) for found in RecordedRun(str(path)).values()]
    path.write_bytes(path.read_bytes()[:-27])
    again = [(found.position, found.name, found.statistics) for found in RecordedRun(str(path)).values()]
    assert again == whole
    assert open_recording(str(path)).cursor.last == session.cursor.last


def test_the_past_of_a_session_is_in_its_recording(tmp_path: Path) -> None:
    session, path = loop(), str(tmp_path / "a.shlorec")
    session.goto(100)
    record(session, path).close()
    opened = open_recording(path)
    session.goto(60)
    opened.goto(60)
    assert place_of(opened) == place_of(session)


def test_a_small_limit_leaves_values_out_and_not_the_way(tmp_path: Path) -> None:
    session, paths = loop(), list[Path]()
    for limit in (6000, 1 << 30):
        (tmp_path / str(limit)).mkdir()
        paths.append(Path(recorded(tmp_path / str(limit), loop(), "all", limit=limit)))
    small, large = paths
    assert small.stat().st_size < large.stat().st_size
    session.resume()
    opened = open_recording(str(small))
    for position in (300, 17):
        session.goto(position)
        opened.goto(position)
        assert place_of(opened) == place_of(session)


# --- hostile files ---


def visit(path: Path, choose: random.Random) -> None:
    """Opens a file and looks around; whatever is wrong is a DebuggerError."""
    start = time.monotonic()
    try:
        opened = open_recording(str(path), stop=lambda: time.monotonic() - start > 5)
        for _ in range(3):
            opened.goto(choose.randrange(opened.cursor.last + 1))
            for view in opened.inspector.values()[-3:]:
                opened.inspector.summary(view.name)
                opened.inspector.statistics(view.name)
        sum(1 for _ in RecordedRun(str(path)).values())
    except DebuggerError:
        pass


@pytest.mark.parametrize("name", ["nested", "generated 1"])
@pytest.mark.parametrize("values", ["statistics", "all"])
def test_damaged_bytes_end_in_an_error_or_nothing(tmp_path: Path, name: str, values: RecordedValues) -> None:
    data = Path(recorded(tmp_path, SESSIONS[name](), values)).read_bytes()
    choose, path = random.Random(name + values), tmp_path / "b.shlorec"
    for _ in range(60):
        at = choose.randrange(len(data))
        damaged = bytearray(data)
        damaged[at] ^= 1 << choose.randrange(8)
        path.write_bytes(damaged if choose.random() < 0.6 else data[:at])
        visit(path, choose)


ODD = (None, -1, 0, 1, 3, 1 << 40, (1 << 63) - 1, "", "x", b"", b"\xff" * 9, [], [[]], [0], 1.5, True)


def mutated(content: Any, choose: random.Random) -> Any:
    """Returns an object with one part of it replaced."""
    if isinstance(content, list) and content and choose.random() < 0.85:
        at = choose.randrange(len(content))
        return [*content[:at], mutated(content[at], choose), *content[at + 1 :]]
    if isinstance(content, int) and choose.random() < 0.6:
        return content + choose.choice((-1, 1, 7, 1 << 20))
    return choose.choice(ODD)


@pytest.mark.parametrize("name", ["nested", "generated 1"])
@pytest.mark.parametrize("values", ["statistics", "all"])
def test_wrong_frames_with_right_checksums_end_in_an_error_or_nothing(
    tmp_path: Path, name: str, values: RecordedValues
) -> None:
    source = recorded(tmp_path, SESSIONS[name](), values)
    with open(source, "rb") as file:
        frames = [content for _, content in FrameReader(file).all()][:-2]  # without index
    choose = random.Random(name + values)
    for count in range(120):
        changed, at = list(frames), choose.randrange(len(frames))
        kind = changed[at][0] if isinstance(changed[at], list) else None
        if kind in ("checkpoint", "values") and choose.random() < 0.8:
            *head, size, data = changed[at]
            inner = msgspec.msgpack.encode(mutated(msgspec.msgpack.decode(decompress(data, size)), choose))
            changed[at] = [*head, len(inner), recorder_module.compress(inner)]
        else:
            changed[at] = mutated(changed[at], choose)
        path = tmp_path / f"{count}.shlorec"
        with open(path, "wb") as file:
            writer = FrameWriter(file)
            for frame in changed:
                writer.write(frame)
        visit(path, choose)
        path.unlink()


def test_what_is_compressed_is_never_unpacked_beyond_its_size() -> None:
    bomb = recorder_module.compress(bytes(64 << 20))
    for size in (0, 1, 1 << 20, LARGEST, LARGEST + 1, 1 << 60, -1):
        with pytest.raises(RecordingError):
            decompress(bomb, size)
    with pytest.raises(RecordingError, match="damaged"):
        decompress(b"no zlib", 7)


def test_columns_come_back() -> None:
    columns = [
        np.array([5, -3, 2**31 - 1, -(2**31)], np.int32),
        np.zeros(0, np.int32),
        np.array([1 << 62, -(1 << 62), 7], np.int64),
    ]
    again = unpacked(packed(columns), ["i4", "i4", "i8"], [4, 0, 3])
    assert all(np.array_equal(one, other) for one, other in zip(columns, again))
    with pytest.raises(RecordingError):
        unpacked(packed(columns), ["i4", "i4", "i8"], [4, 0, 2])


def test_a_value_is_written_once(tmp_path: Path) -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    values = [array, array, array.T, array[1:], (array, TOKEN), np.float32(3), np.array(5)]
    with open(tmp_path / "a", "wb+") as file:
        writer = ValueWriter(FrameWriter(file).write)
        numbers = [writer.number(value) for value in values]
        writer.flush()
        file.seek(0)
        store = ValueStore(FrameReader(file), writer.groups)
        assert numbers == [0, 0, 1, 2, 3, 4, 5]
        assert all(same_bits((store.value(number),), (value,)) for number, value in zip(numbers, values))
        with pytest.raises(RecordingError):
            store.value(6)
