"""Number literals: text to values and back."""
