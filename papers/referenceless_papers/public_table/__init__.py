"""Every metric, and controls that need none, on every public set of rated texts."""
