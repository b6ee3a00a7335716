"""SLOR, WPSLOR and ROUGE-LM in lm-evaluation-harness (extra `lm-eval`).

A task of `output_type: generate_until` names them in its YAML, which also imports this module:

    metric_list:
      - metric: !function slor_metric.integrations.lm_eval.slor
        aggregation: nanmean
        higher_is_better: true

Once the module is imported, `metric: slor` alone does too. The other keys are the arguments of `SLOR`, `WPSLOR` and
`ROUGELM`, the last with its `statistics` as a mapping. The results are `slor` and `slor_coverage`, and so on, each
with its bootstrap standard error. ROUGE-LM reads the one reference of `doc_to_target`; the harness turns the scores
of tasks with multiple targets into 0 or 1.
"""

from __future__ import annotations

from metric_commons.integrations.lm_eval import register
from slor_metric.estimator import ROUGELM, SLOR, WPSLOR

slor = register(SLOR.name, SLOR)
wpslor = register(WPSLOR.name, WPSLOR)
rouge_lm = register(ROUGELM.name, ROUGELM)
