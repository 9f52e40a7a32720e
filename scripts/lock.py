"""Write requirements/*.txt: exact versions with hashes, for every platform, without a registry address.

make lock                      keep the versions that are locked, add what is missing
make lock ARGS=--upgrade       take the newest of everything
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The first lock is the largest; the others are constrained by it, so that one version serves all.
LOCKS: dict[str, tuple[str, ...]] = {
    "test": (
        "pyproject.toml",
        "--extra",
        "dev",
        "--extra",
        "spark",
        "--extra",
        "connect",
        "--extra",
        "charts",
        "--extra",
        "altair",
    ),
    "demo": ("pyproject.toml", "--extra", "spark", "--extra", "charts"),
    "core": ("pyproject.toml",),
    "java": ("pyproject.toml", "--extra", "java"),
    "build": ("--group", "build"),
    "docs": ("--group", "docs"),
    "lock": ("--group", "lock"),
}

COMPILE = (
    *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"),
    *("--generate-hashes", "--no-emit-index-url", "--no-annotate", "--custom-compile-command", "make lock"),
)


def compile_lock(name: str, sources: tuple[str, ...], options: list[str]) -> None:
    constraint = () if name == "test" else ("--constraint", "requirements/test.txt")
    command = [sys.executable, "-m", *COMPILE, *sources, *constraint, *options, "--output-file", f"requirements/{name}.txt"]
    print(f"locking requirements/{name}.txt", flush=True)
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for name, sources in LOCKS.items():
        compile_lock(name, sources, sys.argv[1:])
