"""Ridge regression on n-grams, sources and features: the default model of the quality estimator."""
