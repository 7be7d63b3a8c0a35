"""`shlo conform`: what an engine does with each operation of each type, judged by the reference.

A case is one operation, on arguments that are drawn, edges of its type among them. Its results are those of
the reference (of the interpreter where the reference has no meaning for the operation), held to the tolerance
of the operation.
"""
