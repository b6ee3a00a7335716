"""HUSE: how far a system's outputs can be told from texts that people wrote."""
