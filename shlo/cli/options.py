"""Options that several subcommands have, and how help is laid out."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter


def make_parser(prog: str) -> ArgumentParser:
    """A parser whose help keeps the lines of descriptions and examples as they are."""
    return ArgumentParser(prog=prog, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False)


def describe(parser: ArgumentParser, description: str, *examples: tuple[str, str]) -> None:
    """Gives a parser its description and examples: a command line, and what it does."""
    parser.description = description
    width = max((len(command) for command, _ in examples), default=0)
    lines = [f"  {command:{width}}  {meaning}" for command, meaning in examples]
    parser.epilog = "\n".join(["examples:", *lines])


def add_format(parser: ArgumentParser) -> None:
    """`--format text|json`."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to write the output (default: text)"
    )


def natural(text: str) -> int:
    """A whole number that is not negative; argparse reports the ValueError."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


natural.__name__ = "number"
