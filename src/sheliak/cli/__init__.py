"""The command line: `sheliak COMMAND ...`."""

from sheliak.cli.root import main

__all__ = ["main"]
