"""A folder of specs and what its owner wants of the checker: which files, which findings, how severe, which repairs."""
