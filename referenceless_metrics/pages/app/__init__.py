"""The web page of metrics."""
