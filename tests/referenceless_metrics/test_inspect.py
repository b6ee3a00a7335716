"""The metrics as scorers of an Inspect task, run by Inspect itself, which finds them by their entry point."""

import json
from importlib.metadata import entry_points

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.stats import sem
from small_metrics import CANDIDATES, FITTED, FLUENCY, REFERENCES, ROUGE_LM

pytest.importorskip("inspect_ai")

from inspect_ai import Epochs, Task, score
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.solver import solver

from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.frameworks.inspect_ai import inspect_scorer
from referenceless_metrics.frameworks.inspect_plugin import clustered_interval, metric_score
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters

TARGETS = [text or "nothing" for text in REFERENCES]
SAMPLES = [Sample(id=i, input=str(i), target=target) for i, target in enumerate(TARGETS)]


@solver
def parrot():
    """Answer a sample with the candidate of its number."""

    async def solve(state, generate):
        state.output = ModelOutput.from_content("parrot", CANDIDATES[int(state.input_text)])
        return state

    return solve


def run(folder, dataset, *metrics, epochs=1):
    task = Task(
        dataset=dataset,
        solver=parrot(),
        scorer=[inspect_scorer(metric) for metric in metrics],
        epochs=Epochs(epochs),
        name="small_generation",
    )
    (log,) = run_eval(task, model="mockllm/model", display="none", log_dir=str(folder), log_format="json")
    return log


def figures(log):
    return {score.name: {name: one.value for name, one in score.metrics.items()} for score in log.results.scores}


@pytest.mark.parametrize("epochs", [1, 2])
def test_means_with_errors_and_coverage_and_the_samples(tmp_path, epochs):
    log = run(tmp_path, SAMPLES, FITTED, FLUENCY, ROUGE_LM, epochs=epochs)
    assert log.status == "success", log.error
    found = figures(log)
    for metric in (FITTED, FLUENCY, ROUGE_LM):
        name, result = metric.name, score_texts(metric, CANDIDATES, TARGETS)
        assert 0 < result.coverage < 1
        assert found[name]["mean"] == pytest.approx(result.mean)
        assert found[name]["stderr"] == pytest.approx(sem(result.values[result.covered]))
        assert found[f"{name}_coverage"]["mean"] == pytest.approx(result.coverage)
        for sample in log.samples:
            score, place = sample.scores[name], int(sample.input)
            np.testing.assert_equal(score.value[name], result.values[place])
            assert score.explanation == result.reasons[place]
            assert score.answer == CANDIDATES[place]
    assert log.results.scores[0].params == {"signature": FITTED.signature}
    (written,) = tmp_path.glob("*.json")
    assert json.loads(written.read_text())["results"]["total_samples"] == epochs * len(CANDIDATES)


def test_a_missing_target_says_so(tmp_path):
    log = run(tmp_path, [Sample(input="0")], ROUGE_LM)
    assert "Expected `target`, without which there is no rouge_lm" in log.error.message


def test_inspect_finds_it_and_a_log_is_scored_by_the_name_of_a_metric(tmp_path):
    (found,) = entry_points(group="inspect_ai", name="referenceless_metrics")
    assert found.load().metric_score is metric_score
    log = run(tmp_path, SAMPLES)
    scored = figures(score(log, metric_score(metric="wpslor"), action="overwrite", display="none"))["wpslor"]
    result = load_metric("wpslor").predict(CANDIDATES)
    assert scored["mean"] == pytest.approx(result.mean)
    interval = (scored[f"referenceless_metrics/clustered_interval_{end}"] for end in ("lower", "upper"))
    values = result.values[result.covered]
    assert tuple(interval) == pytest.approx(mean_of_clusters(values, np.arange(len(values))).interval())


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


def scored(values, clusters=None):
    """Samples with these scores, of these clusters."""
    return [
        SampleScore(
            score=Score(value=value),
            sample_id=f"sample {place}",
            sample_metadata=None if clusters is None else {"doc": clusters[place]},
        )
        for place, value in enumerate(values)
    ]


def test_a_sample_without_a_cluster_is_named_and_clusters_of_two_types_are_two():
    with pytest.raises(ValueError, match=r"`cluster`, 'doc'.*'sample 0' has no metadata; give each sample a cluster"):
        clustered_interval(cluster="doc")(scored([0.1, 0.2]))
    with pytest.raises(ValueError, match="'sample 1' has no value there"):
        clustered_interval(cluster="doc")(scored([0.1, 0.2], ["a", None]))
    with pytest.raises(ValueError, match="'sample 0' has 'doc'"):
        clustered_interval(cluster="topic")(scored([0.1, 0.2], ["a", "b"]))
    values = default_rng(0).normal(size=10).tolist()
    apart = clustered_interval(cluster="doc")(scored(values, [1, "1", 2, "2", 3, "3", 4, "4", 5, "5"]))
    assert apart == pytest.approx(clustered_interval()(scored(values)))


def test_shares_have_an_interval_inside_0_and_1_also_if_all_samples_are_right():
    alone = clustered_interval()(scored([1.0] * 6))
    assert 0.5 < alone["lower"] < 0.7
    assert alone["upper"] == 1
    clusters = [place // 2 for place in range(12)]
    found = clustered_interval(cluster="doc")(scored([0.0] + [1.0] * 11, clusters))
    assert 0 < found["lower"] < 11 / 12 < found["upper"] <= 1


def test_a_level_beyond_1_is_refused():
    with pytest.raises(ValueError, match="level"):
        clustered_interval(level=95)
