"""Hierarchies: who calls which function, and which values are made from which."""
