"""Widgets: the stepper and its views of source, values, tensors and processes."""
