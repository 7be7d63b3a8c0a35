"""Writers of the operations that are no elementwise ones: movement, products, sums, argmax."""
