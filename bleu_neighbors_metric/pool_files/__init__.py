"""A fitted estimator in files: a compact one to send, and a folder that processes map."""
