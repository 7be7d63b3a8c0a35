"""Checks of the code base's own style: its vocabulary, its folders."""
