"""Minimum Bayes risk beside brute force with sacrebleu's and nltk's sentence BLEU."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals
from text_strategies import words

from referenceless_metrics import MBR, rerank
from referenceless_metrics.selection.mbr import ALONE, check_lists


def brute_force(own, sentence_score):
    utility = [[sentence_score(x, [h]).score / 100 for h in own] for x in own]
    return [
        float(np.mean([u for j, u in enumerate(row) if j != i])) if own[i].strip() else float("nan")
        for i, row in enumerate(utility)
    ]


@pytest.mark.parametrize("utility", ["bleu", "chrf"])
@given(st.lists(st.lists(words, min_size=2, max_size=5), min_size=1, max_size=3))
def test_values_are_those_of_brute_force_with_sacrebleu(utility, lists):
    score = getattr(sacrebleu, f"sentence_{utility}")
    values = rerank(lists, MBR(utility)).scores.values
    expected = [value for own in lists for value in brute_force(own, score)]
    assert values == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def test_who_has_no_value_and_why():
    result = MBR().predict_lists(check_lists([["alone"], ["", "a b", "a b"], [" ", ""]]))
    assert result.reasons == (ALONE, "empty text", None, None, "empty text", "empty text")
    assert result.values[2] == result.values[3] == 0.5  # one of the two others says the same
    assert len(MBR().predict([])) == 0


def test_signatures_tell_utilities_apart():
    given = [MBR(), MBR("chrf"), MBR("bleu_star"), MBR("rouge_l")]
    assert len({metric.signature for metric in given}) == len(given)
    assert MBR().signature.startswith("metric:mbr|utility:bleu|tok:13a|n:1+2+3+4|smooth:exp|clip:yes|eff:yes|")
    assert MBR("rouge_l").name == "mbr_rouge_l"


test_wrong_options_are_named = refusals(
    lambda options: MBR(**options),
    [
        ({"utility": "ter"}, "`utility` to be one of {'bleu', 'chrf', 'bleu_star'"),
    ],
)
test_a_text_is_no_list_of_candidates = refusals(MBR().predict, [("a text", "`texts` .*got a bare str", TypeError)])
