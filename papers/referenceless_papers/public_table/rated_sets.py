"""Public sets of texts that people rated, all read alike."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from referenceless_metrics.assessment.folds import number_groups
from referenceless_metrics.core.support.validation import Floats, Integers

MOST_TEXTS = 600
"""Most texts of a set; of a larger one, whole items are drawn at random."""

_TOPIC = 3  # of ASAP-SAS


@dataclass(frozen=True, eq=False)
class RatedSet:
    """n rated texts.

    Attributes:
        name: name of the set and the quality.
        texts: distinct within an item.
        ratings: means over raters, shape (n,).
        items: the number of each text's item, shape (n,); texts of one item stay together in folds.
        systems: the system of each; "" if it is not told.
        sources: the source of each; None without.
        references: people's texts for each; None without.
        judged: each judgement's item with its text, and its rating.
    """

    name: str
    texts: list[str]
    ratings: Floats
    items: Integers
    systems: list[str]
    sources: list[str] | None
    references: list[list[str]] | None
    judged: tuple[list[str], Floats]

    def __len__(self) -> int:
        return len(self.texts)

    def rows(self, chosen: Sequence[int] | Integers) -> RatedSet:
        """Return some of the texts; the judgements stay those of the whole set."""
        own = [int(row) for row in chosen]

        def of(values: Any) -> Any:
            return values if values is None else [values[row] for row in own]

        return RatedSet(
            self.name,
            of(self.texts),
            self.ratings[own],
            number_groups(self.items[own].tolist()),
            of(self.systems),
            of(self.sources),
            of(self.references),
            self.judged,
        )


def sampled(rated: RatedSet, most: int = MOST_TEXTS, seed: int = 12345) -> RatedSet:
    """Return whole items, drawn at random, that hold at most so many texts."""
    if len(rated) <= most:
        return rated
    order = np.random.default_rng(seed).permutation(int(rated.items.max()) + 1)
    kept = order[np.cumsum(np.bincount(rated.items)[order]) <= most]
    return rated.rows(np.flatnonzero(np.isin(rated.items, kept)))


def rated_sets(data_dir: Path, names: Sequence[str] | None = None) -> Iterator[RatedSet]:
    """Yield the sets, one a quality, whole.

    Args:
        data_dir: the folder that holds the folders of `READERS`.
        names: some of `READERS`; None for all.

    Raises:
        FileNotFoundError: if a file is missing.
    """
    for name in READERS if names is None else names:
        yield from READERS[name](data_dir / name)


def _set(name: str, table: pd.DataFrame, rating: str, *, references: Mapping[str, list[str]] | None = None) -> RatedSet:
    """Return a set from one row per judgement, with the columns item, text, system and source ("" if not told)."""
    kept = table[(table["text"].fillna("").str.strip() != "") & table[rating].notna()]
    means = kept.groupby(["item", "text"], sort=False, as_index=False).agg(
        {rating: "mean", "system": "first", "source": "first"}
    )
    keys = (kept["item"].astype(str) + "\t" + kept["text"]).tolist()
    return RatedSet(
        name,
        means["text"].tolist(),
        means[rating].to_numpy(np.float64),
        number_groups(means["item"].tolist()),
        means["system"].tolist(),
        None if (means["source"] == "").all() else means["source"].tolist(),
        None if references is None else [references[item] for item in means["item"]],
        (keys, kept[rating].to_numpy(np.float64)),
    )


def _huse(folder: Path) -> Iterator[RatedSet]:
    from referenceless_metrics.datasets import load

    table = load("huse", "summarization_judgements", data_dir=str(folder), split="train").to_pandas()
    yield _set("HUSE headlines", table.assign(item=table["text"], system=table["source"], source=""), "rating")


def _asap(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "train_rel_2.tsv", sep="\t", quoting=csv.QUOTE_MINIMAL)
    table = table[table["EssaySet"] == _TOPIC].rename(columns={"EssayText": "text"})
    both = pd.concat([table.assign(score=table[name]) for name in ("Score1", "Score2")])
    yield _set(f"ASAP-SAS, topic {_TOPIC}", both.assign(item=both["Id"], system="", source=""), "score")


def _nlg_ratings(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "emnlp_data_medians.csv")
    lines = (folder / "with_references.jsonl").read_text(encoding="utf-8").splitlines()
    table["text"] = [json.loads(line)["output"] for line in lines]
    references = {json.loads(line)["mr"]: json.loads(line)["references"] for line in lines}
    table = table.assign(item=table["mr"], source=table["mr"])
    for dataset in ("BAGEL", "SFHOT", "SFRES"):
        for quality in ("quality", "naturalness"):
            own = table[table["dataset"] == dataset]
            yield _set(f"nlg-ratings {dataset}, {quality}", own, quality, references=references)


def _webnlg(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "judgements_en.csv").rename(columns={"triples": "source"})
    for quality in ("fluency", "correctness"):
        yield _set(f"WebNLG 2020, {quality}", table, quality)


def _e2e(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "judgements.csv").merge(pd.read_csv(folder / "outputs.csv"), on="output")
    table = table.assign(item=table["mr_id"], source=table["mr"], log=np.log(np.maximum(table["magnitude"], 1.0)))
    table["log"] -= table.groupby(["criterion", "judgement"])["log"].transform("mean")
    for quality, own in table.groupby("criterion"):
        yield _set(f"E2E, {quality}", own, "log")


def _inlg16(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "rated_texts.csv").assign(system="people")
    table = table.assign(item=table["mr"], source=table["mr"].str.rstrip("."))
    for quality in ("naturalness", "informativeness"):
        yield _set(f"INLG 2016, {quality}", table, quality)


def _usr(folder: Path) -> Iterator[RatedSet]:
    rows = json.loads((folder / "topical_chat.json").read_text(encoding="utf-8"))
    table = pd.DataFrame(
        {"item": one["source"], "text": one["system_output"], "system": one["system_id"], "source": one["source"]}
        | one["scores"]
        for one in rows
    )
    for quality in ("naturalness", "overall"):
        yield _set(f"USR (Topical-Chat), {quality}", table, quality)


def _gug(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "gug_annotations.tsv", sep="\t", quoting=csv.QUOTE_NONE)
    table["judgement"] = table["Crowd Flower Judgements"].map(json.loads)
    each = table.explode("judgement").astype({"judgement": np.float64})
    yield _set(
        "GUG, grammaticality", each.assign(item=each["Id"], text=each["Sentence"], system="", source=""), "judgement"
    )


def _fluency(folder: Path) -> Iterator[RatedSet]:
    table = pd.read_csv(folder / "simplicity_da_with_references.csv")
    table = table.assign(item=table["sent_id"], text=table["output"])
    names = [name for name in table.columns if name.startswith("reference_")]
    references = dict(zip(table["item"], table[names].to_numpy().tolist(), strict=True))
    for quality in ("fluency", "meaning"):
        yield _set(f"Simplicity-DA, {quality}", table, quality, references=references)


READERS: dict[str, Callable[[Path], Iterator[RatedSet]]] = {
    "huse": _huse,
    "asap-sas": _asap,
    "nlg-ratings": _nlg_ratings,
    "webnlg-2020": _webnlg,
    "e2e-ratings": _e2e,
    "inlg16": _inlg16,
    "usr": _usr,
    "gug": _gug,
    "fluency": _fluency,
}
"""Readers of the sets of each folder."""
