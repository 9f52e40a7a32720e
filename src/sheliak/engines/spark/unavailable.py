"""The one exception that says why Spark cannot start here."""


class SparkUnavailable(RuntimeError):
    """Spark cannot start on this machine; the message says what is missing and how to get it."""
