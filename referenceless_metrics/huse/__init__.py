"""HUSE: quality and diversity of a system, by telling its outputs from texts that people wrote."""
