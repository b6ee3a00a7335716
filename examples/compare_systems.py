"""Compare two systems by fluency beside chrF, with sacrebleu's paired test."""

from sacrebleu.metrics import CHRF
from sacrebleu.significance import PairedTest

from referenceless_metrics import WPSLORMetric

references = ["The cat sat on the mat.", "It rained all day.", "She reads a book.", "We met in the old town."] * 5
baseline = ["cat the mat on sat the.", "It rained all day.", "She book a reads.", "We met in the town old."] * 5
ours = ["The cat sat on a mat.", "It rained the whole day.", "She reads books.", "We met in the old town."] * 5

systems = [("baseline", baseline), ("ours", ours)]
test = PairedTest(systems, {"wpslor": WPSLORMetric(), "chrf": CHRF()}, [references], "ar", n_samples=1000)
_, scores = test()
for name in ("WPSLOR", "chrF2"):
    for system, score in zip(("baseline", "ours"), scores[name], strict=True):
        p = "" if score.p_value is None else f"  p = {score.p_value:.3f}"
        print(f"{name:<8} {system:<10} {score.score:7.2f}{p}")
