"""What Inspect finds by its entry point: a metric by name, and intervals of means over clusters."""

from importlib.metadata import entry_points

import numpy as np
import pytest
from numpy.random import default_rng

pytest.importorskip("inspect_ai")

from inspect_ai import Task, score
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.solver import solver

from metric_commons.registry import load_metric
from metric_commons.systems.scores.paired import mean_of_clusters
from referenceless_metrics.inspect_plugin import clustered_interval, metric_score


@solver
def parrot():
    """Answer a sample with its input."""

    async def solve(state, generate):
        state.output = ModelOutput.from_content("parrot", state.input_text)
        return state

    return solve


def test_inspect_finds_it_and_a_log_is_scored_by_the_name_of_a_metric(tmp_path):
    (found,) = entry_points(group="inspect_ai", name="referenceless_metrics")
    assert found.load().metric_score is metric_score
    texts = [f"The cat sat on mat number {n} ." for n in range(6)]
    task = Task(dataset=[Sample(input=text) for text in texts], solver=parrot())
    (log,) = run_eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    scored = score(log, metric_score(metric="wpslor"), action="overwrite", display="none")
    figures = {one.name: {name: value.value for name, value in one.metrics.items()} for one in scored.results.scores}
    values = load_metric("wpslor").predict(texts).values
    assert figures["wpslor"]["mean"] == pytest.approx(values.mean())
    lower, upper = (figures["wpslor"][f"referenceless_metrics/clustered_interval_{end}"] for end in ("lower", "upper"))
    assert (lower, upper) == pytest.approx(mean_of_clusters(values, np.arange(6)).interval())


def test_intervals_know_of_clusters_and_leave_out_what_has_no_value():
    generator = default_rng(0)
    clusters = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 8])
    values = generator.normal(size=8)[clusters] + generator.normal(size=36)
    samples = [
        SampleScore(score=Score(value=value), sample_metadata={"doc": f"d{cluster}"})
        for value, cluster in zip([*values.tolist(), float("nan")], [*clusters.tolist(), 0], strict=True)
    ]
    found = clustered_interval(cluster="doc")(samples)
    expected = mean_of_clusters(values, clusters).interval()
    assert (found["lower"], found["upper"]) == pytest.approx(expected)
    alone = clustered_interval()(samples)
    assert alone["upper"] - alone["lower"] < found["upper"] - found["lower"]
    assert np.isnan(clustered_interval(cluster="doc")(samples[:3])["lower"])
