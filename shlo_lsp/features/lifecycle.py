"""Initialization and configuration of a session."""

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


def configure(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Takes the new configuration; hints appear or go at once where the client can ask again."""
    before = server.settings
    server.settings = before.configured(params.settings)
    server.settings_number += 1
    if server.settings.inlay_hints != before.inlay_hints and server.client.can(
        "workspace.inlay_hint.refresh_support"
    ):
        server.workspace_inlay_hint_refresh(None)
