"""The errors of requests."""

from __future__ import annotations

import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException


class RequestFailed(JsonRpcException):
    """A request that is a valid one and cannot be fulfilled, and why, in words for people."""

    CODE = types.LSPErrorCodes.RequestFailed.value


def is_news(record: logging.LogRecord) -> bool:
    """Returns whether a line belongs in the log: a request's refusal, which its answer says, not."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, (RequestFailed, JsonRpcContentModified))
