"""Text with positions: a spec is decoded once, and a place in it is looked up in the text only when it is reported."""

from sheliak.source.json_reader import Comment, Document, Problem, read_document
from sheliak.source.place import PathKey, Place
from sheliak.source.text import EncodingFault, Source, Span, decode_text, read_text
from sheliak.source.tree import Node

__all__ = [
    "Comment",
    "Document",
    "EncodingFault",
    "Node",
    "PathKey",
    "Place",
    "Problem",
    "Source",
    "Span",
    "decode_text",
    "read_document",
    "read_text",
]
