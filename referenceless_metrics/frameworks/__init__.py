"""Any metric in other frameworks: one file for each framework."""
