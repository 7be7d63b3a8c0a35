"""Programs as text, bytecode or portable artifacts: what a file is to hold, and writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from msgspec import Struct

from shlo.runner.errors import RequestError
from shlo.support.suffixes import BYTECODE_SUFFIXES, TEXT_SUFFIXES

if TYPE_CHECKING:
    from shlo.ir.operations import Module
    from shlo_bytecode import EncodingError, Obstacle

Form = Literal["text", "bytecode", "artifact"]
FORMS: Final[tuple[Form, ...]] = ("text", "bytecode", "artifact")
SUFFIXES: Final[dict[str, Form]] = {
    **dict.fromkeys((*TEXT_SUFFIXES, ".txt"), "text"),
    **dict.fromkeys(BYTECODE_SUFFIXES, "bytecode"),
}
"""What a file of that name is to hold, where nothing else says it."""
SHOWN_AT_MOST = 20
"""How many reasons of a refusal are shown."""


class OutputForm(Struct, frozen=True):
    """What is to be written: the form; an artifact's version of StableHLO (`target`), of bytecode its version
    (None: one that most tools read) and producer; whether it has locations, of text whether it is MLIR's
    generic form, and what reads a binary form (`consumer`, as in `shlo_bytecode.write`).
    """

    form: Form
    target: str | None = None
    bytecode_version: int | None = None
    producer: str = "shlo"
    locations: bool = True
    generic: bool = False
    consumer: str | None = None

    def __post_init__(self) -> None:
        if self.form == "artifact" and self.target is None and self.consumer is None:
            raise RequestError(
                "an artifact is for a version of StableHLO", "--target 1.4.0, or --for jaxlib==0.10.2"
            )
        if self.consumer is not None and (self.form == "text" or self.target is not None):
            raise RequestError(
                "a text is for every tool"
                if self.form == "text"
                else "--for and --target exclude each other",
                "--for is for bytecode, and artifacts without --target",
            )
        if self.form != "artifact" and self.target is not None:
            raise RequestError(f"a version of StableHLO is for artifacts, not for {self.form}")


def form_of_name(path: str, target: str | None = None) -> Form:
    """Returns what a file of that name is to hold; an artifact where there is a target.

    Raises RequestError.
    """
    if target is not None:
        return "artifact"
    for suffix, form in SUFFIXES.items():
        if path.lower().endswith(suffix):
            return form
    raise RequestError(
        f"the name {path} does not say what to write",
        f"--emit {', --emit '.join(FORMS)}, or one of the suffixes {', '.join(SUFFIXES)}",
    )


def is_artifact(consumer: str) -> bool:
    """Returns whether a consumer is named by a portable artifact; raises RequestError for what names none."""
    from shlo_bytecode.vhlo.versions import consumer_of

    try:
        return consumer_of(consumer).is_artifact
    except ValueError as error:
        raise RequestError(str(error)) from None


def write_program(file: BinaryIO, module: Module, output: OutputForm) -> None:
    """Writes a program into a file.

    Raises EncodingError where its form cannot hold it, and RequestError for a version that there is not.
    """
    import shlo_bytecode

    if output.form == "text":
        text = module.to_text(generic=output.generic, locations=output.locations)
        file.write(text.encode("utf-8", "surrogateescape"))
        return
    locations = output.locations
    try:
        consumer = output.consumer
        if output.form == "artifact":
            shlo_bytecode.save_artifact(file, module, output.target, consumer=consumer, locations=locations)
        else:
            version, producer = output.bytecode_version, output.producer
            shlo_bytecode.save(
                file, module, version, consumer=consumer, producer=producer, locations=locations
            )
    except ValueError as error:
        raise RequestError(str(error)) from None


def obstacle_text(obstacle: Obstacle) -> str:
    """Returns what keeps an operation out of a form, without its place."""
    since = f"; version {obstacle.first} first has it" if obstacle.first else ""
    return f"{obstacle.operation}: {obstacle.reason}{since}"


def refusal(error: EncodingError) -> list[str]:
    """Returns why a form cannot hold a program, a line for each reason, the first ones of many."""
    shown = error.obstacles[:SHOWN_AT_MOST]
    lines = [
        f"{obstacle.place}: {obstacle_text(obstacle)}" if obstacle.place else obstacle_text(obstacle)
        for obstacle in shown
    ]
    more = len(error.obstacles) - len(shown)
    return [*lines, f"... and {more} more"] if more else lines
