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
from dataclasses import dataclass
from typing import Any

import datasets

from metric_commons.datasets.builder import SourceFilesBuilder, SourceFilesConfig
from metric_commons.datasets.files import DelimitedText
from metric_commons.support.errors import InputError

MEDIANS_FILE = "emnlp_data_medians.csv"
FILES = (MEDIANS_FILE,)
VERSION = "1.0.0"  # to be raised with every change of the rows: caches made before it are not read any more
CRITERIA = ("informativeness", "naturalness", "quality")
LOWEST, HIGHEST = 1.0, 6.0

HOMEPAGE = "https://github.com/jeknov/EMNLP_17_submission"
LICENSE = "MIT (the ratings); the meaning representations of SFHOT and SFRES: Apache-2.0, of BAGEL: not stated"

_DOMAINS = {
    "bagel": "Restaurants in Cambridge, with proper names as X.",
    "sfhot": "Hotels in San Francisco.",
    "sfres": "Restaurants in San Francisco.",
}
_COLUMNS = {"dataset": "string", "system": "string", "mr": "string", "text": "string"}


def read_medians(content: bytes, source: str) -> Iterator[dict[str, Any]]:
    """Read the rated outputs, one row an output, in the order of the file.

    Args:
        content: the bytes of `emnlp_data_medians.csv`.
        source: the file's path, for error messages.

    Raises:
        InputError: naming file and line, for a malformed row, an unknown data set or a rating outside 1 to 6.
    """
    table = DelimitedText(content, source)
    table.require(["dataset", "system", "mr", "sys_ref", *CRITERIA])
    for line, cells in table:
        dataset = table.cell(line, cells, "dataset")
        if dataset.lower() not in _DOMAINS:
            raise table.error(line, f"expected 'dataset' to be BAGEL, SFHOT or SFRES, but got {dataset!r}")
        yield {
            "dataset": dataset,
            "system": table.cell(line, cells, "system"),
            "mr": table.cell(line, cells, "mr"),
            "text": table.cell(line, cells, "sys_ref"),
            **{name: _rating(table, line, cells, name) for name in CRITERIA},
        }


def _rating(table: DelimitedText, line: int, cells: dict[str, str], column: str) -> float:
    value = table.cell(line, cells, column)
    try:
        rating = float(value)
    except ValueError:
        rating = float("nan")
    if not LOWEST <= rating <= HIGHEST:
        raise table.error(line, f"expected {column!r} to be a number from 1 to 6, but got {value!r}")
    return rating


@dataclass
class NlgRatingsConfig(SourceFilesConfig):
    """The outputs of one domain, or all of them.

    Attributes:
        domain: `bagel`, `sfhot` or `sfres`; None for all.
    """

    domain: str | None = None


class NlgRatings(SourceFilesBuilder):
    """Outputs of data-to-text generators with median ratings.

    Configurations: `bagel`, `sfhot`, `sfres`, and `all`. Split: `train`. `data_dir` is a folder that holds
    `emnlp_data_medians.csv`.
    """

    BUILDER_CONFIG_CLASS = NlgRatingsConfig
    BUILDER_CONFIGS = [  # noqa: RUF012
        *(
            NlgRatingsConfig(
                name=name, version=datasets.Version(VERSION), description=description, files=FILES, domain=name
            )
            for name, description in _DOMAINS.items()
        ),
        NlgRatingsConfig(name="all", version=datasets.Version(VERSION), description="All three domains.", files=FILES),
    ]
    DEFAULT_CONFIG_NAME = "all"

    def _info(self) -> datasets.DatasetInfo:
        types = {**_COLUMNS, **dict.fromkeys(CRITERIA, "float64")}
        return datasets.DatasetInfo(
            description=f"Rated outputs of data-to-text generators, {self.config.name}. {self.config.description}",
            features=datasets.Features({name: datasets.Value(dtype) for name, dtype in types.items()}),
            homepage=HOMEPAGE,
            license=LICENSE,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        files = self.source_files()
        if files is None:
            raise FileNotFoundError(
                f"The ratings are not downloaded: get {MEDIANS_FILE} from {HOMEPAGE} and pass data_dir=, a folder that "
                "holds it"
            )
        return [datasets.SplitGenerator(datasets.Split.TRAIN, gen_kwargs={"path": files[0]})]

    def _generate_examples(self, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
        found = False
        for number, row in enumerate(read_medians(self.read(path), path)):
            if self.config.domain in (None, row["dataset"].lower()):
                found = True
                yield number, row
        if not found:
            raise InputError(f"{path}: expected outputs of {self.config.domain or 'any domain'}, found none")
