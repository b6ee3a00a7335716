"""The rated sentences of the research data, read the way that the measured figures were."""

import csv
import json
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

Rated = tuple[list[str], NDArray[np.float64]]


def gug(data_dir, *splits):
    """Learners' sentences of some of the splits `train`, `dev` and `test`, with their mean grammaticality."""
    with (data_dir("gug") / "gug_annotations.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["Dataset"] in splits]
    return [row["Sentence"] for row in rows], np.array([float(row["Average"]) for row in rows])


def simplicity_da(data_dir):
    """Outputs of simplification systems, with their mean fluency."""
    with (data_dir("fluency") / "simplicity_da_with_references.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["output"] for row in rows], np.array([float(row["fluency"]) for row in rows])


def nlg_naturalness(data_dir):
    """Outputs of dialogue systems, with their median naturalness."""
    lines = (data_dir("nlg-ratings") / "with_references.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row["output"] for row in rows], np.array([row["naturalness"] for row in rows])


def webnlg_fluency(data_dir):
    """Outputs of the systems of WebNLG 2020, with their mean fluency."""
    ratings = defaultdict(list)
    with (data_dir("webnlg-2020") / "judgements_en.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ratings[row["system"], row["item"], row["text"]].append(float(row["fluency"]))
    return [key[2] for key in ratings], np.array([np.mean(values) for values in ratings.values()])


def usr_naturalness(data_dir):
    """Responses of dialogue systems, with their mean naturalness."""
    rows = json.loads((data_dir("usr") / "topical_chat.json").read_text(encoding="utf-8"))
    return [row["system_output"].strip() for row in rows], np.array([row["scores"]["naturalness"] for row in rows])


def huse_typicality(data_dir):
    """The headlines of HUSE, each once, with their mean typicality from 0 (invalid) to 5 (very typical)."""
    labels = ("Invalid", "Rare", "Specific", "Average", "Typical", "Very Typical")
    ratings = defaultdict(list)
    with (data_dir("huse") / "summarization_raw_outputs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for i in range(25):
                if row[f"Input.OUT{i}"] and row[f"Answer.{i}"]:
                    ratings[row[f"Input.OUT{i}"]].append(labels.index(row[f"Answer.{i}"]))
    return list(ratings), np.array([np.mean(values) for values in ratings.values()])


def huse_headlines(data_dir):
    """The headlines of HUSE, each once."""
    with (data_dir("huse") / "summarization_raw_outputs.csv").open(encoding="utf-8", newline="") as file:
        return sorted(
            {
                text
                for row in csv.DictReader(file)
                for name, text in row.items()
                if name.startswith("Input.OUT") and text
            }
        )


def correlation(values, ratings):
    """Pearson's r over the texts that have a value."""
    covered = ~np.isnan(values)
    return float(np.corrcoef(values[covered], ratings[covered])[0, 1])
