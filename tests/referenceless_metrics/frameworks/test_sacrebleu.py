"""The sacrebleu classes' base on scores given as texts: formats, statistics, and paired tests against simulations."""

import json
import math

import numpy as np
import pytest
import toy_metrics
from numpy.random import default_rng
from refusals import refusals
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from toy_metrics import Lengths, Matches, texts_of

from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from referenceless_metrics.frameworks.sacrebleu_ties import tie_aware


class CountsReferences(toy_metrics.Given):
    """The score is the number of references of which the text is one."""

    name = "WithReferences"
    needs_references = True

    def predict(self, texts, *, references=None, sources=None):
        values = [float(own.count(text)) for text, own in zip(texts, references, strict=True)]
        return MetricResult(np.array(values), (None,) * len(values), "")


class Given(SacrebleuAdapter):
    make = toy_metrics.Given


class WithReferences(SacrebleuAdapter):
    make = CountsReferences


def p_value(test, left, right, n_samples=1000, n_jobs=1):
    systems = [("Baseline: left", texts_of(left)), ("right", texts_of(right))]
    _, scores = PairedTest(systems, {"given": Given()}, None, test, n_samples, n_jobs=n_jobs)()
    return scores["Given"][1].p_value


# scores and their formats


@pytest.mark.parametrize("sign", [1, -1])
def test_the_interval_shows_around_means_of_either_sign(sign):
    values = sign * np.linspace(1, 2, 50)
    metric = Given(0.0)
    score = metric.corpus_score(texts_of(values), n_bootstrap=500)
    line = score.format(2, False, str(metric.get_signature()))
    assert f"= {sign * 1.5:.2f} (μ = {sign * 1.5:.2f} ± 0.0" in line
    assert "|bs:500|seed:12345|" in line
    # the interval is that of numpy's percentile bootstrap of the mean
    draws = default_rng(0).integers(0, 50, (5000, 50))
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    assert score._ci == pytest.approx((high - low) / 2, rel=0.15)
    content = json.loads(score.format(3, False, str(metric.get_signature()), is_json=True))
    assert content["confidence_mean"] == pytest.approx(sign * 1.5, abs=0.02)
    assert content["confidence_var"] == pytest.approx(score._ci, abs=1e-3)
    assert content["confidence"].startswith("μ = ")


def test_formats():
    score, signature = Given().corpus_score(["-0.00001", ""]), "nrefs:0|version:1"
    assert score.format(2, score_only=True) == "0.00"
    assert score.format(2, False, signature) == f"Given|{signature} = 0.00 (coverage = 0.500 segments = 2)"
    assert json.loads(score.format(2, False, signature, True)) == {
        "name": "Given",
        "score": 0.0,
        "signature": signature,
        "verbose_score": "(coverage = 0.500 segments = 2)",
        "coverage": 0.5,
        "n_segments": 2,
        "nrefs": "0",
        "version": "1",
    }
    assert json.loads(score.format(is_json=True))["score"] == 0.0  # sacrebleu's needs a signature


def test_sentences():
    assert Given().sentence_score("0.25").score == 0.25
    undefined = Given().sentence_score("", ["a reference, ignored"])
    assert math.isnan(undefined.score)
    assert undefined.coverage == 0.0
    assert str(undefined) == "Given = nan (coverage = 0.000 segments = 1)"
    assert json.loads(undefined.format(is_json=True))["score"] is None


def test_signature():
    metric = Given()
    signature = metric.get_signature()  # before anything is scored
    assert signature.format().startswith("nrefs:0|model:hub=org/name;rev|clip:yes|version:")
    short = signature.format(short=True)
    assert short.startswith("#:0|model:hub=org/name;rev|clip:yes|")
    assert "|v:" in short
    assert set(signature.info) <= set(signature._abbr)
    metric.corpus_score(["1"], n_bootstrap=10)
    assert "|bs:10|" in str(metric.get_signature())
    metric.corpus_score(["1"])
    assert "bs:" not in str(metric.get_signature())


# references


def test_references_by_stream():
    metric = WithReferences()
    streams = [["a", "b", "c"], ["a", None, ""]]
    assert metric.corpus_score(["a", "b", "x"], streams).score == pytest.approx(1.0)
    assert metric.num_refs == -1
    assert "nrefs:var|" in str(metric.get_signature())
    assert metric.corpus_score(["a", "b", "x"], streams[:1]).score == pytest.approx(2 / 3)
    assert "nrefs:1|" in str(metric.get_signature())
    assert metric.sentence_score("a", ["a", "b"]).score == 1.0


def corpus(texts, references=None, **options):
    return lambda: (Given() if references is None else WithReferences()).corpus_score(texts, references, **options)


def with_sources(**given):
    return lambda: SacrebleuAdapter(Matches(references=False, sources=True), **given).corpus_score(["a"])


TWO = ["a", "b"]


test_bad_input = refusals(
    lambda call: call(),
    [
        (lambda: WithReferences().corpus_score(TWO, None), "`references`, without which there is no With"),
        (corpus(TWO, [["a", "b"], ["a"]]), r"streams of 2 texts.*\[2, 1\]"),
        (corpus(TWO, [["a", None]]), "item 1 is empty"),
        (corpus(TWO, [["a", 3]]), r"references\[1\].*item 0 is int 3", TypeError),
        (corpus(TWO, []), "`references`", TypeError),
        (corpus("a text"), "`hypotheses`.*bare str", TypeError),
        (corpus([]), "`hypotheses`.*empty"),
        (corpus(["1"], n_bootstrap=0), "`n_bootstrap`"),
        (corpus(["", ""]), "Given covers none of the 2 segments"),
        (lambda: Given().sentence_score(["1"]), "`hypothesis`.*list", TypeError),
        (with_sources(), "Expected argument `sources`, without which there is no matches"),
        (with_sources(sources="abc"), "`sources` to be a list with one source for each segment", TypeError),
    ],
)


# paired tests


def bootstrap_p(left, right, n=20_000):
    """The paired bootstrap as sacrebleu defines it, with ties counted, on ratios of sums in double precision."""
    draws = default_rng(1).integers(0, len(left), (n, len(left)))
    differences = np.abs(np.nanmean(left[draws], axis=1) - np.nanmean(right[draws], axis=1))
    observed = abs(np.nanmean(left) - np.nanmean(right))
    return np.mean(differences - differences.mean() >= observed - 1e-12)


def randomisation_p(left, right, n=20_000):
    """Approximate randomisation, with ties counted."""
    swap = default_rng(1).integers(0, 2, (n, len(left)), dtype=bool)
    differences = np.nanmean(np.where(swap, left, right), axis=1) - np.nanmean(np.where(swap, right, left), axis=1)
    return np.mean(np.abs(differences) >= abs(np.nanmean(left) - np.nanmean(right)) - 1e-12)


SIMULATIONS = {"bs": bootstrap_p, "ar": randomisation_p}


def qualities(seed, n=60, undefined=0.0, mean=0.6):
    rng = default_rng(seed)
    values = rng.normal(mean, 0.1, n)
    values[rng.random(n) < undefined] = np.nan
    return values


@pytest.mark.parametrize("test", SIMULATIONS)
@pytest.mark.parametrize("metric, p", [(BLEU(), 1 / 101), (tie_aware(BLEU()), 1.0)])
def test_sacrebleu_without_ties_finds_identical_systems_different(test, metric, p):
    # the reason for ComparableScore; if this fails one day, it may go
    texts = [f"the {word} sat on the mat" for word in "abcdefghij"]
    _, scores = PairedTest([("Baseline: a", texts), ("b", texts)], {"b": metric}, [texts[::-1]], test, 100)()
    assert scores["BLEU"][1].p_value == pytest.approx(p)


@pytest.mark.parametrize("seed, n_jobs", [(0, 1), (1, 2), (2, 1), (3, 1)])
@pytest.mark.parametrize("test", SIMULATIONS)
def test_one_undefined_segment_makes_no_significance(test, seed, n_jobs):
    left = qualities(seed, n=(10, 60, 60, 300)[seed], undefined=0.1 if seed == 2 else 0.0)
    assert p_value(test, left, left, n_jobs=n_jobs) == 1.0  # a system beside itself
    right = left.copy()
    right[np.flatnonzero(~np.isnan(left))[seed]] = np.nan
    p = p_value(test, left, right, n_jobs=n_jobs)
    assert p > 0.05
    assert p == pytest.approx(SIMULATIONS[test](left, right), abs=0.05)
    if test == "ar":
        assert p == 1.0  # whatever is swapped, the difference is the same


@pytest.mark.parametrize("undefined", [0.0, 0.2])
@pytest.mark.parametrize("test", SIMULATIONS)
def test_p_is_what_a_simulation_says(test, undefined):
    left, right = qualities(0, undefined=undefined), qualities(50, undefined=undefined, mean=0.62)
    assert p_value(test, left, right, n_samples=4000) == pytest.approx(SIMULATIONS[test](left, right), abs=0.03)


@pytest.mark.parametrize("test", SIMULATIONS)
def test_beside_bleu_nothing_of_bleus_changes(test):
    rng = default_rng(3)
    references = [" ".join(rng.choice(list("abcdefgh"), 12)) for _ in range(40)]
    systems = [
        (name, [" ".join("x" if rng.random() < rate else word for word in text.split()) for text in references])
        for name, rate in (("Baseline: a", 0.3), ("b", 0.32))
    ]

    def of_bleu(**metrics):
        return [vars(result) for result in PairedTest(systems, metrics, [references], test, 500)()[1]["BLEU"]]

    alone = of_bleu(BLEU=BLEU())
    assert of_bleu(BLEU=BLEU(), x=SacrebleuAdapter(Lengths())) == of_bleu(BLEU=tie_aware(BLEU())) == alone


def test_sources_belong_to_every_system():
    metric = SacrebleuAdapter(Matches(references=False, sources=True), sources=["a", "b", "c"])
    assert metric.sentence_score("b", source="b").score == 1
    systems = [("one", ["a", "b", "x"]), ("two", ["a", "b", "c"])]
    _, scores = PairedTest(systems, {"matches": metric}, references=None, test_type="ar", n_samples=10)()
    assert [score.score for score in scores["matches"]] == pytest.approx([2 / 3, 1])


def test_a_generator_is_refused_in_sacrebleus_words_and_not_used_up():
    texts = ["one text", "another"]
    given, told = iter(texts), []
    for metric in (BLEU(), SacrebleuAdapter(Lengths())):
        with pytest.raises(TypeError) as error:
            metric.corpus_score(given, [texts])
        told.append(str(error.value))
    assert told[1] == told[0].replace("BLEU:", "SacrebleuAdapter:")
    assert list(given) == texts


def test_an_infinite_value_counts_as_undefined():
    score = Given().corpus_score(["1"] * 10 + ["-inf"] * 10, n_bootstrap=50)
    assert (score.score, score.coverage, score._ci) == (1, 0.5, pytest.approx(0))


def test_an_empty_resample_scores_as_the_corpus_and_nine_values_have_no_interval():
    values = [2.0] * 10 + [math.nan] * 40
    score = Given(0.0).corpus_score(texts_of(values), n_bootstrap=1000)
    assert (score._mean, score._ci) == (pytest.approx(2.0), pytest.approx(0.0))  # no resample scores 0
    assert "±" not in Given(0.0).corpus_score(texts_of(values[1:]), n_bootstrap=1000).format(2)
