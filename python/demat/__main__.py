"""`python -m demat` is the `demat` command."""

import sys

from demat._command import main

sys.exit(main())
