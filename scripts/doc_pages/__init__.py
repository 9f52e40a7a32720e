"""The generated pages: every module here has a function `pages()` that gives path -> text, paths from the repository's root."""
