"""The part of ipykernel that shlo_kernel uses."""
