"""A spec that is about to be run: its text, its Vega, and what the check of it says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sheliak.checker.check import CheckOptions
from sheliak.checker.report import Report
from sheliak.engines.failures import RunFailure
from sheliak.loading.folders import DataFolders
from sheliak.project.front_end import NotChecked, check_source
from sheliak.source.declared import replace
from sheliak.source.json_reader import Document, read_document
from sheliak.source.text import Source
from sheliak.source.tree import Node
from sheliak.types.shapes import Lineage, Record, Unseen
from sheliak.vegalite.recognise import is_vega_lite


def vega_of(source: Source) -> Node:
    """The Vega of a spec: itself, or what Vega-Lite's compiler makes of it. Raises RunFailure."""
    document = read_document(source)
    if not document.readable or not document.root.is_object:
        problem = document.problems[0].message if document.problems else "a spec is a JSON object"
        raise RunFailure(f"{source.name} is no spec: {problem}")
    return _compiled(document) if is_vega_lite(document) else document.root


def _compiled(document: Document) -> Node:
    from sheliak.vegalite.compiling import CompileFailure, Compiler, VegaLiteUnavailable

    try:
        compiler = Compiler(document.root)
        return compiler.compiled(compiler.spec).document.root
    except VegaLiteUnavailable as problem:
        message = "a Vega-Lite spec is compiled to Vega before it is run, and the compiler is not installed"
        raise RunFailure(f"{message}: pip install 'sheliak[charts]'") from problem
    except CompileFailure as problem:
        raise RunFailure(f"Vega-Lite refuses {document.source.name}: {problem.reason}") from problem


def checked(source: Source, folders: DataFolders, columns: Mapping[str, Path | Record]) -> Report:
    """The check of a spec against the columns that its data really have. Raises RunFailure where it cannot be checked."""
    try:
        return check_source(source, CheckOptions(folders, {name: with_lineage(name, record) for name, record in columns.items()}))
    except NotChecked as problem:
        raise RunFailure(f"{source.name} was not checked: {problem}") from problem


def with_lineage(dataset: str, record: Path | Record) -> Path | Record:
    """The columns that a dataset is known to have, with what they are known from."""
    if isinstance(record, Path) or record.lineage is not None:
        return record
    return replace(record, unseen=Unseen(dataset) if record.open else None, lineage=Lineage("schema", dataset=dataset))
