"""Lossless tokens, the cursor over a text, and trivia."""
