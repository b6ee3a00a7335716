"""Scores as a function of batches: in this process, in others, and under the fingerprints of `datasets`."""

import pickle

import numpy as np
import pytest
from example_fits import CANDIDATES, RATED_POOL, fit, values_or_none
from example_fits import NULLABLE as TEXTS
from refusals import refusals, refused
from toy_metrics import Lengths, Matches

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tokenizers import DOWNLOADED, known_tokenizers
from referenceless_metrics import BatchScorer
from slor_metric import SLOR, WPSLOR, FluencyNgram


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    path = tmp_path_factory.mktemp("index") / "pool.index"
    BLEUNeighbors.published(n_jobs=2).fit(*RATED_POOL).save(path)
    return str(path)


def expected(index):
    return values_or_none(BLEUNeighbors.load(index), TEXTS)


def test_an_index_is_loaded_once_and_works_in_one_thread(index):
    scorer = BatchScorer(pool=index, columns=("n_neighbors",))
    twin = pickle.loads(pickle.dumps(scorer))
    scored = scorer({"text": TEXTS, "id": range(len(TEXTS))})
    assert scored["bleu_neighbors"] == expected(index)
    assert scored["reason"][-3:-1] == ["empty text", "no text"]
    assert scored["n_neighbors"][-2] == 0
    assert set(scored) == {"bleu_neighbors", "reason", "n_neighbors"}
    assert twin({"text": TEXTS}) == scored
    assert twin.metric is scorer.metric
    assert (scorer.metric.n_jobs, scorer.metric.progress) == (1, False)


def test_arrays_stay_arrays(index):
    scorer = BatchScorer(pool=index, keep=True)
    scored = scorer({"text": np.array(TEXTS, dtype=object), "id": np.arange(len(TEXTS))})
    assert list(scored) == ["text", "id", "bleu_neighbors", "reason"]
    assert scored["bleu_neighbors"].dtype == np.float64
    np.testing.assert_array_equal(scored["bleu_neighbors"], np.array(expected(index), dtype=np.float64))
    assert scorer({"text": np.array([], dtype=object), "id": []})["bleu_neighbors"].tolist() == []


def test_a_metric_by_name_with_arguments_or_as_an_object():
    text = {"text": ["the cat sat on the mat ."]}
    assert BatchScorer("slor")(text)["slor"] == SLOR().predict(text["text"]).values.tolist()
    named = BatchScorer("slor", lm="wordpiece")
    assert named(text)["slor"] == BatchScorer(WPSLOR())(text)["wpslor"] != BatchScorer("slor")(text)["slor"]
    assert BatchScorer(Lengths())(text)["lengths"] == [24.0]


test_what_cannot_be_scored_is_refused_at_once = refusals(
    lambda arguments, options: BatchScorer(*arguments, **options),
    [
        (("blue",), {}, "to be one of"),
        (("rouge_lm",), {}, "Expected a metric of texts alone, but rouge_lm needs references"),
        ((Matches(references=False, sources=True),), {}, "but matches needs sources"),
        ((Lengths(),), {"pool": "x"}, "or a metric without `pool`, but got Lengths"),
        ((3,), {}, "Expected argument `metric` to be a metric", TypeError),
        ((BLEUNeighbors(),), {}, "to be fitted"),
        ((), {"pool": "none.index"}, "none.index: there is no such file", FileNotFoundError),
    ],
)


test_wrong_batches = refusals(
    lambda options, batch: BatchScorer(Lengths(), **options)(batch),
    [
        ({}, {"out": [], "id": []}, "there is no column 'text'; the columns are 'out', 'id'", KeyError),
        ({}, {"text": ["a"], "lengths": [5]}, "there is a column 'lengths' already", ValueError),
        ({}, {"text": ["a"], "reason": ["none"]}, "there is a column 'reason' already", ValueError),
        ({}, {"text": "one text"}, "is a list of texts, but got the one text .*batched=True", TypeError),
        ({}, {"text": ["a", 3]}, "item 1 is int 3", TypeError),
        ({"columns": ["n_neighbors"]}, {"text": ["a"]}, "`columns` to be one of"),
    ],
)


def test_a_worker_with_another_pool_refuses(tmp_path):
    path = tmp_path / "pool.index"
    BLEUNeighbors(min_neighbors=1).fit(["a b c", "a b e"], [1, 2]).save(path)
    scorer = BatchScorer(pool=path)
    BLEUNeighbors(min_neighbors=1).fit(["a b c", "a b d"], [1, 2]).save(path)
    with refused("this worker has another pool"):
        scorer({"text": ["a"]})
    path.unlink()
    with refused("no such file on this machine", FileNotFoundError):
        scorer({"text": ["a"]})
    with pytest.raises(IsADirectoryError):
        BatchScorer(pool=tmp_path)


def test_datasets_in_two_processes(index):
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"text": TEXTS * 3, "id": list(range(3 * len(TEXTS)))})
    scored = rows.map(BatchScorer(pool=index), batched=True, batch_size=4, num_proc=2)
    assert scored["bleu_neighbors"][:] == expected(index) * 3
    assert scored["id"][:] == rows["id"][:]
    assert scored.column_names == ["text", "id", "bleu_neighbors", "reason"]
    kept = scored.filter(lambda value: value is not None and value >= 0.5, input_columns="bleu_neighbors")
    assert 0 < len(kept) < len(scored)


def test_without_a_name_it_is_the_fluency_that_is_fast_enough_for_a_corpus():
    scored = BatchScorer()({"text": ["The cat sat on the mat."]})
    assert scored["fluency_ngram"] == FluencyNgram().predict(["The cat sat on the mat."]).values.tolist()
    assert list(BatchScorer("fluency")({"text": [""]})) == ["fluency", "reason"]


@pytest.mark.parametrize("texts", [["", None, "a", "b c"], ["a", "b c", "", None], ["", "", None, None]])
def test_datasets_type_a_first_batch_without_values_or_reasons(texts):
    datasets = pytest.importorskip("datasets")
    scorer = BatchScorer("fluency", columns=("note", "n_sentences"))
    scored = datasets.Dataset.from_dict({"text": texts}).map(scorer, batched=True, batch_size=2)
    assert [scored.features[name].dtype for name in ("fluency", "reason", "note")] == ["float64", "string", "string"]
    assert scored["reason"][:] == scorer({"text": texts})["reason"]


def fingerprint(function):
    from datasets.fingerprint import Hasher

    return Hasher.hash(function)


@pytest.mark.parametrize("tokenize", [name for name in known_tokenizers() if name not in DOWNLOADED])
def test_use_does_not_change_the_fingerprint_of_a_pool(tokenize):
    try:
        metric = fit("auto", tokenize=tokenize)
    except (RuntimeError, ImportError) as error:  # a tokeniser that needs a package
        pytest.skip(str(error))
    before = fingerprint(metric.predict)
    metric.predict(["words that no pool text has, such as unfathomable-\nness", *CANDIDATES])
    assert fingerprint(metric.predict) == before
    assert fingerprint(fit(0.2).predict) != before
