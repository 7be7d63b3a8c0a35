"""The `shlo` command: one module per subcommand, of which only the one that is called is loaded."""

from __future__ import annotations

from shlo.cli.main import main

__all__ = ["main"]
