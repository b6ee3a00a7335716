"""Quality estimation under the names by which other frameworks look for a metric."""
