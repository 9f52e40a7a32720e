"""The dataflow of a spec as people draw it: what is in the picture, where it stands, and the formats it is written in."""
