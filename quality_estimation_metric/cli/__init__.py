"""The commands of quality estimation."""
