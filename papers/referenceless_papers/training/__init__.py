"""Training of what the product reads: LSTM language models, the small model, and word classes with their n-grams."""
