"""Running charts: from a spec to what was computed of it, and to the files that hold that."""
