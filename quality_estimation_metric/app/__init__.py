"""The web page of quality estimation."""
