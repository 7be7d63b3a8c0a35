"""Loops over elements as data: expressions over indices, statements, and what makes machine code of them."""
