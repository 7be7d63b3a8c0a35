"""The codec's one error."""

from __future__ import annotations

from shlo.ir.diagnostics import ShloError


class BytecodeError(ShloError):
    """Bytes that are no valid bytecode: `message` says what was being read and what is wrong, `offset` where,
    counted in bytes from the start of the file."""

    def __init__(self, message: str, offset: int, name: str = "<bytecode>") -> None:
        self.message, self.offset, self.name = message, offset, name
        super().__init__(message, offset, name)

    def __str__(self) -> str:
        return f"{self.name}: byte {self.offset}: {self.message}"

    def named(self, name: str) -> BytecodeError:
        """The same error of a file with a name."""
        return BytecodeError(self.message, self.offset, name)
