"""Assembly formats of operations: compiled once, followed by parser and printer."""
