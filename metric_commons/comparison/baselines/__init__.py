"""Metrics that count overlap with references, to stand beside a referenceless one: BLEU, ROUGE, METEOR, CIDEr.

Where a library is well kept, its counts are used: sacrebleu for BLEU, chrF and TER, rouge-score for ROUGE-1, -2 and -L,
nltk for METEOR. ROUGE-W, ROUGE-S and CIDEr-D are computed here. `registry` names them all.
"""
