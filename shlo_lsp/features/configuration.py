"""Changes of the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from shlo_lsp.server import Server


def changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Takes the new configuration; hints appear or go at once where the client can ask again."""
    before = server.settings
    server.settings = before.configured(params.settings)
    if server.settings.inlay_hints != before.inlay_hints and server.client.can(
        "workspace.inlay_hint.refresh_support"
    ):
        server.workspace_inlay_hint_refresh(None)
