"""The step-debugger: `shlo.debugger` on a terminal's screen."""
