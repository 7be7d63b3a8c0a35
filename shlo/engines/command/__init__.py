"""Engines of others: a command that takes a program and arguments in files, and writes results to a file.
Engines of others: a command that takes a program and arguments in files, and writes results to a file."""
