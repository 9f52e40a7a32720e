"""From what Vega says when it draws a chart to what is wrong with the spec."""
