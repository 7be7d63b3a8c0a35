"""Where an operation is for a reader: its line of Python first, then its line in the program's text."""
