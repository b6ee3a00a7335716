import json

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_array_equal
from refusals import refusals, refused

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric import estimator as estimator_module
from quality_estimation_metric.estimator import LONGEST, TOO_LONG
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import NotFittedError

SOURCE = "inform(name='Loch Fyne';food=thai;area=soma)"
NEW = ["Loch Fyne serves thai food in the soma area.", "Loch Fyne in in the soma serves food food.", ""]


@pytest.fixture(scope="module")
def estimator():
    return QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)


@pytest.fixture(scope="module")
def plain():
    return QualityEstimator().fit(TEXTS, RATINGS)


def test_good_texts_are_told_from_bad_ones(estimator):
    result = estimator.predict(NEW, sources=[SOURCE] * 3)
    assert result.values[0] > result.values[1] + 1
    assert np.isnan(result.values[2])
    assert result.reasons == (None, None, "empty text")
    ends = np.stack([result.lower, result.values, result.upper])[:, :2]
    assert (np.diff([[min(RATINGS)] * 2, *ends, [max(RATINGS)] * 2], axis=0) >= 0).all()


def test_a_contribution_is_named_for_every_term(estimator):
    found = estimator.explain(NEW[1], SOURCE)
    total = found.intercept + sum(item.value for item in found.contributions)
    assert np.clip(total, min(RATINGS), max(RATINGS)) == pytest.approx(found.estimate)
    assert found.estimate == estimator.predict([NEW[1]], sources=[SOURCE]).values[0]
    assert len(found.characters) == len(found.text)
    assert len(found.neighbors) == 3
    assert "in in the" in found.neighbors[0].text
    assert [triple.slot for triple in found.slots.missing] == ["food"]
    with refused("`text` to hold words"):
        estimator.explain(" ", SOURCE)


def test_evaluation_groups_by_pair_and_by_delexicalised_text(estimator, plain):
    found = estimator.evaluate()
    assert [item.grouping for item in found.agreements] == [
        "delexicalised text",
        "(source, text)",
    ]  # the strict one first
    assert found.agreements[1].pearson > 0.8
    assert found.agreements[1].rmse < found.agreements[1].constant_rmse
    assert found.ceiling is None  # no text is there twice
    assert "delexicalised text" in str(found)
    json.dumps(found.as_dict())
    assert [item.grouping for item in plain.evaluate().agreements] == ["near copies", "text"]


def test_groups_of_the_user_are_kept_together():
    halves = ["few"] * 12 + ["many"] * (len(TEXTS) - 12)
    of_halves = QualityEstimator().fit(TEXTS, RATINGS, groups=halves).evaluate(5).agreements[0]
    assert (of_halves.n_groups, of_halves.n_folds, of_halves.n) == (2, 2, len(TEXTS))  # each is left out in turn


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"texts": [*TEXTS[:-1], " "]}, ValueError, "item 39 is empty"),
        ({"ratings": RATINGS[:-1]}, ValueError, "one value for each of the 40 texts, but got 39"),
        ({"ratings": [3.0] * 40}, ValueError, "`ratings` to vary, but all 40 are 3"),
        ({"texts": TEXTS[:5], "ratings": RATINGS[:5], "sources": None}, ValueError, "at least 20 rated texts .* got 5"),
        ({"sources": SOURCES[:3]}, ValueError, "one source for each of the 40 texts, but got 3"),
        ({"sources": {"name": "x"}}, TypeError, "`sources` to be a list with one source for each text, but got dict"),
        ({"sources": [7] * 40}, TypeError, "but item 0 is int 7"),
        ({"sources": ["inform(name='x"] * 40}, ValueError, "item 0 is a malformed .*: the quote is never"),
        ({"groups": [1] * 40}, ValueError, "at least two groups"),
        ({"groups": [1]}, ValueError, "one group for each of the 40 texts, but got 1"),
    ],
)
def test_what_cannot_be_learned_from_is_named(arguments, error, message):
    with refused(message, error):
        QualityEstimator().fit(**{"texts": TEXTS, "ratings": RATINGS, "sources": SOURCES, **arguments})


test_parameters_are_checked_by_fit = refusals(
    lambda parameters: QualityEstimator(**parameters).fit(TEXTS, RATINGS),
    [
        ({"model": "svm"}, "`model` to be one of {'kernel'"),
        ({"delexicalise": "some"}, "`delexicalise` to be one of"),
        ({"augment": 4}, '`augment` to be 0 for model="kernel"'),
        ({"level": 1.0}, "`level` to be strictly between 0 and 1"),
        ({"seed": -1}, "`seed` to be a whole number in"),
    ],
)


@pytest.mark.parametrize(
    "of, sources, error, message",
    [
        ("estimator", None, ValueError, "`sources`, as this estimator was fitted with sources, but got None"),
        ("plain", [SOURCE] * 3, ValueError, "no argument `sources`, as this estimator was fitted without"),
        ("estimator", [SOURCE], ValueError, "one source for each of the 3 texts, but got 1"),
        ("unfitted", None, NotFittedError, "call `fit` or `load` first"),
    ],
)
def test_sources_are_wanted_where_there_were_some(of, sources, error, message, request):
    fitted = QualityEstimator() if of == "unfitted" else request.getfixturevalue(of)
    with refused(message, error):
        fitted.predict(NEW, sources=sources)


def test_unseen_slots_are_named(estimator):
    with pytest.warns(UserWarning, match=r"no training source had 1 of the slots of `sources` \(stars\)"):
        result = estimator.predict(NEW[:1], sources=["inform(name=x,stars=3)"])
    assert result.unseen_slots == ["stars"]


MR = "inform(name='loch fyne';food=seafood)"
OUTSIDE = "The quarterly report says that profits fell by a third"


def test_the_packaged_model_abstains_outside_its_domain(tmp_path):
    packaged = QualityEstimator.load()
    found = packaged.predict([OUTSIDE, "loch fyne serves seafood food.", ""], sources=[MR] * 3)
    assert found.covered.tolist() == [False, True, False]
    assert found.reasons == (
        "not about restaurants and hotels: over 75% of its word n-grams are unknown", None, "empty text"
    )  # fmt: skip
    assert np.isnan(found.lower[0])
    assert "unknown:abstain>0.75" in packaged.signature
    packaged.save(tmp_path / "again.npz", texts=False)
    assert QualityEstimator.load(tmp_path / "again.npz").signature == packaged.signature
    packaged.set_params(unknown="score")
    assert packaged.predict([OUTSIDE], sources=[MR]).coverage == 1
    assert "unknown" not in packaged.signature


def test_many_texts_are_read_some_at_a_time(monkeypatch):
    packaged = QualityEstimator.load()
    texts = [OUTSIDE, "loch fyne serves seafood food.", "", "loch fyne is a hotel in the soma area."] * 3
    whole = packaged.predict(texts, sources=[MR] * len(texts))
    read, describe = [], packaged._describe
    monkeypatch.setattr(
        packaged, "_describe", lambda texts, triples: read.append(len(texts)) or describe(texts, triples)
    )
    monkeypatch.setattr(estimator_module, "in_pieces", lambda texts: [slice(0, 4), slice(4, len(texts))])
    in_pieces = packaged.predict(texts, sources=[MR] * len(texts))
    assert read == [4, 5]
    assert_array_equal(in_pieces.values, whole.values)
    assert_array_equal(in_pieces.lower, whole.lower)
    assert in_pieces.reasons == whole.reasons


@pytest.fixture(scope="module")
def learners(data_dir):
    """600 sentences of learners with mean grammaticality, 1 to 4, in a random order."""
    table = read_table(str(data_dir("gug") / "gug_annotations.tsv"))
    rows = default_rng(0).permutation(len(table.rows))[:600].tolist()
    texts, ratings = table.texts("Sentence"), table.numbers("Average", "rating_column")
    return [texts[row] for row in rows], np.asarray(ratings, dtype=np.float64)[rows]


@pytest.mark.long
def test_preferences_teach_as_much_as_ratings_do(learners, tmp_path):
    texts, ratings = learners
    pairs = default_rng(0).integers(0, 300, (360, 2))
    pairs = [sorted(pair, key=lambda row: -ratings[row]) for pair in pairs.tolist() if np.ptp(ratings[pair])]
    better, worse = ([texts[pair[place]] for pair in pairs] for place in (0, 1))
    estimator, new = QualityEstimator().fit_preferences(better, worse), texts[300:]
    found = estimator.predict(new)
    assert np.isnan(found.lower).all()
    first, second = np.triu_indices(300, 1)
    rises = ratings[300:][first] - ratings[300:][second]

    def accuracy(values):
        return np.mean((rises * (values[first] - values[second]))[rises != 0] > 0)

    right = accuracy(found.values)
    of_ratings = QualityEstimator().fit(texts[:300], ratings[:300]).predict(new)
    assert right > max(accuracy(of_ratings.values) - 0.04, 0.65)
    assert estimator.preference_accuracy_ == pytest.approx(right, abs=0.08)
    estimator.save(tmp_path / "pairs.npz")
    assert_array_equal(QualityEstimator.load(tmp_path / "pairs.npz").predict(new).values, found.values)
    with refused("at least 20 pairs"):
        estimator.fit_preferences(better, worse[:-1])


def test_a_text_that_is_too_long_has_no_estimate():
    found = QualityEstimator().fit(TEXTS, RATINGS).predict([TEXTS[0], "a " * (LONGEST // 2) + "b"])
    assert (found.n_covered, found.reasons) == (1, (None, TOO_LONG))
