"""The same metrics through Hugging Face `evaluate`."""

import evaluate

from referenceless_metrics import example_candidates, example_pool, hub

pool = example_pool()
metric = evaluate.load(hub.module_path("bleu_neighbors"), rated_texts=pool.texts, ratings=pool.ratings)
result = metric.compute(predictions=example_candidates())
print(f"mean {result['bleu_neighbors']:.3f} at coverage {result['coverage']:.2f}")
print({reason: result["reasons"].count(reason) for reason in set(result["reasons"])})
