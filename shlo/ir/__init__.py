"""Intermediate representation: types, attributes, locations, operations, modules, sources, diagnostics."""
