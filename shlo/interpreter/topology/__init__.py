"""Devices and processes: grid shapes, groups of processes, meshes, shardings."""
