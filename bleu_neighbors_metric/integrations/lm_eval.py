"""BLEU Neighbors in lm-evaluation-harness (extra `lm-eval`).

A task of `output_type: generate_until` names it in its YAML, which also imports this module:

    metric_list:
      - metric: !function bleu_neighbors_metric.integrations.lm_eval.bleu_neighbors
        aggregation: nanmean
        higher_is_better: true
        index: ratings.index

Once the module is imported, `metric: bleu_neighbors` alone does too. The other keys are the arguments of
`pool_source.bleu_neighbors`. The results are `bleu_neighbors`, over the covered documents, and
`bleu_neighbors_coverage`, each with its bootstrap standard error. References are not read: `doc_to_target` may be
empty, and a task with multiple targets, for which the harness turns every score into 0 or 1, has no use for it.
"""

from __future__ import annotations

from bleu_neighbors_metric.pool_source import bleu_neighbors as fitted
from metric_commons.integrations.lm_eval import register

bleu_neighbors = register("bleu_neighbors", fitted)
