"""Texts that an editor shows beside those of a document: types, names, decoded constants, ends."""
