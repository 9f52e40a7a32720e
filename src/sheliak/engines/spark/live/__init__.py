"""Datasets on Spark that follow changes: the state they are kept in, the step from one version to the next, streams of changes."""
