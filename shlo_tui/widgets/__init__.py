"""The parts of the debugger's screen, one widget to a file. Each shows what it is given."""
