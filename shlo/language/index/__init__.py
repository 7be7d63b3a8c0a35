"""Indexes of a program's text: tokens, names, symbols, values and who uses them."""
