"""Errors, checks, threads, parameters, and the binding of compiled code, for all rooms."""
