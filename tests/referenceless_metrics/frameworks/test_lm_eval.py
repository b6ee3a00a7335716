"""The metrics in a local YAML task, run by lm-evaluation-harness itself."""

import json

import numpy as np
import pytest
from small_metrics import CANDIDATES, FITTED, POOL, STATISTICS
from text_files import write

pytest.importorskip("lm_eval")

import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from referenceless_metrics.core.metric import score_texts
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR
from slor_metric.language_models.ngram import train_ngram

pytestmark = pytest.mark.long
DOCUMENTS = CANDIDATES * 5
ESTIMATES = FITTED.predict(DOCUMENTS)


class Parrot(LM):
    """Answers a prompt that is a number with the candidate of that number."""

    def generate_until(self, requests, disable_tqdm=False):
        return [DOCUMENTS[int(request.args[0])] for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


TASK = """
task: small_generation
dataset_path: json
dataset_kwargs:
  data_files: {{test: {data}}}
output_type: generate_until
test_split: test
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{reference}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list:
  - metric: !function referenceless_metrics.frameworks.lm_eval.bleu_neighbors
    aggregation: nanmean
    higher_is_better: true
    pool: {pool}
  - metric: !function referenceless_metrics.frameworks.lm_eval.slor
    aggregation: nanmean
    higher_is_better: true
    lm: {model}
  - metric: wpslor
    lm: {model}
  - metric: rouge_lm
    lm: {model}
    statistics: {statistics}
metadata: {{version: 1}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("task")
    rows = [{"prompt": str(i), "reference": text[::-1]} for i, text in enumerate(DOCUMENTS)]
    write(folder / "data.jsonl", map(json.dumps, rows))
    FITTED.save(folder / "pool.index")
    train_ngram(POOL, folder / "model.npz", order=2, progress=False)
    write(
        folder / "small_generation.yaml",
        TASK.format(
            data=folder / "data.jsonl",
            pool=folder / "pool.index",
            model=folder / "model.npz",
            statistics=json.dumps(STATISTICS),
        ),
    )
    return folder


@pytest.fixture(scope="module")
def results(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISABLE_MULTIPROC", "1")
        output = lm_eval.simple_evaluate(
            Parrot(),
            tasks=["small_generation"],
            task_manager=TaskManager(include_path=str(folder), include_defaults=False),
            bootstrap_iters=2000,
            log_samples=True,
        )
    return output


def test_results_are_those_of_the_metrics(results, folder):
    task, model = results["results"]["small_generation"], str(folder / "model.npz")
    for metric in (FITTED, SLOR(model), WPSLOR(model), ROUGELM(model, statistics=STATISTICS)):
        result = score_texts(metric, DOCUMENTS, [text[::-1] for text in DOCUMENTS])
        assert 0 < result.coverage < 1
        assert task[f"{metric.name},none"] == pytest.approx(result.mean)
        assert task[f"{metric.name}_coverage,none"] == pytest.approx(result.coverage)
    samples = results["samples"]["small_generation"]
    scores = [sample["bleu_neighbors"] for sample in sorted(samples, key=lambda sample: sample["doc_id"])]
    np.testing.assert_allclose(scores, ESTIMATES.values)
