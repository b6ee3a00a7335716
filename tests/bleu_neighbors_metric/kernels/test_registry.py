"""Kernels by name: the register, the options, blocks and threads, saved files, and the figures on the authors' data."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from bleu_neighbors_reference import estimate
from example_fits import CANDIDATES, POOL, assert_same, fit
from numpy.testing import assert_array_equal
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels import kernel as module
from bleu_neighbors_metric.kernels.kernel import KERNELS, describe_options
from bleu_neighbors_metric.options import json_options

#: Kernels that are plain, slow Python here, and compiled in the long run.
INTERPRETED = {"meteor", "bleu_star_idf"}
EACH_KERNEL = [pytest.param(name, marks=[pytest.mark.long] if name in INTERPRETED else []) for name in KERNELS]


def vectors_of_words(texts):
    """An encoder that any machine has: a fixed random vector a word."""
    return [
        np.array([np.random.default_rng(sum(map(ord, word))).normal(size=16) for word in text.split()]).reshape(-1, 16)
        for text in texts
    ]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Each kernel with its requirements for this machine."""
    options = {"bertscore": {"encoder": vectors_of_words}}
    if "meteor" in KERNELS:  # the papers' distribution is installed
        from small_wordnet import write_small_wordnet

        options["meteor"] = {"wordnet": str(write_small_wordnet(tmp_path_factory.mktemp("wordnet")))}
    return {name: {"kernel": name, "kernel_options": options.get(name)} for name in KERNELS}


# --- the register


def test_thresholds_are_the_published_ones():
    assert [KERNELS[name].threshold for name in ("bleu_star", "rouge_l")] == [0.08, 0.06]


@pytest.mark.parametrize(
    ("kernel", "options", "error", "message"),
    [
        ("rouge", None, ValueError, r"`kernel` to be one of {'bleu_star', .*}, but got 'rouge'"),
        ("rouge_l", {"stemm": True}, ValueError, r"one of {'stem', 'tokenize'}.*'stemm'"),
        ("bleu_star", {"stem": True}, ValueError, r"no `kernel_options` for the kernel 'bleu_star'.*'stem'"),
        ("rouge_l", "stem", TypeError, r"`kernel_options` to be None or a mapping"),
        ("rouge_l", {"stem": "yes"}, TypeError, r"`kernel_options\['stem'\]` to be True or False, but got str 'yes'"),
        ("rouge_l", {"tokenize": "words"}, ValueError, r"`tokenize` to be one of"),
    ],
)
def test_bad_kernels_and_options_are_refused(kernel, options, error, message):
    with refused(message, error):
        BLEUNeighbors(0.1, 1, 1.0, kernel=kernel, kernel_options=options).fit(["a text", "another"], [0.0, 1.0])


@pytest.mark.parametrize("name", module.IN_PAPERS)
def test_a_kernel_of_the_papers_says_how_to_get_it(monkeypatch, name):
    monkeypatch.setattr(module, "plugged_in", lambda group: {})
    assert list(KERNELS) == ["bleu_star"]
    with refused(rf"the kernel {name} is brought by .*`papers/`: pip install \./papers"):
        BLEUNeighbors(kernel=name).fit(["a"], [0.0])


def test_someone_elses_kernel_plugs_in(monkeypatch):
    entries = {"theirs": lambda: replace(KERNELS["bleu_star"], description="BLEU* again"), "other": lambda: "nonsense"}
    monkeypatch.setattr(module, "plugged_in", lambda group: entries if group == module.KERNELS_GROUP else {})
    assert list(KERNELS)[-2:] == ["theirs", "other"]
    assert len(KERNELS) == 3
    texts, ratings = ["a text", "another text"], [0.0, 1.0]
    ours, theirs = (BLEUNeighbors(0.0, 1, 1.0, kernel=name).fit(texts, ratings) for name in ("bleu_star", "theirs"))
    assert theirs.predict(["a text"]).mean == ours.predict(["a text"]).mean
    with refused("'bleu_star', 'theirs', 'other'}, but got 'unknown'"):
        BLEUNeighbors(kernel="unknown").fit(texts, ratings)
    with refused(r"'other' of referenceless_metrics\.kernels to be a Kernel, but got 'nonsense'", TypeError):
        BLEUNeighbors(kernel="other").fit(texts, ratings)


# --- rules for every kernel


@pytest.mark.parametrize("name", EACH_KERNEL)
def test_every_kernel_estimates_from_its_similarities(kernels, name):
    candidates = [*CANDIDATES, "", " "]
    for threshold, weights in ((0.2, "uniform"), (0.2, "similarity"), (0.0, "similarity")):
        metric = fit(threshold, 1, 1.0, weights=weights, **kernels[name])
        estimates = metric.predict(candidates)
        rows = metric.pool_.similarities(candidates)
        assert rows.shape == (len(candidates), len(metric.texts_))
        rule = {"threshold": threshold, "min_neighbors": 1, "max_fraction": 1.0, "weights": weights}
        for place, row in enumerate(rows[:-2]):
            expected, n = estimate(row, metric.ratings_, empty=False, **rule)
            assert estimates.n_neighbors[place] == n
            assert estimates.values[place] == pytest.approx(expected, abs=1e-11, nan_ok=True)  # weights: 2^-36
        assert math.isnan(estimates.values[-2])
        assert estimates.n_neighbors[-2] == 0
        own = metric.pool_.similarities(metric.texts_)
        np.fill_diagonal(own, -1.0)
        assert_array_equal(metric.leave_one_out().n_neighbors, (own >= threshold * (1 - 1e-9)).sum(axis=1))


@pytest.mark.parametrize("name", EACH_KERNEL)
def test_neither_threads_nor_blocks_nor_order_change_an_estimate_and_every_kernel_explains_itself(kernels, name):
    candidates = CANDIDATES * 25  # more than one block
    metric = fit(0.15, 1, 1.0, progress=False, **kernels[name])
    expected = metric.predict(candidates)
    assert expected.coverage > 0
    assert_array_equal(metric.predict(candidates[::-1]).values, expected.values[::-1])
    for n_jobs in (None, 2, -1):
        assert_same(metric.set_params(n_jobs=n_jobs).predict(candidates), expected)
    assert_same(pickle.loads(pickle.dumps(metric)).predict(candidates), expected)
    nearest = metric.kneighbors(POOL.texts[3], k=3)
    assert nearest[0].text == POOL.texts[3]
    assert nearest[0].similarity >= nearest[1].similarity
    told = dict(part.split(":", 1) for part in metric.signature.split("|"))
    assert told["kernel"] == name
    assert ("tok" in told) == ("tokenize" in KERNELS[name].text_options)


def test_what_json_cannot_hold_is_not_saved(tmp_path):
    with refused(r"`kernel_options\['encoder'\]` to be what JSON can hold .*got function", TypeError):
        json_options({"encoder": vectors_of_words})
    with refused("JSON", TypeError):
        json_options({"baseline": math.nan})
    assert json_options({"a": np.float64(0.5), "b": tmp_path, "c": None, "d": ("x",)}) == {
        "a": 0.5,
        "b": str(tmp_path),
        "c": None,
        "d": ["x"],
    }


def test_options_are_told_in_signatures_but_for_those_that_change_no_score():
    assert describe_options({"stem": False, "alpha": 0.9, "device": "cuda", "batch_size": 8}) == "alpha=0.9,stem=no"
    assert describe_options({"stop_words": {"b", "a"}}) == describe_options({"stop_words": {"a", "b"}})
    long = describe_options({"stop_words": list("abcdefgh")})
    assert long.startswith("stop_words=8.")
    assert long != describe_options({"stop_words": list("abcdefgi")})
    assert "|" not in describe_options({"encoder": "a|b", "baseline": None, "f": vectors_of_words})
