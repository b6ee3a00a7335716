"""What the metrics of this project share: validation, text files, datasets, meta-evaluation, framework plumbing."""
