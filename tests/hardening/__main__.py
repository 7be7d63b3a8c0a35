"""`python -m tests.hardening`: see `driver`."""

import sys

from tests.hardening.driver import main

if __name__ == "__main__":
    sys.exit(main())
