"""Writes what the commands of the pages print now into the pages, and the pictures they save into docs/pictures.

python -m docs.record                                  all pages
python -m docs.record docs/tutorials/stream.md         some of them
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from docs.playing import PICTURES, needs_spark, pages, played, saved_pictures


def record(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="page-") as folder:
        new = played(text, Path(folder))
        for picture in saved_pictures(Path(folder)):
            shutil.copy(picture, PICTURES / picture.name)
    if new != text:
        page.write_text(new, encoding="utf-8")
        print(f"{page.name} is written anew")


def main(names: list[str]) -> int:
    chosen = [Path(name).resolve() for name in names] or pages()
    if not any(map(needs_spark, chosen)):
        for page in chosen:
            record(page)
        return 0
    from sheliak.engines.spark.session import end_session, local_session

    session = local_session("sheliak tests")
    try:
        for page in chosen:
            record(page)
    finally:
        end_session(session)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
