"""The packaged pool, as ratings, as fitted and as a file, and the command line."""

import json

import example_fits
import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli


@pytest.fixture
def pool():
    return example_fits.POOL


@pytest.fixture
def fitted():
    return example_fits.fit(min_neighbors=2)


@pytest.fixture(scope="session")
def pool_file(tmp_path_factory):
    path, pool = tmp_path_factory.mktemp("pool") / "pool.jsonl", example_fits.POOL
    rows = [{"text": text, "rating": rating} for text, rating in zip(pool.texts, pool.ratings.tolist(), strict=True)]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return str(path)


@pytest.fixture(scope="session")
def run():
    """Return what runs a command that must succeed."""

    def run(*arguments):
        result = CliRunner().invoke(cli, [*map(str, arguments)])
        assert result.exit_code == 0, result.output
        return result

    return run
