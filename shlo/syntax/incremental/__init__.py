"""Reparse after an edit: operations that it cannot have changed are taken over."""
