"""A client of a kernel that runs."""

from __future__ import annotations

from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient


class KernelClient:
    """A front end that asks a kernel and waits for its answers."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client

    def reply_to(self, request: str) -> dict[str, Any]:
        """Waits for the answer to a request of the shell channel; returns its content."""
        while True:
            reply = self.client.get_shell_msg(timeout=20)
            if reply["parent_header"]["msg_id"] == request:
                return reply["content"]
