"""The rated outputs of Novikova et al. (2017) and the sets their sources come from, read for the reproduction.

The folder `nlg-ratings/` holds `emnlp_data_medians.csv` (2,460 outputs with median ratings and metric scores),
`with_references.jsonl` (the same, row by row, cased and tokenised, with the human references of each meaning
representation), `sfx/restaurant` and `sfx/hotel` (train, valid, test) and `bagel.txt`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import Floats, InputError
from referenceless_metrics.datasets.source_tables import delimited_rows

FOLDER = "nlg-ratings"
MEDIANS, REFERENCES, BAGEL = "emnlp_data_medians.csv", "with_references.jsonl", "bagel.txt"
SPLITS = ("train", "valid", "test")
CRITERIA = ("informativeness", "naturalness", "quality")
METRIC_COLUMNS = {"BLEU": "Bleu_4", "METEOR": "METEOR", "ROUGE-L": "ROUGE_L", "CIDEr": "CIDEr"}
DATASETS = {"BAGEL": "BAGEL", "SFRES": "SFRest", "SFHOT": "SFHot"}
SYSTEMS = {"LOLS": "LOLS", "WEN": "RNNLG", "Dusek": "TGen"}

_BAGEL_ENTRY = re.compile(r'ABSTRACT_DA = (?P<mr>.*?) *\n-> "(?P<text>.*?)";')
_BAGEL_MARK = re.compile(r"\[[^\]]*\]")
_GLUED = re.compile(r" -(?=(?:s|ly|es)\b)")


@dataclass(frozen=True)
class Pair:
    """A meaning representation and a text for it, tokens separated by spaces, lower-cased."""

    mr: str
    text: str


@dataclass(frozen=True)
class NLGRatings:
    """The rated outputs, a row each; arrays are of shape (n,).

    Attributes:
        mrs: meaning representations as the file writes them.
        texts: outputs as the file writes them: lower-cased, not tokenised.
        tokenised: the same, tokens separated by spaces, lower-cased.
        references: human references of each meaning representation, likewise.
        datasets: BAGEL, SFRest or SFHot.
        systems: LOLS, RNNLG or TGen.
        ratings: medians by criterion.
        metrics: scores by metric.
    """

    mrs: tuple[str, ...]
    texts: tuple[str, ...]
    tokenised: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    datasets: NDArray[np.str_]
    systems: NDArray[np.str_]
    ratings: dict[str, Floats]
    metrics: dict[str, Floats]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.mrs)

    @cached_property
    def keys(self) -> list[tuple[str, str]]:
        """Return each row's meaning representation and text, by which the published folds are grouped."""
        return list(zip(self.mrs, self.texts, strict=True))


def read_ratings(folder: Path) -> NLGRatings:
    """Read the rated outputs.

    Args:
        folder: `nlg-ratings/`.

    Raises:
        FileNotFoundError: if a file is missing.
        InputError: naming file and line, for a row that cannot be read or files that do not agree.
    """
    path = folder / MEDIANS
    columns = ["dataset", "system", "mr", "sys_ref", *CRITERIA, *METRIC_COLUMNS.values()]
    rows = delimited_rows(path.read_bytes(), str(path), columns)[1]
    aligned = list(_aligned(folder / REFERENCES))
    if len(aligned) != len(rows):
        raise InputError(f"{folder / REFERENCES} has {len(aligned)} rows, but {path} has {len(rows)}")
    for row, other in zip(rows, aligned, strict=True):
        if row["mr"] != other["mr"]:
            raise row.error(f"the row of {REFERENCES} in this place has another mr, {other['mr']!r}")

    def column(name: str) -> Floats:
        return np.array([float(row[name]) for row in rows])

    return NLGRatings(
        mrs=tuple(row["mr"] for row in rows),
        texts=tuple(row["sys_ref"] for row in rows),
        tokenised=tuple(tidy(row["output"]) for row in aligned),
        references=tuple(tuple(tidy(text) for text in row["references"]) for row in aligned),
        datasets=np.array([DATASETS[row["dataset"]] for row in rows]),
        systems=np.array([SYSTEMS[row["system"]] for row in rows]),
        ratings={name: column(name) for name in CRITERIA},
        metrics={name: column(source) for name, source in METRIC_COLUMNS.items()},
    )


def read_sfx(folder: Path, splits: tuple[str, ...] = SPLITS) -> list[Pair]:
    """Read the human texts of SFRest and SFHot, restaurants first.

    Args:
        folder: `nlg-ratings/`.
        splits: some of train, valid and test.

    Raises:
        FileNotFoundError: if a file is missing.
        InputError: for a file that holds no list of triples.
    """
    pairs = []
    for domain in ("restaurant", "hotel"):
        for split in splits:
            path = folder / "sfx" / domain / f"{split}.json"
            content = path.read_text(encoding="utf-8")
            try:
                entries = json.loads(content[content.index("\n[") :])
                pairs += [Pair(entry[0], tidy(entry[1])) for entry in entries]
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise InputError(f"{path}: expected comments and a list of (mr, text, text), but {error}") from None
    return pairs


def read_bagel(folder: Path) -> list[Pair]:
    """Read the human texts of BAGEL, with proper names as X, as the rated outputs have them.

    Args:
        folder: `nlg-ratings/`.

    Raises:
        FileNotFoundError: if `bagel.txt` is missing.
        InputError: if it holds no entry.
    """
    path = folder / BAGEL
    found = _BAGEL_ENTRY.finditer(path.read_text(encoding="utf-8"))
    pairs = []
    for entry in found:
        mr = re.sub(r'"X\d*"', "'X'", entry["mr"]).replace("type=placetoeat,", "")
        text = _BAGEL_MARK.sub("", entry["text"])
        pairs.append(Pair(mr, tidy(re.sub(r"([.,?!])", r" \1", text))))
    if not pairs:
        raise InputError(f"{path}: no entry of a meaning representation and a text")
    return pairs


def tidy(text: str) -> str:
    """Lower-case, separate by single spaces, and write split-off endings together, as outputs have them.

    >>> tidy("there are 182 hotel -s in  all area -s")
    'there are 182 hotels in all areas'
    """
    return _GLUED.sub("", " ".join(text.lower().split()))


def _aligned(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield json.loads(line)
            except ValueError as error:
                raise InputError(f"{path}, line {number}: {error}") from None
