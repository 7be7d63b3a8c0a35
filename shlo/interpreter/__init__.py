"""What programs do: `run` executes a function of a module, `Process` executes it step by step."""

from shlo.interpreter.custom_calls import CustomCall, register_custom_call
from shlo.interpreter.process import Process
from shlo.interpreter.run import run

__all__ = ["CustomCall", "Process", "register_custom_call", "run"]
