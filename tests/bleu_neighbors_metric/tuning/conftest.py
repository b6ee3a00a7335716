"""The packaged pool, as ratings, as fitted and as a file, and the command line."""

from __future__ import annotations

import json
from collections.abc import Callable

import example_fits
import pytest
from click.testing import CliRunner, Result

from bleu_neighbors_metric import BLEUNeighbors
from metric_commons.files.tables import RatedTexts
from referenceless_metrics.cli import cli


@pytest.fixture
def pool() -> RatedTexts:
    return example_fits.POOL


@pytest.fixture
def fitted() -> BLEUNeighbors:
    return example_fits.fit(min_neighbors=2)


@pytest.fixture(scope="session")
def pool_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path, pool = tmp_path_factory.mktemp("pool") / "pool.jsonl", example_fits.POOL
    rows = [{"text": text, "rating": rating} for text, rating in zip(pool.texts, pool.ratings.tolist(), strict=True)]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return str(path)


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Return what runs a command that must succeed."""

    def run(*arguments: object) -> Result:
        result = CliRunner().invoke(cli, [*map(str, arguments)])
        assert result.exit_code == 0, result.output
        return result

    return run
