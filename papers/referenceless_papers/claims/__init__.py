"""Claims that estimates allow, shown on real ratings."""
