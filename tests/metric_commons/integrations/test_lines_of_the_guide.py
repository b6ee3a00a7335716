"""Frameworks that need a line and no adapter: the line of the guide, run by the framework, with an abstention."""

import asyncio

import pytest
from documents import blocks
from small_metrics import CANDIDATES, ESTIMATES, FITTED
from text_files import ROOT, read

GUIDE = ROOT / "docs" / "guides" / "frameworks.md"


def with_dspy(dspy, quality):
    class Echo(dspy.Module):
        def forward(self, text):
            return dspy.Prediction(answer=text)

    rows = [dspy.Example(text=text).with_inputs("text") for text in CANDIDATES]
    return float(dspy.Evaluate(devset=rows, metric=quality, num_threads=1, display_progress=False)(Echo()).score) / 100


def with_weave(weave, quality):
    evaluation = weave.Evaluation(dataset=[{"text": text} for text in CANDIDATES], scorers=[quality])
    found = asyncio.run(evaluation.evaluate(weave.op(lambda text: text, name="echo")))
    return float(found["quality"]["bleu_neighbors"]["mean"])


def with_langfuse(langfuse, quality):
    client = langfuse.Langfuse(tracing_enabled=False, public_key="no", secret_key="one", base_url="http://localhost:9")
    rows = [{"input": text} for text in CANDIDATES]
    found = client.run_experiment(name="e", data=rows, task=lambda *, item, **_: item["input"], evaluators=[quality])
    values = [one.value for row in found.item_results for one in row.evaluations]
    assert f"bleu_neighbors: {sum(values) / len(values):.3f}" in found.format()
    return float(sum(values) / len(values))


@pytest.mark.parametrize("run", [with_dspy, with_weave, with_langfuse])
def test_an_abstention_makes_no_mean_nan(run, monkeypatch):
    name = run.__name__.removeprefix("with_")
    monkeypatch.setenv("WEAVE_DISABLED", "true")
    framework = pytest.importorskip(name)
    title = {"with_dspy": "DSPy", "with_weave": "Weave", "with_langfuse": "Langfuse"}[run.__name__]
    (_, block), *_ = blocks(read(GUIDE).partition(f"## {title}\n")[2])
    names = {"metric": FITTED}
    exec(block, names)
    assert 0 < ESTIMATES.coverage < 1
    filled = ESTIMATES.coverage * ESTIMATES.mean + (1 - ESTIMATES.coverage) * FITTED.mean_rating
    assert run(framework, names["quality"]) == pytest.approx(filled if name == "dspy" else ESTIMATES.mean, abs=1e-4)
