import pytest

from referenceless_papers.dusek.folds import grouped_parts, rotations
from referenceless_papers.dusek.training_sets import Corpus, training_set


@pytest.mark.long
def test_instances_are_those_of_table_2(data_dir):
    corpus = Corpus(data_dir("nlg-ratings"))
    assert len(corpus.references()) == 4348
    split = rotations(grouped_parts(corpus.ratings.keys))[0]
    for setup, published in (("S1", 1476), ("S2", 3937)):
        assert len(training_set(corpus, split, setup)) == pytest.approx(published, abs=2)
