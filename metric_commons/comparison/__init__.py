"""Systems and metrics compared."""
