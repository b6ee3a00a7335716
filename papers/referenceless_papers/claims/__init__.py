"""What estimates may be used to claim, shown on real ratings."""
