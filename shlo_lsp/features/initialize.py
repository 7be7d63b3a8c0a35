"""The first request: what the client can do and wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from shlo_lsp.server import Server


def initialize(server: Server, params: types.InitializeParams) -> None:
    """Takes the initialization options; pygls answers with what the server can do."""
    server.settings = server.settings.initialized(params.initialization_options)
    if params.trace is not None:
        server.protocol.trace = params.trace
