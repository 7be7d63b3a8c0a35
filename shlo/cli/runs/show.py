"""`shlo show`: a recording as a page that steps through it, for those who have no shlo."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import add_result, describe
from shlo.debugger.errors import RecordingError
from shlo.runner.errors import RequestError
from shlo.support.suffixes import RECORDING_SUFFIX


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo show`."""
    describe(
        parser,
        "Write a recording as one page that steps through it in a browser, both ways, without a network and\n"
        "without shlo: the source, the Python files it comes from, what each step bound, and elements of\n"
        "values near where it stopped and where NaN and infinities were made. The page has 2,000 steps at\n"
        "most and stays below 2 MB. Without -o it prints where the recording stopped.",
        ("shlo run model.mlir x.npy --record run.shlorec", "a recording"),
        ("shlo show run.shlorec -o run.html", "the page"),
    )
    parser.add_argument("file", metavar="RECORDING", help="what shlo run or shlo debug wrote with --record")
    add_result(parser, "HTML")


def execute(options: Namespace, console: Console) -> int:
    """Writes the page."""
    from shlo.debugger.recording.file import open_recording
    from shlo.debugger.views.replay import page_data, replay_of
    from shlo.pages.replay import replay_page

    if not options.file.endswith(RECORDING_SUFFIX):
        what = f"expected a recording, a file that ends with {RECORDING_SUFFIX}, got {options.file}"
        raise RequestError(what, "shlo run --record FILE writes one; shlo graph and shlo cost draw programs")
    try:
        session = open_recording(options.file)
    except RecordingError as error:
        raise RequestError(str(error)) from None
    replay = replay_of(session)
    if not options.output:
        console.print_program(f"{replay.text}\n", None)
        return FINE
    page = replay_page(page_data(replay), replay.tensors, Path(options.file).name)
    console.print_program(page, options.output)
    return FINE
