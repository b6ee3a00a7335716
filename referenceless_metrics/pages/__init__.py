"""What reports and web pages are drawn and rendered with."""
