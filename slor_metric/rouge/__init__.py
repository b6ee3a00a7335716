"""ROUGE-L against several references, and ROUGE-LM."""
