"""Options and habits that all commands share."""
