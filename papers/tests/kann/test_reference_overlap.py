"""n-gram overlap against a short, obviously right twin; ROUGE-L with one reference."""

from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from text_strategies import texts_with_references

from referenceless_papers.kann.reference_overlap import ngram_overlap_mult
from slor_metric.rouge.rouge_lm import tokenise_unicode


def overlap_twin(candidate, references, order, measure):
    def ngrams(text):
        tokens = tokenise_unicode(text)
        return {tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)}

    own = ngrams(candidate)
    union = {ngram for reference in references for ngram in ngrams(reference)}
    shared = len(own & union)
    if not shared:
        return 0.0
    precision, recall = shared / len(own), shared / len(union)
    return {"p": precision, "r": recall, "f": 2 * precision * recall / (precision + recall)}[measure]


@given(texts_with_references, st.integers(1, 4), st.sampled_from("prf"))
def test_ngram_overlap_equals_its_twin(pairs, order, measure):
    candidates, references = [list(column) for column in zip(*pairs, strict=True)]
    found = ngram_overlap_mult(candidates, references, order=order, measure=measure)
    expected = [overlap_twin(text, texts, order, measure) for text, texts in pairs]
    assert_allclose(found, expected, rtol=0, atol=1e-12)
