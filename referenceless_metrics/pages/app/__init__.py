"""What the metrics' web pages share."""
