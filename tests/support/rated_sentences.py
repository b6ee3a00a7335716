"""The rated sentences of the research data, read the way that the measured figures were."""

import json

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Rated = tuple[list[str], NDArray[np.float64]]


def read(path, **options):
    """Read a table of the research data, in which nothing but an empty cell is missing."""
    return pd.read_csv(path, keep_default_na=False, **options)


def rated(rows, text, rating):
    return rows[text].tolist(), rows[rating].to_numpy(float)


def gug(data_dir, *splits):
    """Learners' sentences of some of the splits `train`, `dev` and `test`, with their mean grammaticality."""
    rows = read(data_dir("gug") / "gug_annotations.tsv", sep="\t")
    return rated(rows[rows["Dataset"].isin(splits)], "Sentence", "Average")


def simplicity_da(data_dir):
    """Outputs of simplification systems, with their mean fluency."""
    return rated(read(data_dir("fluency") / "simplicity_da_with_references.csv"), "output", "fluency")


def nlg_naturalness(data_dir):
    """Outputs of dialogue systems, with their median naturalness."""
    lines = (data_dir("nlg-ratings") / "with_references.jsonl").read_text(encoding="utf-8").splitlines()
    return rated(pd.DataFrame(map(json.loads, lines)), "output", "naturalness")


def webnlg_fluency(data_dir):
    """Outputs of the systems of WebNLG 2020, with their mean fluency."""
    rows = read(data_dir("webnlg-2020") / "judgements_en.csv")
    return rated(
        rows.groupby(["system", "item", "text"], sort=False)["fluency"].mean().reset_index(), "text", "fluency"
    )


def _huse(data_dir):
    """Yield each judgement of a headline."""
    rows = read(data_dir("huse") / "summarization_raw_outputs.csv", dtype=str)
    for row in rows.to_dict("records"):
        for i in range(25):
            if row[f"Input.OUT{i}"]:
                yield row[f"Input.OUT{i}"], row[f"Answer.{i}"]


def huse_headlines(data_dir):
    """The headlines of HUSE, each once."""
    return sorted({text for text, _ in _huse(data_dir)})


def correlation(values, ratings):
    """Pearson's r over the texts that have a value."""
    covered = ~np.isnan(values)
    return float(np.corrcoef(values[covered], ratings[covered])[0, 1])
