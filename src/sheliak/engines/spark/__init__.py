"""The Spark engine: the only place that imports pyspark, and only when it is called."""
