"""The SLOR family as a web page."""
