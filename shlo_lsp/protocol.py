"""Messages of the protocol, as pygls has them but for two things: a request that is no valid one gets an
answer, and results of plain data are written fast."""

from __future__ import annotations

import logging
from typing import Any

from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCResponseMessage, LanguageServerProtocol

from shlo_lsp.settings import json_object

logger = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """Turns messages into calls of a `Server`."""

    def receive(self, data: Any) -> None:
        """Takes a message, decoded from JSON; a request that is no valid one is answered with an error."""
        try:
            message: Any = self.structure_message(data)
            self.handle_message(message)
        except Exception as error:
            logger.exception("a message could not be handled")
            request = json_object(data)
            if "id" in request and "method" in request:
                fault = error if isinstance(error, JsonRpcException) else JsonRpcException(str(error))
                self._send_response(request["id"], error=fault.to_response_error())

    def _serialize_message(self, data: Any) -> Any:
        """What JSON cannot express, as what it can; results of plain data are left to it, which is fast."""
        if isinstance(data, JsonRPCResponseMessage):
            return {"jsonrpc": data.jsonrpc, "id": data.id, "result": data.result}
        return super()._serialize_message(data)
