"""Whether picking outputs by a metric picks those that people rate higher."""
