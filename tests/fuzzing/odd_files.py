"""A folder of data files that cannot be read, or not as what they seem to be."""

from __future__ import annotations

import json
import os
from pathlib import Path

_ROWS = b'[{"a": 1, "b": "x"}, {"a": 2, "b": null}]'
_TOPOLOGY = {
    "type": "Topology",
    "arcs": [[[0, 0], [1, 1]]],
    "transform": {"scale": [1, 1], "translate": [0, 0]},
    "objects": {"land": {"type": "GeometryCollection", "geometries": [{"type": "LineString", "arcs": [0], "id": 1}]}},
}
_FEATURES = {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"a": 1}, "geometry": None}]}


def _contents() -> dict[str, bytes]:
    topology, features = json.dumps(_TOPOLOGY).encode(), json.dumps(_FEATURES).encode()
    return {
        "rows.json": _ROWS,
        "rows-cut.json": _ROWS[:-12],
        "empty.json": b"",
        "blank.json": b" \n",
        "null.json": b"null",
        "number.json": b"12",
        "text.json": b'"a"',
        "mixed.json": b'[1, "a", null, {"a": 1}, [2]]',
        "rows.utf16.json": _ROWS.decode().encode("utf-16"),
        "deep.json": b"[" * 5000 + b"]" * 5000,
        "deep-rows.json": b'[{"a":' + b'{"a":' * 900 + b"1" + b"}" * 901 + b"]",
        "nan.json": b'[{"a": NaN, "b": -Infinity}]',
        "digits.json": b'[{"a": ' + b"9" * 6000 + b"}]",
        "surrogate.json": b'[{"\\ud800": "\\udfff"}]',
        "proto.json": b'[{"__proto__": {"x": 1}, "constructor": 2, "": 3}]',
        "wide.json": _wide(),
        "twice.json": b'[{"a": 1, "a": "x"}]',
        "rows.csv": b"a,b\n1,x\n2,\n",
        "ragged.csv": b"a,b\n1\n1,2,3\n\n,,,,\n",
        "quote.csv": b'a,b\n"1,x\n2,y\n',
        "empty.csv": b"",
        "header.csv": b"a,b",
        "binary.csv": bytes(range(256)) * 40,
        "nul.csv": b"a\0b,c\n\0,1\n",
        "latin.csv": "é,b\nà,1\n".encode("latin-1"),
        "same.csv": b"a,a,\n1,2,3\n",
        "rows.tsv": b"a\tb\n1\tx\n",
        "rows.dsv": b"a|b\n1|x\n",
        "long.csv": b"a" * 300_000 + b"\n1\n",
        "marked.csv": b"\xef\xbb\xbfa,b\r1,x\r\n",
        "topology.json": topology,
        "topology-cut.json": topology[:90],
        "topology-bare.json": b'{"type": "Topology"}',
        "features.json": features,
        "rows.parquet": b"PAR1" + bytes(40),
        "cut.parquet": b"PAR1",
        "json.parquet": _ROWS,
        "rows.arrow": b"ARROW1\0\0" + b"\xff" * 64,
        "empty.arrow": b"",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(60),
        "no-extension": _ROWS,
        "UPPER.CSV": b"a,b\n1,2\n",
        "a b.json": _ROWS,
        "é.json": _ROWS,
    }


def _wide() -> bytes:
    return json.dumps([{f"c{number}": number for number in range(3000)}]).encode()


def make_odd_files(folder: Path) -> tuple[str, ...]:
    """Fills the folder and gives the urls of all there is in it, and of some things that are not."""
    for name, content in _contents().items():
        (folder / name).write_bytes(content)
    (folder / "folder.json").mkdir()
    (folder / "within").mkdir()
    (folder / "within" / "rows.csv").write_bytes(b"a,b\n1,2\n")
    os.symlink(folder / "loop.json", folder / "loop.json")
    os.symlink("/etc/hostname", folder / "outside.json")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.json")
    made = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    elsewhere = (
        "missing.json",
        "../rows.json",
        "/etc/passwd",
        "/dev/zero",
        ".",
        "..",
        "",
        "rows.json?x=1#y",
        "%00",
        "\0",
        "a" * 5000,
        "file:///dev/random",
    )
    return (
        *made,
        *elsewhere,
        "rows%2Ejson",
        "//host/rows.json",
        "http://[",
        "./within/../rows.csv",
        "within//rows.csv",
        "\ud800.json",
    )
