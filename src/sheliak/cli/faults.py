"""What happens when Sheliak itself fails: a report in a file, one line for the user, exit code 3."""

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence

from sheliak import __version__

FAULT = 3


def write_fault(fault: Exception, words: Sequence[str]) -> int:
    """Write the report, say where it is, give the exit code. Where no file can be written, the report goes to stderr."""
    report = fault_report(fault, words)
    title = f"sheliak: a fault of Sheliak itself ({type(fault).__name__})"
    try:
        handle, path = tempfile.mkstemp(prefix="sheliak-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
        print(f"{title}, not of your input; the report is {path}", file=sys.stderr)
    except OSError:
        print(f"{title}, not of your input:\n{report}", file=sys.stderr)
    return FAULT


def fault_report(fault: Exception, words: Sequence[str]) -> str:
    return (
        f"sheliak {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"arguments: {list(words)!r}\n\n"
        f"{''.join(traceback.format_exception(fault))}"
    )
