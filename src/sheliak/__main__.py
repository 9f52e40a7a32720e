"""`python -m sheliak` is the command `sheliak`."""

from sheliak.cli import main

raise SystemExit(main())
