"""From a chart's datasets to plans: each transform is asked for its plan, or says why the driver or the renderer must run it."""
