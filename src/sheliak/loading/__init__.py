"""Which record the rows of a source have: inline values, files at hand, schemas; and what is wrong with the source."""

from sheliak.loading.columnar import record_of_arrow_schema
from sheliak.loading.columns import row_type
from sheliak.loading.files import shape_of_url
from sheliak.loading.folders import DataFolders
from sheliak.loading.formats import Format, read_format
from sheliak.loading.inline import shape_of_values
from sheliak.loading.schemas import SchemaError, read_schema
from sheliak.loading.shape import Loaded

__all__ = [
    "DataFolders",
    "Format",
    "Loaded",
    "SchemaError",
    "read_format",
    "read_schema",
    "record_of_arrow_schema",
    "row_type",
    "shape_of_url",
    "shape_of_values",
]
