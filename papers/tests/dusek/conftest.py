"""The small set of ratings that reports and networks are tested on."""

import pytest
from small_nlg_ratings import write_nlg_ratings

from referenceless_papers.dusek.run import open_corpora


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    base = tmp_path_factory.mktemp("data")
    write_nlg_ratings(base)
    return open_corpora(base)
