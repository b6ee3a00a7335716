"""Processor time, time by the clock and memory that a million lines take, for every metric."""
