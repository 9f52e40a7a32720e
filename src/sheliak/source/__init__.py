"""Text with positions: a spec is decoded once, and a place in it is looked up in the text only when it is reported."""

from sheliak.source.place import PathKey, Place
from sheliak.source.tree import Node

__all__ = ["Node", "PathKey", "Place"]
