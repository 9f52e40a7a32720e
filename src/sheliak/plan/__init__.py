"""Plans: an engine-free relational algebra over typed columns, and Vega's expressions in it with every conversion written out."""
