"""One process of two that score their shares and combine the results: `python torchmetrics_process.py RANK FOLDER`."""

import json
import sys
from pathlib import Path


def main(rank, folder):
    import torch
    from small_metrics import CANDIDATES, FITTED, FLUENCY

    from referenceless_metrics.frameworks.torchmetrics import TextQualityMetric

    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2)
    metric = TextQualityMetric(FITTED)
    fluency = TextQualityMetric(FLUENCY)
    for text in CANDIDATES[:4] if rank == 0 else CANDIDATES[4:]:
        metric.update([text])
        fluency.update([text])
    result = {name: value.tolist() for name, value in {**metric.compute(), **fluency.compute()}.items()}
    metric.update(CANDIDATES[:1])  # after compute, a process goes on with its own share
    result["n_texts"] = int(metric.n_texts)
    (folder / f"{rank}.json").write_text(json.dumps(result))
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
