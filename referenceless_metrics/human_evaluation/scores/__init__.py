"""Scores of any tool, compared: tables and logs read, paired differences, findings."""
