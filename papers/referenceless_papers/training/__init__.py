"""Training of the product's models: LSTM language models, the small model, and word classes with their n-grams."""
