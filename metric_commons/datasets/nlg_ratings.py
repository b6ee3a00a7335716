"""Rated outputs of data-to-text generators (Novikova et al. 2017), with the meaning representations behind them.

The builder reads the file of medians as the study's authors published it: 2,460 outputs of three generators for
hotels and restaurants in San Francisco and for restaurants in Cambridge (BAGEL). Each was rated by at least three
people from 1 to 6 for informativeness, naturalness and quality; the file holds the medians.

Nothing is downloaded: `data_dir` must hold the file.

This file also serves as a loading script for `datasets` before version 4, where this package is installed:
`datasets.load_dataset("…/nlg_ratings.py", "sfhot", data_dir="…", trust_remote_code=True)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import datasets

from metric_commons.datasets.builder import SourceFilesBuilder, configurations
from metric_commons.datasets.files import DelimitedText, Row
from metric_commons.support.validation import finite_number

MEDIANS_FILE = "emnlp_data_medians.csv"
CRITERIA = ("informativeness", "naturalness", "quality")
LOWEST, HIGHEST = 1.0, 6.0

_DOMAINS = {
    "bagel": "Restaurants in Cambridge, with proper names as X.",
    "sfhot": "Hotels in San Francisco.",
    "sfres": "Restaurants in San Francisco.",
}
_COLUMNS = {"dataset": "dataset", "system": "system", "mr": "mr", "text": "sys_ref"}


def read_medians(content: bytes, source: str) -> Iterator[dict[str, Any]]:
    """Read the rated outputs, one row an output, in the order of the file.

    Args:
        content: the bytes of `emnlp_data_medians.csv`.
        source: the file's path, for error messages.

    Raises:
        InputError: naming file and line, for a malformed row, an unknown data set or a rating outside 1 to 6.
    """
    for row in DelimitedText(content, source, ["dataset", "system", "mr", "sys_ref", *CRITERIA]):
        if row["dataset"].lower() not in _DOMAINS:
            raise row.error(f"expected 'dataset' to be BAGEL, SFHOT or SFRES, but got {row['dataset']!r}")
        named = {name: row[column] for name, column in _COLUMNS.items()}
        yield {**named, **{name: _rating(row, name) for name in CRITERIA}}


def _rating(row: Row, column: str) -> float:
    rating = finite_number(row[column])
    if rating is None or not LOWEST <= rating <= HIGHEST:
        raise row.error(f"expected {column!r} to be a number from 1 to 6, but got {row[column]!r}")
    return rating


class NlgRatings(SourceFilesBuilder):
    """Outputs of data-to-text generators with median ratings.

    Configurations: `bagel`, `sfhot`, `sfres`, and `all`. Split: `train`. `data_dir` is a folder that holds
    `emnlp_data_medians.csv`.
    """

    BUILDER_CONFIGS = configurations({**_DOMAINS, "all": "All three domains."}, lambda _: (MEDIANS_FILE,))
    DEFAULT_CONFIG_NAME = "all"
    TITLE = "Rated outputs of data-to-text generators"
    HOMEPAGE = "https://github.com/jeknov/EMNLP_17_submission"
    LICENSE = "MIT (the ratings); the meaning representations of SFHOT and SFRES: Apache-2.0, of BAGEL: not stated"

    def columns(self) -> dict[str, str]:
        """Return the types of the columns, by name."""
        return {**dict.fromkeys(_COLUMNS, "string"), **dict.fromkeys(CRITERIA, "float64")}

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        files = self.source_files()
        if files is None:
            raise FileNotFoundError(
                f"The ratings are not downloaded: get {MEDIANS_FILE} from {self.HOMEPAGE} and pass data_dir=, a folder "
                "that holds it"
            )
        return [datasets.SplitGenerator(datasets.Split.TRAIN, gen_kwargs={"path": files[0]})]

    def _generate_examples(self, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
        return self.numbered(read_medians(self.read(path), path), lambda row: row["dataset"].lower(), path)
