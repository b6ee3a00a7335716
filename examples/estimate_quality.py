"""Estimate the quality of outputs from rated texts, and ask first whether the ratings can carry that."""

from referenceless_metrics import BLEUNeighbors, calibrate, example_candidates, example_pool

pool = (
    example_pool()
)  # texts with ratings: yours come from a file, see `referenceless_metrics.core.files.text_io.read_rated`
metric = BLEUNeighbors(progress=False).fit(pool.texts, pool.ratings)

calibration = calibrate(metric)  # each rated text from all the others
print(f"rank correlation {calibration.spearman.value:.2f}, coverage {calibration.coverage:.2f}")
print(*calibration.findings, sep="\n")

result = metric.predict(example_candidates())
for text, value, reason in zip(example_candidates(), result.values, result.reasons, strict=True):
    print(f"{value:6.2f}  {text}  {reason or ''}")
print(f"mean {result.mean:.3f} at coverage {result.coverage:.2f}")
