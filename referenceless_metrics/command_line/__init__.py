"""Options and behaviour that commands share."""
