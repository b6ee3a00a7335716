"""Minimum Bayes risk beside brute force with sacrebleu's and nltk's sentence BLEU."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusals
from text_strategies import words

from referenceless_metrics import MBR, rerank
from referenceless_metrics.selection.mbr import ALONE, check_lists

SAMPLES = ["the cat sat on the mat .", "a cat sat on the mat .", "the cat sat on the mat .", "dogs bark", "yes"]


def brute_force(own):
    utility = [[sacrebleu.sentence_bleu(x, [h]).score / 100 for h in own] for x in own]
    return [
        float(np.mean([u for j, u in enumerate(row) if j != i])) if own[i].strip() else float("nan")
        for i, row in enumerate(utility)
    ]


@given(st.lists(st.lists(words, min_size=2, max_size=5), min_size=1, max_size=3))
@settings(max_examples=40)
def test_values_are_those_of_brute_force_with_sacrebleu(lists):
    found = rerank(lists, MBR())
    values = found.scores.values
    assert values == pytest.approx([v for own in lists for v in brute_force(own)], rel=1e-9, abs=1e-12, nan_ok=True)


def test_equal_candidates_speak_for_one_another():
    result = MBR().predict(SAMPLES)
    assert result.values[0] == result.values[2] == max(result.values)
    assert rerank([SAMPLES], MBR()).indices.tolist() == [0]
    assert rerank([SAMPLES], MBR()).n_best(9) == [[0, 1, 3, 4]]


def test_who_has_no_value_and_why():
    result = MBR().predict_lists(check_lists([["alone"], ["", "a b", "a b"], [" ", ""]]))
    assert result.reasons == (ALONE, "empty text", None, None, "empty text", "empty text")
    assert result.values[2] == result.values[3] == 0.5  # one of the two others says the same
    assert len(MBR().predict([])) == 0


def test_another_list_changes_nothing():
    alone = MBR().predict(SAMPLES).values
    beside = MBR(n_jobs=2).predict_lists(check_lists([["x y", "z"], *[SAMPLES] * 70, ["w"]])).values
    assert beside[2 : 2 + len(SAMPLES)].tobytes() == beside[-1 - len(SAMPLES) : -1].tobytes() == alone.tobytes()


def test_signatures_tell_utilities_apart():
    given = [MBR(), MBR("bleu_star"), MBR("rouge_l"), MBR("rouge_l", kernel_options={"stem": False})]
    assert len({metric.signature for metric in given}) == len(given)
    assert MBR().signature.startswith("metric:mbr|utility:bleu|tok:13a|n:1+2+3+4|smooth:exp|clip:yes|eff:yes|")
    assert MBR("rouge_l").name == "mbr_rouge_l"


test_wrong_options_are_named = refusals(
    lambda options: MBR(**options),
    [
        ({"utility": "chrf"}, "`utility` to be one of {'bleu', 'bleu_star'"),
        ({"kernel_options": {"stem": True}}, "Expected no `kernel_options`"),
    ],
)
test_a_text_is_no_list_of_candidates = refusals(MBR().predict, [("a text", "lists of strings", TypeError)])
