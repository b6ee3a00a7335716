"""HUSE (Hashimoto, Zhang & Liang 2019): generated and human sentences, each judged by twenty annotators.

The builder reads the raw output of Mechanical Turk that the authors published. One row of the file is an
*assignment*: one annotator judged a batch of sentences (a HIT), whose texts, contexts, systems and
log-probabilities stand in the columns `Input.OUT0`, `Input.CTX0`, `Input.TYPE0`, `Input.LOGP0`, …, and the
judgements in `Answer.0`, ….

The answer is a label of typicality, from "Invalid" to "Very Typical". It becomes a rating from 0 to 5, and
quality is the mean rating divided by 5, so that it lies in [0, 1]. (The authors' own code counts the same
labels from 1 to 6.)
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator

from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.datasets.builder import SourceFilesBuilder
from referenceless_metrics.datasets.catalogue import JUDGEMENTS, SPECS
from referenceless_metrics.datasets.source_tables import check_columns, delimited_rows

LABELS = ("Invalid", "Rare", "Specific", "Average", "Typical", "Very Typical")
# The authors' repository at the commit that added the file, so that its content cannot change.
SUMMARIZATION_URL = (
    "https://raw.githubusercontent.com/hughbzhang/HUSE/7a2c2ad1dcb22984ebe488084d6e3c473a0ba9dc/"
    "data/summarization_raw_outputs.csv"
)
# SHA-256 of the downloaded judgements as `content_digest` computes it. It covers every cell that is read but
# the annotators' ids, so that it also holds for copies of the file in which those are replaced.
SUMMARIZATION_DIGEST = "7c84147763f01499e7d3ad31fbc4ca33fb17f0eb8e07f70444a25d08f43ccb42"

_SENTENCE_COLUMNS = {
    "id": "string",
    "text": "string",
    "context": "string",
    "source": "string",
    "system": "string",
    "log_probability": "float64",
}
_SENTENCE = {"rating": "float64", "num_judgements": "int32"}
_JUDGEMENT = {"annotator": "string", "label": "string", "label_index": "int32", "rating": "float64"}


def read_judgements(content: bytes, source: str) -> list[Record]:
    """Read the raw output of Mechanical Turk.

    Args:
        content: the file's bytes, CSV.
        source: the file's path or address, for error messages.

    Returns:
        one judgement per sentence and assignment, in the order of the file: a row of the configurations of judgements.
        Worker ids identify persons and are not kept: annotators are `W001`, `W002`, … in the order of first appearance.

    Raises:
        InputError: naming file and line, for a missing column or cell, an unknown label, a log-probability
            that is not a number, or a sentence that differs between two assignments of one HIT.
    """
    header, rows = delimited_rows(content, source)
    positions = sorted(int(match[1]) for name in header if (match := re.fullmatch(r"Input\.OUT(\d+)", name)))
    if not positions:
        raise InputError(f"{source}:1: no column 'Input.OUT0': this is not the raw output of Mechanical Turk")
    inputs = ("OUT", "CTX", "TYPE", "LOGP")
    needed = [f"Input.{kind}{i}" for i in positions for kind in inputs] + [f"Answer.{i}" for i in positions]
    check_columns(header, ["HITId", "WorkerId", *needed], source)
    annotators: dict[str, str] = {}
    first_seen: dict[str, tuple[str, tuple[str, ...]]] = {}
    judgements = []
    for row in rows:
        annotator = annotators.setdefault(row["WorkerId"], f"W{len(annotators) + 1:03d}")
        for i in positions:
            sentence = f"{row['HITId']}-{i:02d}"
            judged = tuple(row[f"Input.{kind}{i}"] for kind in inputs)
            where, earlier = first_seen.setdefault(sentence, (row.where, judged))
            if judged != earlier:
                raise row.error(f"sentence {i} of HIT {row['HITId']!r} is not the same as in {where}")
            text, context, system, logp = judged
            label = row[f"Answer.{i}"]
            if label not in LABELS:
                known = ", ".join(map(repr, LABELS))
                raise row.error(f"expected 'Answer.{i}' to be one of {{{known}}}, but got {label!r}")
            try:
                log_probability = float(logp)
            except ValueError:
                log_probability = math.nan
            if math.isnan(log_probability) or log_probability == math.inf:
                raise row.error(f"expected 'Input.LOGP{i}' to be a log-probability, but got {logp!r}")
            # As in the authors' code, a type that contains HUMAN is a reference and every other one per system.
            kind = "human" if "HUMAN" in system else "model"
            described = (sentence, text, context, kind, system, log_probability)
            index = LABELS.index(label)
            judgement = (annotator, label, index, index / (len(LABELS) - 1))
            judgements.append(dict(zip((*_SENTENCE_COLUMNS, *_JUDGEMENT), (*described, *judgement), strict=True)))
    return judgements


def content_digest(judgements: list[Record]) -> str:
    """Return the SHA-256 of the judgements, leaving out the annotators: 64 hexadecimal digits."""
    total = hashlib.sha256()
    for each in judgements:
        values = [each[name] for name in ("id", "text", "context", "system", "log_probability", "label_index")]
        total.update(json.dumps(values).encode() + b"\n")
    return total.hexdigest()


def sentence_rows(judgements: list[Record]) -> Iterator[Record]:
    """Yield one row per sentence, in the order of first appearance; quality is the mean rating / 5."""
    by_sentence: dict[str, list[Record]] = {}
    for judgement in judgements:
        by_sentence.setdefault(judgement["id"], []).append(judgement)
    for group in by_sentence.values():
        total = sum(judgement["label_index"] for judgement in group)
        yield {
            **{name: group[0][name] for name in _SENTENCE_COLUMNS},
            "rating": total / ((len(LABELS) - 1) * len(group)),
            "num_judgements": len(group),
        }


class Huse(SourceFilesBuilder):
    """HUSE: human judgements of generated and reference sentences.

    Configurations: `summarization`, `dialogue`, `language_model` (one row per sentence) and the same with the
    suffix `_judgements` (one row a judgement). All rows are in the split `train`. `data_dir` is a folder that
    holds `<task>_raw_outputs.csv`; without one, `summarization` is downloaded from the authors' repository,
    which does not hold the files of the other tasks.
    """

    spec = SPECS["huse"]

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        return {**_SENTENCE_COLUMNS, **(_JUDGEMENT if self._of_judgements else _SENTENCE)}

    @property
    def _of_judgements(self) -> bool:
        return str(self.config.name).endswith(JUDGEMENTS)

    def addresses(self) -> list[str]:
        """Return the address of the headlines.

        Raises:
            FileNotFoundError: for another task.
        """
        if not self.config.name.startswith("summarization"):
            raise FileNotFoundError(
                f"The judgements of {self.config.name} are not in the authors' repository, so they cannot be "
                f"downloaded: pass data_dir=, a folder that holds {self.config.files[0]} as Mechanical Turk wrote it"
            )
        return [SUMMARIZATION_URL]

    def rows(self, split: str, *paths: str) -> Iterable[Record]:
        """Return the sentences or the judgements.

        Raises:
            ConnectionError: if the download fails.
        """
        (path,) = paths
        downloaded = self.config.data_dir is None
        try:
            content = self.read(path)
        except Exception as error:
            if not downloaded:
                raise
            raise ConnectionError(  # of whatever kind: datasets passes on the errors of its file systems
                f"Cannot download {path} ({type(error).__name__}: {error}). Save that file as {self.config.files[0]} "
                "in some folder and pass data_dir=, the folder's path"
            ) from error
        judgements = read_judgements(content, path)
        if downloaded and (got := content_digest(judgements)) != SUMMARIZATION_DIGEST:
            raise InputError(
                f"{path}: the content is not what was published: expected the judgements' SHA-256 "
                f"{SUMMARIZATION_DIGEST}, but got {got}"
            )
        return judgements if self._of_judgements else sentence_rows(judgements)
