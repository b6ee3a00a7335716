"""Pools that one machine does not hold: exact tallies of their shards, which merge to those of the whole."""
