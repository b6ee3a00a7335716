"""Advice on the packaged example and on made ratings: what is chosen, what is expected, what is refused."""

import html
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from command_lines import done, invoke
from referenceless_metrics.advice.measure import candidates
from refusals import refusals
from text_files import read

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from metric_commons.support.validation import InputError
from referenceless_metrics.advice.advise import advice_rows, advice_summary, advise, render_page
from referenceless_metrics.demo import write_example_files

ADVICE = partial(advise, quality_estimator=False)
POOL = example_pool()


@pytest.fixture(scope="module")
def advice():
    return ADVICE(POOL, example_candidates())


def test_the_best_is_chosen_and_trained_on_everything(advice):
    assert advice.chosen is advice.candidates[advice.left_out.means.argmax()]
    assert advice.interval[0] < advice.expected < advice.interval[1]
    assert advice.metric.texts_ == POOL.texts
    assert advice.metric.calibration is not None
    assert f"Use {advice.chosen.name} (" in advice.findings[0]
    assert any("human-score" in line for line in advice.findings)
    assert len(advice.outputs) == len(example_candidates())


def test_the_page_needs_nothing_and_escapes(advice):
    page = render_page(advice, "<script>")
    shown = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.DOTALL)
    assert "script>" not in shown
    assert "http" not in shown.replace("http-equiv", "")
    assert "similarity weights" in shown
    assert "Made on 2" in shown
    assert "--advice" not in shown
    assert "--advice &#39;a b&#39; -o" in render_page(advice, "x", ["--metric", "a", "--pool", "b"], "a b")
    assert len(re.findall('class="points"', shown)) == 1  # estimates against ratings
    assert advice._repr_html_().startswith(f"<p>{html.escape(advice.findings[0])}</p>")
    assert {row["candidate"] for row in advice_rows(advice)} == {"published rule", "similarity weights"}
    assert advice_summary(advice)["use"] == advice.chosen.name


def test_ratings_without_information_are_warned_of():
    advice = ADVICE(replace(POOL, ratings=np.random.default_rng(1).normal(size=len(POOL.texts))))
    assert advice.warns
    assert advice.verdict == "no better than the mean"
    assert "Do not report" in advice.findings[1]


def test_groups_are_looked_at_too():
    advice = ADVICE(replace(POOL, groups=tuple("abc"[i % 3] for i in range(len(POOL.texts)))))
    assert advice.n_groups == 3
    assert np.isfinite(advice.expected_of_groups)
    assert any("groups without ratings" in line for line in advice.findings)
    assert "spearman_of_groups" in advice_rows(advice)[0]
    page = render_page(advice, "x")
    assert "groups left out" in page
    assert "By group" in page
    assert "against their ratings" in advice.plot().svg


test_bad_ratings = refusals(
    lambda change: ADVICE(replace(POOL, **change)),
    [
        ({"texts": ["a"] * 96}, "1 distinct rated texts are too few"),
        ({"ratings": np.ones(96)}, "all ratings are 1"),
        ({"groups": ("a",) * 96}, "all 96 texts are of one group"),
        ({"groups": ("a",) * 95 + ("b",)}, "the group b has one text"),
    ],
    error=InputError,
)


def test_the_command_writes_a_metric_a_page_and_estimates(folder):
    write_example_files(folder)
    result = done("advise pool.csv outputs.txt --no-quality-estimator -o out")
    assert "expect ρ" in result.stdout
    assert BLEUNeighbors.load("out/metric.index").verdict is not None
    assert "lower" in read("out/estimates.csv").splitlines()[0]
    assert "<code>referenceless sample</code>" in read("out/advice.html")
    assert "--metric bleu_neighbors --pool out/metric.index\n" in result.stderr
    line = f"report outputs.txt outputs.txt --n-samples 50 -o {folder / 'page.html'} --advice"
    done(f"{line} out")
    assert "<h1>BLEU Neighbors: 2 systems" in read("page.html")
    assert "names no metric" in invoke(f"{line} page.html").output


def test_the_trained_estimator_is_compared_where_it_can_be_trained():
    assert [each.name for each in candidates(POOL.texts, POOL.ratings)][-1] == "quality estimator"
    assert len(candidates(POOL.texts[:30], POOL.ratings[:30])) == 2
