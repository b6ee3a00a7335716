"""Code that makes the papers' tables, the claims and the packaged models of `referenceless-metrics`."""
