"""Language models of Hugging Face Transformers."""
