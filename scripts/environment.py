"""Make the local environment fit for a task: `environment.py demo`, `environment.py test`, `environment.py docs`, ...

Runs on a bare Python 3.11, before anything is installed, so it uses the standard library only.
What was installed is remembered by content (lock files, interpreter, place of the repository), so a second run
does nothing, and a changed lock file, a new Python or a moved repository installs again.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"

# The builder of the documentation shares nothing with the product, and none of its versions.
BUILDER = ROOT / ".venv-docs"

# Which locks a task needs, in order. `build` comes first: what has no wheel is built with it, not with a fresh download.
TASKS: dict[str, tuple[str, ...]] = {
    "demo": ("build", "demo"),
    "test": ("build", "test"),
    "lock": ("lock",),
    "docs": ("docs",),
}
LONG = dict.fromkeys(("demo", "test"), " (Spark is large: a minute or two the first time)")


def say(words: str) -> None:
    print(f"· {words}", file=sys.stderr, flush=True)


def digest(*parts: str | bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part.encode() if isinstance(part, str) else part)
        whole.update(b"\0")
    return whole.hexdigest()


def python_of(place: Path) -> Path:
    return place / "bin" / "python"


def is_done(name: str, mark: str, place: Path = VENV) -> bool:
    stamp = place / f".sheliak-{name}"
    return stamp.is_file() and stamp.read_text() == mark


def remember(name: str, mark: str, place: Path = VENV) -> None:
    (place / f".sheliak-{name}").write_text(mark)


def ensure_venv(place: Path = VENV) -> None:
    """A virtual environment whose Python runs, is new enough and has pip; one that is broken is made anew."""
    check = "import sys, importlib.util as u; sys.exit(sys.version_info < (3, 11) or u.find_spec('pip') is None)"
    python = python_of(place)
    if python.exists() and subprocess.run([python, "-c", check], check=False, capture_output=True).returncode == 0:
        return
    say(f"creating {place.name} with Python {sys.version.split()[0]}")
    try:
        venv.create(place, clear=True, with_pip=True, symlinks=True)
    except (subprocess.CalledProcessError, OSError) as problem:
        shutil.rmtree(place, ignore_errors=True)
        sys.exit(f"cannot create {place}: {problem}\nOn Debian and Ubuntu the package python3-venv is needed.")


def pip(*arguments: str, place: Path = VENV) -> None:
    # Settings of the user that would send packages elsewhere, or ask for hashes of our own folder, do not apply here.
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_HASHES": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for name in ("PIP_TARGET", "PIP_PREFIX", "PYTHONPATH", "PYTHONHOME"):
        environment.pop(name, None)
    command = [str(python_of(place)), "-m", "pip", "install", "-qq", "--no-input", "--no-build-isolation", *arguments]
    if subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode != 0:
        sys.exit("installing failed; the reason is above. Nothing is remembered: the same command goes on from here.")


def ensure_lock(name: str, place: Path = VENV) -> None:
    lock = ROOT / "requirements" / f"{name}.txt"
    mark = digest(lock.read_bytes(), str(python_of(place).resolve()))
    if not is_done(name, mark, place):
        say(f"installing requirements/{name}.txt{LONG.get(name, '')}")
        pip("--require-hashes", "--requirement", str(lock), place=place)
        remember(name, mark, place)


def ensure_project() -> None:
    """Sheliak itself, editable: built by the locked tools, without a registry."""
    mark = digest((ROOT / "pyproject.toml").read_bytes(), str(ROOT), str(PYTHON.resolve()))
    if not is_done("project", mark):
        say("installing sheliak itself, editable")
        pip("--no-index", "--no-deps", "--editable", str(ROOT))
        remember("project", mark)


def ensure_java() -> None:
    """A Java from the registry, only where the machine has none that Spark can use."""
    mark = digest(os.environ.get("JAVA_HOME", ""), shutil.which("java") or "", (ROOT / "requirements" / "java.txt").read_bytes())
    if is_done("machine-java", mark):
        return
    asking = "from sheliak.engines.spark.java import find_java; print(find_java().version)"
    if subprocess.run([PYTHON, "-c", asking], check=False, capture_output=True).returncode != 0:
        say("no Java 17 or newer on this machine")
        ensure_lock("java")
    remember("machine-java", mark)


def main(task: str) -> None:
    place = BUILDER if task == "docs" else VENV
    ensure_venv(place)
    for lock in TASKS[task]:
        ensure_lock(lock, place)
    if task not in ("lock", "docs"):
        ensure_project()
        ensure_java()


if __name__ == "__main__":
    main(sys.argv[1])
