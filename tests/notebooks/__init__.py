"""The notebooks of `examples` that are of Python: executed, and compared with the outputs that they hold."""
