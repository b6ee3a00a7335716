"""Quality estimation in lm-evaluation-harness (extra `lm-eval`).

A task of `output_type: generate_until` names it in its YAML, which also imports this module:

    doc_to_target: "{{mr}}"
    metric_list:
      - metric: !function quality_estimation_metric.integrations.lm_eval.quality_estimation
        aggregation: nanmean
        higher_is_better: true
        model_file: hotels.npz

Once the module is imported, `metric: quality_estimation` alone does too. The other keys are the arguments of
`model_source.quality_estimation`. The harness hands on the target of a document and nothing else of it: for a model
that reads sources, `doc_to_target` names the source; a model without leaves it unread.
"""

from __future__ import annotations

from metric_commons.integrations.lm_eval import register
from quality_estimation_metric.model_files.source import quality_estimation as bound

quality_estimation = register("quality_estimation", bound)
