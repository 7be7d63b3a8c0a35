"""The part of IPython that shlo_kernel uses."""
