"""`shlo fold`: computes what constants decide, before the program runs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import add_semantics, add_transform, describe, natural, program_of
from shlo.transforms.constant_folding import MAX_ELEMENTS, MAX_STEPS, fold


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo fold`."""
    describe(
        parser,
        "Fold constants: operations whose operands are constants become constants themselves.",
        ("shlo fold model.mlir", "the folded program on standard output"),
        ("shlo fold model.mlir -o folded.mlir", "into a file"),
        ("shlo fold model.mlir --max-elements 64", "only results of up to 64 elements"),
    )
    add_transform(parser)
    parser.add_argument(
        "--max-elements",
        type=natural,
        default=MAX_ELEMENTS,
        metavar="N",
        help=f"the most elements that a new constant may have ({MAX_ELEMENTS})",
    )
    parser.add_argument(
        "--max-steps",
        type=natural,
        default=MAX_STEPS,
        metavar="N",
        help=f"the most operations that a loop, branch or call may take ({MAX_STEPS})",
    )
    add_semantics(parser)


def execute(options: Namespace, console: Console) -> int:
    """Prints or saves the folded program."""
    folded = fold(
        program_of(options),
        max_elements=options.max_elements,
        max_steps=options.max_steps,
        semantics=options.semantics,
    )
    text = folded.to_text(generic=options.generic)
    console.print_program(text, options.output)
    return FINE
