"""How the work grows with the size of the input: shapes of programs, operations on them, and both together."""
