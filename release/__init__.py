"""What a release consists of: its version, its data files, the check of what is built."""
