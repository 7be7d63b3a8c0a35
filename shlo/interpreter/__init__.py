"""What programs do: `run` executes a function of a module, `Process` executes it step by step."""

from shlo.interpreter.custom_calls import CustomCall, register_custom_call
from shlo.interpreter.run import run

__all__ = ["CustomCall", "register_custom_call", "run"]
