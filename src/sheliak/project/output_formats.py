"""The names of the formats that findings can be told in."""

OUTPUT_FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
