"""How files become plans that Spark runs: Parquet as it is, delimited text line by line, everything else converted once."""
