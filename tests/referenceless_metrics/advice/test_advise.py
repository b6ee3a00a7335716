"""Advice on the packaged example and on made ratings: what is chosen, what is expected, what is refused."""

import html
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from metric_commons.files.tables import RatedTexts
from metric_commons.support.errors import InputError
from referenceless_metrics.advice.advise import advise
from referenceless_metrics.advice.page import advice_rows, advice_summary, render_page
from referenceless_metrics.cli import cli


@pytest.fixture(scope="module")
def advice():
    return advise(example_pool(), example_candidates(), quality_estimator=False)


def test_the_best_is_chosen_and_trained_on_everything(advice):
    assert advice.chosen is advice.candidates[advice.left_out.means.argmax()]
    assert advice.interval[0] < advice.expected < advice.interval[1]
    assert advice.metric.texts_ == example_pool().texts
    assert advice.metric.calibration is not None
    assert f"Use {advice.chosen.name} (" in advice.findings[0]
    assert any("human-score" in line for line in advice.findings)
    assert advice.outputs is not None
    assert len(advice.outputs) == len(example_candidates())


def test_the_page_needs_nothing_and_escapes(advice):
    page = render_page(advice, "<script>")
    assert "<script>" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "similarity weights" in page
    assert "Made on 2" in page
    assert "What next" not in page
    assert "--metric bleu_neighbors --pool a/metric.index -o" in render_page(
        advice, "x", "bleu_neighbors --pool a/metric.index"
    )
    assert advice._repr_html_().startswith(f"<p>{html.escape(advice.findings[0])}</p>")
    assert {row["candidate"] for row in advice_rows(advice)} == {"published rule", "similarity weights"}
    assert advice_summary(advice)["use"] == advice.chosen.name


def test_ratings_without_information_are_warned_of():
    pool = example_pool()
    noise = np.random.default_rng(1).normal(size=len(pool.texts))
    advice = advise(RatedTexts(pool.texts, noise), quality_estimator=False)
    assert advice.warns
    assert advice.verdict == "no better than the mean"
    assert "Do not report" in advice.findings[1]


def test_groups_are_looked_at_too():
    pool = example_pool()
    groups = tuple("abc"[i % 3] for i in range(len(pool.texts)))
    advice = advise(replace(pool, groups=groups), quality_estimator=False)
    assert advice.n_groups == 3
    assert np.isfinite(advice.expected_of_groups)
    assert any("groups without ratings" in line for line in advice.findings)
    assert "spearman_of_groups" in advice_rows(advice)[0]
    assert "groups left out" in render_page(advice, "x")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"texts": ["a"] * 96}, "1 distinct rated texts are too few"),
        ({"ratings": np.ones(96)}, "all ratings are 1"),
        ({"groups": ("a",) * 96}, "all 96 texts are of one group"),
        ({"groups": ("a",) * 95 + ("b",)}, "the group b has one text"),
    ],
)
def test_bad_ratings(change, message):
    with pytest.raises(InputError, match=message):
        advise(replace(example_pool(), **change), quality_estimator=False)


def test_the_command_writes_a_metric_a_page_and_estimates(tmp_path):
    import bleu_neighbors_metric

    data = Path(bleu_neighbors_metric.__file__).parent / "data"
    arguments = [str(data / "example_pool.csv"), str(data / "example_candidates.txt"), "--no-quality-estimator"]
    result = CliRunner().invoke(cli, ["advise", *arguments, "-o", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "expect ρ" in result.stdout
    loaded = BLEUNeighbors.load(tmp_path / "out" / "metric.index")
    assert loaded.verdict is not None
    assert "lower" in (tmp_path / "out" / "estimates.csv").read_text(encoding="utf-8").splitlines()[0]
    assert "<code>referenceless sample</code>" in (tmp_path / "out" / "advice.html").read_text(encoding="utf-8")
    assert f"--metric bleu_neighbors --pool {tmp_path / 'out' / 'metric.index'}\n" in result.stderr


def test_the_trained_estimator_is_compared_where_it_can_be_trained():
    from referenceless_metrics.advice.candidates import candidates

    pool = example_pool()
    assert [each.name for each in candidates(pool.texts, pool.ratings)][-1] == "quality estimator"
    assert len(candidates(pool.texts[:30], pool.ratings[:30])) == 2
