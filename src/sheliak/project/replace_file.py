"""Putting new content in the place of a file: whole or not at all, whatever happens in between."""

from __future__ import annotations

import os
import shutil
import tempfile


def replace_file(name: str, content: bytes) -> None:
    """Writes beside the file and renames, keeping its mode; a link goes on leading to the same place."""
    target = os.path.realpath(name)
    handle, beside = tempfile.mkstemp(prefix=".sheliak-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        if os.path.exists(target):
            shutil.copymode(target, beside)
        else:
            os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
