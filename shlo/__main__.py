"""`python -m shlo` is the `shlo` command."""

from __future__ import annotations

import sys

from shlo.cli import main

sys.exit(main())
