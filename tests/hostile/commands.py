"""A command line of each subcommand that prints what its files hold."""

from __future__ import annotations

import re
import sys
from io import BytesIO, TextIOWrapper
from typing import Final, NamedTuple

from shlo.cli import main

COMMAND_LINES: Final[dict[str, tuple[str, ...]]] = {
    "check": ("check", "{file}"),
    "check json": ("check", "{file}", "--format", "json"),
    "check sarif": ("check", "{file}", "--format", "sarif"),
    "convert": ("convert", "{file}"),
    "cost": ("cost", "{file}"),
    "cost json": ("cost", "{file}", "--format", "json"),
    "debug": ("debug", "{file}", "--zeros", "--script", "{script}"),
    "diff": ("diff", "{file}", "{other}", "--text"),
    "diff runs": ("diff", "{file}", "{other}", "--zeros"),
    "fold": ("fold", "{file}"),
    "fmt": ("fmt", "{file}"),
    "fmt check": ("fmt", "--check", "{file}"),
    "graph": ("graph", "{file}"),
    "graph html": ("graph", "{file}", "--format", "html"),
    "graph json": ("graph", "{file}", "--format", "json"),
    "inspect": ("inspect", "{bytecode}"),
    "inspect json": ("inspect", "{bytecode}", "--format", "json"),
    "inspect text": ("inspect", "{file}"),
    "list": ("list", "{folder}"),
    "ops": ("ops", "{name}"),
    "opt": ("opt", "{file}", "--pass", "stablehlo-aggressive-folder"),
    "refine": ("refine", "{file}"),
    "reduce": ("reduce", "{file}", "--zeros", "--nan", "-o", "{output}"),
    "run": ("run", "{file}", "--zeros", "--entry", "{name}"),
    "run entry": ("run", "{file}", "--zeros", "--entry", "{name}"),
    "run option": ("run", "{file}", "--{name}", "--grid={name}", "--seed={name}"),
    "test": ("test", "{file}"),
    "unknown command": ("{name}", "{file}"),
}


class Terminal(NamedTuple):
    """Standard output and standard error that a command is given, and whether they are terminals."""

    out: TextIOWrapper
    err: TextIOWrapper

    @staticmethod
    def open(is_terminal: bool) -> Terminal:
        """Returns streams that keep what is written to them."""
        streams = [TextIOWrapper(BytesIO(), "utf-8", errors="surrogateescape") for _ in range(2)]
        for stream in streams:
            stream.isatty = lambda: is_terminal  # type: ignore[method-assign]
        return Terminal(*streams)

    def text(self) -> str:
        """Returns what was written to both."""
        for stream in self:
            stream.flush()
        return "".join(stream.buffer.getvalue().decode("utf-8", "surrogateescape") for stream in self)  # type: ignore[attr-defined]


def written_to(terminal: Terminal, *arguments: str) -> str:
    """Returns what a command writes to a terminal."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = terminal
    try:
        main(arguments)
        return terminal.text()
    finally:
        sys.stdout, sys.stderr = before


HOSTILE: Final = (
    *(
        "\x1b[31mred",
        "\x1b]0;title\x07",
        "\x1b]52;c;cm0gLXJm\x07",
        "\x1b]8;;http://x\x1b\\link",
        "\x1b[2J",
        "\x1bc",
    ),
    *("\x00nul", "\x07bell", "\x08\x08back", "\x0bvertical", "\x0cfeed", "\x0e\x0fshift", "\x7fdelete"),
    *("\x85next", "\x90device", "\x9b31mred", "\x9d0;title\x9c", "\x9fprogram"),
    *("\u061cletter", "\u200eleft", "\u200fright", "\u202aembed", "\u202eoverride", "\u202cpop"),
    *("\u2066isolate", "\u2067right", "\u2069pop", "\u2028line", "\u2029paragraph", "fine\rwrong"),
)
"""Names that would drive a terminal, or show a line as another one."""

RAW: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\udc00-\udfff]"
)
"""What no command may write to a terminal."""


def quoted(name: str) -> str:
    """Returns a name as a string of MLIR."""
    return '"' + "".join(f"\\{byte:02X}" for byte in name.encode()) + '"'


def hostile_program(name: str) -> str:
    """Returns a program whose functions, attributes, values' locations and metadata have a name."""
    text = quoted(name)
    return f"""module @{text} attributes {{my.a = {text}}} {{
  func.func @main() -> tensor<f32> attributes {{my.b = {text}}} {{
    %0 = stablehlo.constant {{my.c = {text}}} dense<0.0> : tensor<f32> loc({text})
    %1 = stablehlo.divide %0, %0 : tensor<f32> loc("scope/{text[1:-1]}/x"({text}:1:1))
    %2 = stablehlo.custom_call @{text}(%1) {{backend_config = {text}}} : (tensor<f32>) -> tensor<f32>
    %3 = func.call @{text}(%2) : (tensor<f32>) -> tensor<f32>
    stablehlo.custom_call @check.expect_eq(%3, %0) : (tensor<f32>, tensor<f32>) -> ()
    func.return %3 : tensor<f32>
  }}
  func.func @{text}(%arg0: tensor<f32> {{jax.arg_info = {text}}}  loc({text})) -> (tensor<f32> {{jax.result_info = {text}}}) {{
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    func.return %0 : tensor<f32>
  }}
}}
"""
