"""Metrics that count overlap with references, to stand beside a referenceless one: BLEU, chrF, TER, ROUGE.

Their counts are those of well kept libraries: sacrebleu for BLEU, chrF and TER, rouge-score for ROUGE-1, -2 and -L.
`registry` names them all.
"""
