"""Cells: splitting, parsing, definitions, calls, completion, history, errors; the session that they share."""
