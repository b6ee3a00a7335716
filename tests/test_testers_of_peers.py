"""Testers that come with peers' packages, run from the installed packages, on ours in place of their own.

scikit-learn checks estimators of tables of numbers, so each row is told as words. Torchmetrics' package has one
tester, of `full_state_update`. rouge-score's tests come with its package, sacrebleu's with its source distribution
alone: `SOURCE_DISTRIBUTIONS` names a folder of `pip download --no-binary :all:`, as in `.ci/long`. The
source distributions of evaluate and of torchmetrics hold no tests.
"""

import os
import tarfile
import unittest
import warnings
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from command_lines import python
from lazily import lazily

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import TEXTS
from slor_metric import WPSLOR
from slor_metric.rouge.rouge_lm import rouge_l_mult

checks = lazily("sklearn.utils.estimator_checks")
validation = lazily("sklearn.utils.validation")


pytestmark = pytest.mark.long


class OfTables:
    """Mixed into an estimator of texts, makes one of rows of numbers: each number is a word."""

    @staticmethod
    def told(rows):
        return [" ".join(f"n{number:.1f}" for number in row) for row in rows]

    # scikit-learn's checks ask for arguments of these names.
    def fit(self, X, y):
        X, y = validation.validate_data(self, X, y, y_numeric=True)
        return super().fit(self.told(X), y)

    def predict(self, X):
        validation.check_is_fitted(self)
        return np.asarray(super().predict(self.told(validation.validate_data(self, X, reset=False))).values)

    def score(self, X, y):
        estimates = self.predict(X)
        return -np.mean((np.where(np.isnan(estimates), self.mean_rating_, estimates) - y) ** 2)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.one_d_array, tags.input_tags.string = True, False, False
        tags.regressor_tags.poor_score = True  # such words say little
        return tags


class NeighborsOfTables(OfTables, BLEUNeighbors):
    pass


class QualityOfTables(OfTables, QualityEstimator):
    pass


LEAST = "fits 20 texts at least, and says so"
FAILING = {
    NeighborsOfTables: {},
    QualityOfTables: {
        "check_n_features_in_after_fitting": LEAST,
        "check_estimators_nan_inf": LEAST,
        "check_regressors_no_decision_function": LEAST,
        "check_fit2d_1sample": LEAST,
        "check_fit2d_1feature": LEAST,
    },
}


@pytest.mark.parametrize("kind", FAILING)
def test_check_estimator_of_scikit_learn(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = checks.check_estimator(kind(), expected_failed_checks=FAILING[kind], on_skip=None, on_fail=None)
    failed = [(check["check_name"], check["exception"]) for check in outcomes if check["status"] == "failed"]
    assert failed == []
    expected = {check["check_name"] for check in outcomes if check["status"] == "xfail"}
    assert expected == set(FAILING[kind])  # none of those named passes by now
    assert sum(check["status"] == "passed" for check in outcomes) > 40


def test_check_of_states_of_torchmetrics(capsys):
    pytest.importorskip("torchmetrics")
    from torchmetrics.utilities.checks import check_forward_full_state_property

    from referenceless_metrics.frameworks.torchmetrics import TextQualityMetric

    made, given = {"metric": WPSLOR(), "output": "mean"}, {"preds": TEXTS}
    check_forward_full_state_property(TextQualityMetric, made, given, num_update_to_compare=[2], reps=2)
    # The tester compares results with and without the full state, and goes on to take times only if they are equal.
    assert "Partial state for 2 steps" in capsys.readouterr().out


# Their expected values are of ROUGE-1.5.5.
ROUGE_L = [
    "testRougeAllMulti",
    "testRougeEmpty2",  # of "rougeL", the third of its parameters
    "testRougeLConsecutive",
    "testRougeLNonConsecutive",
    "testMultipleRougeTypes",
]


def test_rouge_l_in_rouge_scores_own_tests(monkeypatch):
    tests = import_module("rouge_score.rouge_scorer_test")
    asked = []

    class Ours(tests.rouge_scorer.RougeScorer):
        """Has our F in place of rouge-score's; we return neither precision nor recall."""

        def score_multi(self, targets, prediction):
            scores = super().score_multi(targets, prediction)
            return self._with_ours(scores, targets, prediction)

        def score(self, target, prediction):
            return self._with_ours(super().score(target, prediction), [target], prediction)

        def _with_ours(self, scores, targets, prediction):
            if "rougeL" in scores:
                f = rouge_l_mult([prediction], [list(targets)], tokenize="rouge_score").item()
                asked.append(f)
                scores["rougeL"] = scores["rougeL"]._replace(fmeasure=f)
            return scores

    monkeypatch.setattr(tests.rouge_scorer, "RougeScorer", Ours)
    monkeypatch.setattr(tests.test_util, "TARGETS_FILE", os.devnull)  # files that the package leaves out
    monkeypatch.setattr(tests.test_util, "PREDICTIONS_FILE", os.devnull)
    result = unittest.TestResult()
    unittest.TestSuite(map(tests.RougeScorerTest, ROUGE_L)).run(result)
    assert result.testsRun == len(ROUGE_L) <= len(asked)
    assert result.failures == result.errors == []


@pytest.fixture(scope="module")
def of_sacrebleu(tmp_path_factory):
    """The folder of sacrebleu's tests, unpacked."""
    named = Path(os.environ.get("SOURCE_DISTRIBUTIONS", os.devnull))
    if not (archives := sorted(named.glob("sacrebleu-*.tar.gz"))):
        pytest.skip("needs the source distribution of sacrebleu in the folder that SOURCE_DISTRIBUTIONS names")
    folder = tmp_path_factory.mktemp("sacrebleu")
    with tarfile.open(archives[-1]) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.glob("sacrebleu-*/test"))


@pytest.mark.parametrize("name", ["test_bleu", "test_sentence_bleu", "test_chrf"])
def test_sacrebleu_passes_its_own_tests(of_sacrebleu, name):
    """Tests of our oracle; sacrebleu's other tests download data."""
    environ = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    python("-m", "pytest", "-q", "-p", "no:cacheprovider", of_sacrebleu / f"{name}.py", environ=environ)


class OursForBleu:
    """BLEU* of orders 1 to 4 in place of sacrebleu's class of BLEU."""

    def __init__(self, *, lowercase, tokenize, smooth_method, smooth_value, **_):
        self.lowercase = lowercase
        options = {"tokenize": tokenize, "smooth_method": smooth_method, "smooth_value": smooth_value}
        # sacrebleu's tokeniser of this name drops spaces
        options["tokenize"] = {"char": "char-nospace"}.get(tokenize, tokenize)
        self.metric = BLEUNeighbors(0.0, min_neighbors=1, max_fraction=1.0, ngram_orders=(1, 2, 3, 4), **options)

    def sentence_score(self, candidate, references):
        (reference,) = references
        if self.lowercase:
            candidate, reference = candidate.lower(), reference.lower()
        self.metric.fit([reference], [1.0])
        (neighbor,) = self.metric.kneighbors(candidate, k=1)
        return SimpleNamespace(score=100 * neighbor.similarity)


def test_bleu_star_in_sacrebleus_own_tests(of_sacrebleu, monkeypatch):
    """Sentence BLEU of orders 1 to 4 with every tokeniser and smoothing that they try."""
    spec = spec_from_file_location("test_sentence_bleu_of_sacrebleu", of_sacrebleu / "test_sentence_bleu.py")
    tests = module_from_spec(spec)
    spec.loader.exec_module(tests)
    monkeypatch.setattr(tests, "sacrebleu", SimpleNamespace(metrics=SimpleNamespace(BLEU=OursForBleu)))
    assert len(tests.test_cases) >= 12
    for case in tests.test_cases:
        tests.test_api_sentence_bleu(*case)
    for case in tests.test_cases_zero_bleu:
        tests.test_api_sentence_bleu_zero(*case)
