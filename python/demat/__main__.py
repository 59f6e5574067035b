"""`python -m demat` is the `demat` command."""

import sys

from demat._command import main

if __name__ == "__main__":
    sys.exit(main())
