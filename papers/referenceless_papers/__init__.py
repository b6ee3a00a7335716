"""What the papers' tables, the claims and the packaged models of `referenceless-metrics` are made with."""
