"""How similar two texts are: BLEU* (Eq. 2) and what can stand in its place."""
