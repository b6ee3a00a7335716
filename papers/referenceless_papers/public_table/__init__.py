"""Every metric, and what needs none, on every public set of rated texts."""
