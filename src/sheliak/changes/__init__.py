"""Changes of identified rows: what they are, how they are written down, and how a meaning on rows becomes one on changes."""
