"""Near copies: found as a plain comparison finds them, at a cut that parts variants from sentences of their own."""

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from referenceless_metrics.assessment.agreement import CANNOT_TELL, NEAR_COPIES
from referenceless_metrics.assessment.assessment import groupings_of
from referenceless_metrics.assessment.near_copies import CUT, _features, near_copies, near_copy_notes
from referenceless_metrics.core.files.tables import RatedTexts


def similarity(one, other):
    ours, theirs = _features(one), _features(other)
    return len(ours & theirs) / max(len(ours | theirs), 1)


def components(texts, cut):
    """Join groups of texts until no two of different groups are similar: the short, obviously right way."""
    groups = list(range(len(texts)))
    for i, one in enumerate(texts):
        for j, other in enumerate(texts[:i]):
            if similarity(one, other) >= cut and groups[i] != groups[j]:
                groups = [groups[j] if group == groups[i] else group for group in groups]
    return [groups.index(group) for group in groups]


@given(st.lists(st.text("ab c", max_size=12), min_size=2, max_size=8))
def test_groups_are_those_of_a_plain_comparison(texts):
    found = near_copies(texts)
    groups = found.groups.tolist()
    assert [groups.index(group) for group in groups] == components(texts, found.cut)
    assert found.cut == CUT or np.bincount(components(texts, CUT)).max() > len(texts) / 2


def test_a_template_raises_the_cut_until_no_group_holds_most_texts():
    texts = [f"the {name} is a {food} place near the {spot}" for name in "abcd" for food in "efgh" for spot in "ijkl"]
    found = near_copies(texts)
    assert found.cut > CUT
    assert np.bincount(found.groups).max() <= len(texts) / 2


def test_a_note_counts_by_the_share_that_it_names_whatever_the_groups():
    """Outputs of one template are counted at one half, as those of another system beside them."""
    alike = [f"the {name} is a {food} place near the {spot}" for name in "abcd" for food in "efgh" for spot in "ijkl"]
    few = ["the cat sat on the mat", "the cat sat on a mat", "dogs bark at night"]
    assert near_copies(alike).cut > CUT
    (note,) = near_copy_notes([("alike", alike), ("few", few)])
    assert note.startswith("outputs that share at least half of ")
    assert ": alike 64 of 64, few 2 of 3; " in note


def varied(text, words, rng):
    at = text.split()
    at[rng.integers(len(at))] = str(rng.choice(words))
    return " ".join(at)


@pytest.mark.long
def test_the_cut_parts_variants_from_sentences_of_their_own(data_dir):
    path = data_dir("gug") / "gug_annotations.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        sentences = list(dict.fromkeys(row["Sentence"] for row in csv.DictReader(file, delimiter="\t")))
    assert near_copies(sentences).n_copies < 0.01 * len(sentences)
    rng = default_rng(0)
    words = sorted({word for sentence in sentences for word in sentence.split()})
    long = [sentence for sentence in sentences if len(sentence.split()) >= 8][:60]
    once = [similarity(sentence, varied(sentence, words, rng)) >= CUT for sentence in long]
    twice = [similarity(varied(each, words, rng), varied(each, words, rng)) >= CUT for each in long]
    assert np.mean(once) >= 0.99
    assert np.mean(twice) >= 0.9


def test_no_wikipedia_sentence_of_lau_2015_has_one(data_dir):
    path = data_dir("lau-2015") / "wikipedia_100.tsv"
    texts = [line.split("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    assert near_copies(list(dict.fromkeys(texts))).n_copies == 0


def made_of_variants(n_sentences=15, n_variants=20):
    rng = default_rng(3)
    words = [f"word{number}" for number in range(400)]
    texts, ratings, groups = [], [], []
    for sentence in range(n_sentences):
        base = rng.choice(words, 12)
        rating = rng.normal()
        for _ in range(n_variants):
            text = base.copy()
            text[rng.integers(12)] = rng.choice(words)
            texts.append(" ".join(text))
            ratings.append(rating + rng.normal(0, 0.1))
            groups.append(f"s{sentence}")
    return texts, np.array(ratings), groups


def test_ratings_that_near_copies_repeat_leave_too_few_estimates_to_tell():
    from bleu_neighbors_metric import BLEUNeighbors
    from bleu_neighbors_metric.tuning.calibration import calibrate

    texts, ratings, groups = made_of_variants()
    calibration = calibrate(BLEUNeighbors().fit(texts, ratings), RatedTexts(texts, ratings))
    assert calibration.leave_one_out.spearman.value > 0.7
    assert calibration.assessment.strictest == NEAR_COPIES
    assert calibration.assessment.verdict.verdict == CANNOT_TELL
    assert any("--group-column" in finding for finding in calibration.findings)
    (told,) = [finding for finding in calibration.findings if "near copies form" in finding]
    assert told.startswith(f"At least 10% of the {len(set(texts))} texts share")  # the least share that is told
    n_groups = calibration.assessment.n_left_out[NEAR_COPIES]
    assert calibration.assessment.units == [f"{n_groups} groups of near copies"]  # fewer than copies
    assert calibration.assessment.figures()["n_groups_of_near_copies"] == n_groups
    named = RatedTexts(texts, ratings, {"groups": tuple(groups)})
    assert list(groupings_of(named, list(dict.fromkeys(texts)))) == ["groups"]
