"""Streams of changes on Spark: the store, the stream, what crashes and damage leave."""
