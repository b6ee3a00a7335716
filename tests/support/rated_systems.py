"""Research data in which many outputs of several systems are rated, as tests read them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.support.rated_sentences import read


@dataclass(frozen=True)
class RatedOutputs:
    """Outputs, their ratings and their systems, in the order of the file."""

    texts: list[str]
    ratings: NDArray[np.float64]
    systems: list[str]

    def of(self, system):
        return self._chosen(np.array(self.systems) == system)

    def except_for(self, system):
        return self._chosen(np.array(self.systems) != system)

    def _chosen(self, mask):
        return [text for text, chosen in zip(self.texts, mask, strict=True) if chosen], self.ratings[mask]


def nlg_ratings(folder, quality="quality"):
    """Read `emnlp_data_medians.csv`; a system is named as in SFRES/LOLS."""
    rows = read(folder / "emnlp_data_medians.csv")
    systems = rows["dataset"] + "/" + rows["system"]
    return RatedOutputs(rows["sys_ref"].tolist(), rows[quality].to_numpy(float), systems.tolist())


def simplicity_da(folder):
    rows = read(folder / "simplicity_da_with_references.csv")
    return RatedOutputs(rows["output"].tolist(), rows["fluency"].to_numpy(float), rows["system"].tolist())


def webnlg_2020(folder, quality):
    """Read the judgements, averaged over the workers of each output."""
    outputs = read(folder / "judgements_en.csv").groupby(["system", "item"], sort=False)
    means, texts = outputs[quality].mean(), outputs["text"].first()
    return RatedOutputs(texts.tolist(), means.to_numpy(float), means.index.get_level_values("system").tolist())
