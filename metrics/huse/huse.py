"""HUSE for `evaluate`: outputs are `predictions`, people's texts `references`; it has no value for a single text."""

from typing import Any

from referenceless_metrics.frameworks.evaluate import module_class  # From: referenceless-metrics
from referenceless_metrics.core.registry import MetricSpec  # From: referenceless-metrics
from referenceless_metrics.huse.score import HUSE  # From: referenceless-metrics

EXAMPLE = """
>>> import evaluate
>>> quality = [[0.1 * n for n in range(20)], [0.1 * n for n in range(20)]]
>>> logprobs = [[-1.0 - 0.1 * n for n in range(20)], [-3.0 - 0.1 * n for n in range(20)]]
>>> metric = evaluate.load("huse", quality=quality, logprobs=logprobs)
>>> outputs, human_texts = ["a cat sat"] * 20, [f"cat {n} sat on the mat" for n in range(20)]
>>> result = metric.compute(predictions=outputs, references=human_texts)
>>> result["huse"] < 0.5, result["coverage"]
(True, 1.0)
"""

ENTRY = MetricSpec(
    name="huse",
    title="HUSE",
    maker=lambda: HUSE,
    needs_references=True,
    paper="Hashimoto et al. (2019)",
    urls=("https://doi.org/10.18653/v1/N19-1169",),
    example=EXAMPLE,
)


class Module(module_class(ENTRY)):
    """`evaluate.load("huse")`: see `referenceless_metrics.huse.score.HUSE`."""

    parameters = {
        name: one for name, one in module_class(ENTRY).parameters.items() if name not in ("min_coverage", "output")
    }
    returns = """\
    {}: twice the error with which outputs are told from people's texts, by quality and log-probability.
    huse_q: the same by quality alone.
    huse_d: 1 + huse - huse_q: what is left for diversity.
    intervals: the ends of the 95 % intervals of the three, by name.
    coverage: the share of texts that have quality and log-probability.
"""

    def _compute(self, predictions: list[str], references: list[list[str]]) -> dict[str, Any]:
        """Return the result of `HUSE.compute`."""
        return self._metric.compute(predictions, [text for texts in references for text in texts])


__test__ = {"example": EXAMPLE}  # which evaluate's own tests run
