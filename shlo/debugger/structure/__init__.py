"""Structure of a program: scopes, lines of Python, uses of values; moves by them."""
