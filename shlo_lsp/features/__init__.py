"""The features of the server, one module each: from the protocol's words to `shlo.language` and back."""
