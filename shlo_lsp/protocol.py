"""Messages of the protocol, as pygls has them but for two things: a request that is no valid one gets an
answer, and results of plain data are written fast."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from msgspec import Struct
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import JsonRPCResponseMessage, LanguageServerProtocol

from shlo.support.cancellation import checkpoint
from shlo_lsp.settings import json_object

if TYPE_CHECKING:
    from shlo_lsp.server import Server

logger = logging.getLogger(__name__)


PIECE = 64
"""Items of a list that are written in one go, in which no other thread runs."""


class Json(Struct, frozen=True):
    """A result as JSON, written by the thread that computed it."""

    data: bytes


def written(value: Any, plain: Callable[[Any], Any]) -> str:
    """Returns a value as JSON, which `plain` makes plain data; long lists on the outer levels in pieces."""
    if isinstance(value, list):
        items = cast("list[Any]", value)
        pieces: list[str] = []
        for at in range(0, len(items), PIECE):
            checkpoint()
            pieces.append(json.dumps(plain(items[at : at + PIECE]))[1:-1])
        return f"[{', '.join(pieces)}]"
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        pairs = (f"{json.dumps(key)}: {written(entry, plain)}" for key, entry in entries.items())
        return f"{{{', '.join(pairs)}}}"
    data = plain(value)
    return (
        json.dumps(data) if data is value or not isinstance(data, dict) else written(data, lambda item: item)
    )


_MEMBERS: Final = ("jsonrpc", "id", "method", "params", "result", "error")


def _message_of(data: Any) -> dict[str, Any]:
    """Returns a message with the members that JSON-RPC 2.0 gives it; raises JsonRpcInvalidRequest for what is
    none.
    """
    message = {name: value for name, value in json_object(data).items() if name in _MEMBERS}
    has_form = message.get("jsonrpc") == "2.0" and isinstance(message.get("id", 0), (int, str))
    is_answer = "method" not in message and ("result" in message) != ("error" in message)
    if not has_form or not (is_answer or isinstance(message.get("method"), str)):
        raise JsonRpcInvalidRequest("expected a message of JSON-RPC 2.0")
    return message


class Protocol(LanguageServerProtocol):
    """Turns messages into calls of a `Server`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "server_capabilities" and not cast("Server", self._server).client.asks_for_diagnostics:
            value.diagnostic_provider = None  # a client that is pushed findings would show them twice
        super().__setattr__(name, value)

    def receive(self, data: Any) -> None:
        """Takes a message, decoded from JSON; a request that is no valid one is answered with an error."""
        try:
            message: Any = self.structure_message(_message_of(data))
            self.handle_message(message)
        except Exception as error:
            logger.error("a message could not be handled: %s", error)
            logger.debug("where", exc_info=True)
            request = json_object(data)
            if "id" in request and "method" in request:
                fault = error if isinstance(error, JsonRpcException) else JsonRpcException(str(error))
                self._send_response(request["id"], error=fault.to_response_error())

    def json(self, result: Any) -> Json:
        """Returns a result as JSON; any thread may ask."""
        return (
            result
            if isinstance(result, Json)
            else Json(written(result, self._converter.unstructure).encode())
        )

    def items(self, values: list[Any]) -> str:
        """Returns the items of a list as JSON; any thread may ask."""
        return written(values, self._converter.unstructure)[1:-1]

    def publish(self, uri: str, version: int, items: str) -> None:
        """Sends the findings of a version of a document, the items of a list as JSON."""
        params = f'{{"uri": {json.dumps(uri)}, "version": {version}, "diagnostics": [{items}]}}'
        method = json.dumps(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        self._write(f'{{"jsonrpc": "2.0", "method": {method}, "params": {params}}}'.encode())

    def _send_data(self, data: Any) -> None:
        """Sends a message; a result that is JSON already as it is."""
        result = getattr(data, "result", None)
        if isinstance(result, Json):
            head = b'{"jsonrpc": "2.0", "id": %b, "result": ' % json.dumps(data.id).encode()
            self._write(head, result.data, b"}")
        else:
            super()._send_data(data)

    def _write(self, *body: bytes) -> None:
        """Sends a message in pieces, as JSON."""
        if self.writer is not None:
            self.writer.write(b"".join([b"Content-Length: %d\r\n\r\n" % sum(map(len, body)), *body]))

    def _serialize_message(self, data: Any) -> Any:
        """What JSON cannot express, as what it can; results of plain data are left to it, which is fast."""
        if isinstance(data, JsonRPCResponseMessage):
            return {"jsonrpc": data.jsonrpc, "id": data.id, "result": data.result}
        return super()._serialize_message(data)
