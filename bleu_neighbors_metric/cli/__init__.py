"""The commands of BLEU Neighbors."""
