"""The worked page on a recording is what happens; the page on the format says what is written."""

from __future__ import annotations

import re
import shutil
import struct
from pathlib import Path

import pytest

from shlo.cli import main
from shlo.debugger.recording import columns, frames, recorder, trace, values
from shlo.debugger.recording.file import PARTS, read_recording
from shlo.debugger.recording.statistics import COLUMNS

from .replay import ROOT, replayed

FORMAT = (ROOT / "docs" / "recordings.md").read_text("utf-8")


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recording of the page's run, without the program beside it."""
    page = (ROOT / "docs" / "recording.md").read_text("utf-8")
    (command,) = re.findall(r"^shlo (run \S+ --record \S+) ", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("examples").mkdir()
    shutil.copy(ROOT / "examples" / "diverging.mlir", "examples")
    assert main(command.split()) == 0
    shutil.rmtree("examples")
    return tmp_path / "run.shlorec"


def test_the_debugger_answers_what_the_page_shows(recording: Path) -> None:
    page = (ROOT / "docs" / "recording.md").read_text("utf-8")
    assert recording.stat().st_size < 100_000
    assert page.count("\n(shlo) ") > 6
    assert replayed(page) == page


def test_the_format_page_says_what_is_written(recording: Path) -> None:
    data = recording.read_bytes()
    assert data.startswith(frames.MAGIC + struct.pack("<I", frames.VERSION))
    assert f"describes version {frames.VERSION} of the format" in FORMAT
    assert "`SHLOREC\\n`" in FORMAT
    described = set(re.findall(r'`\["(\w+)"', FORMAT))
    with open(recording, "rb") as file:
        reader = frames.FrameReader(file)
        written = {content[0] for _, content in reader.all() if isinstance(content, list)}
        assert reader.at(reader.size - 27) == [
            "end",
            struct.pack("<Q", reader.size - 27 - _index_size(reader)),
        ]
    assert written <= described
    assert set(PARTS) <= written | {"results", "checkpoint"}  # a fast run has no need of checkpoints
    assert f"at most {columns.LARGEST >> 20} MiB" in FORMAT
    assert f"frames of at most {values.CHUNK >> 20} MiB" in FORMAT
    assert f"every {recorder.STEPS_BETWEEN} steps" in FORMAT
    assert f"more than {recorder.BUSY * 1000:.0f} ms" in FORMAT
    assert f"({trace.NOWHERE}: done; {trace.STAYS}: it began to wait" in re.sub(r"\s+", " ", FORMAT)
    rows = FORMAT.split("a row for each value")[1].split("The kind")[0]
    assert rows.rsplit(":", 1)[1].count(";") + 1 == COLUMNS
    assert read_recording(str(recording)).damage == ""


def _index_size(reader: frames.FrameReader) -> int:
    offsets = [offset for offset, _ in reader.all()]
    return offsets[-1] - offsets[-2]


def test_the_values_are_read_as_the_page_shows(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", FORMAT, re.DOTALL)
    exec(code, {})
    (printed,) = re.findall(r"This prints `(.*?)`", FORMAT)
    assert capsys.readouterr().out == f"{printed}\n"
