"""Styled text and drawings that the widgets show."""
