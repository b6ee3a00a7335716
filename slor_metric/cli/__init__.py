"""The commands of the SLOR family."""
