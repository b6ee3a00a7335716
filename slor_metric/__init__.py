"""SLOR, WPSLOR and ROUGE-LM: referenceless fluency (Kann, Rothe & Filippova 2018)."""
