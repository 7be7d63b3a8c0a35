"""Tensors as pictures: flat cuts, pooling, colours."""
