import pytest
from small_nlg_ratings import write_nlg_ratings

from referenceless_papers.dusek.folds import grouped_parts, rotations
from referenceless_papers.dusek.training_sets import SETUPS, Corpus, published_score_after, training_set


def test_set_ups_hold_more_and_more(tmp_path):
    corpus = Corpus(write_nlg_ratings(tmp_path, 60))
    split = rotations(grouped_parts(corpus.ratings.keys))[0]
    made = {setup: training_set(corpus, split, setup) for setup in SETUPS}
    sizes = [len(made[setup]) for setup in SETUPS]
    assert sizes == sorted(sizes)
    assert sizes[1] - sizes[0] == 5 * len(split.train[0])
    assert sizes[3] - sizes[2] == 5 * 2  # a training text each of restaurants and hotels
    assert not made["S1"].synthetic
    assert max(made["S6"].synthetic_ratings) == 6
    assert len(training_set(corpus, split, "S2", parts="all")) == 6 * len(split.train_rows)
    assert all(len(each.items) for each in made["S4"].synthetic)
    names = {"place", "0"}
    assert not names & {token for each in made["S1"].real for token in each.tokens}
    lexicalised = Corpus(corpus.folder, delexicalised=False)
    assert names & {token for each in training_set(lexicalised, split, "S1").real for token in each.tokens}


def test_instances_are_those_of_table_2(data_dir):
    corpus = Corpus(data_dir("nlg-ratings"))
    assert len(corpus.references()) == 4348
    split = rotations(grouped_parts(corpus.ratings.keys))[0]
    for setup, published in (("S1", 1476), ("S2", 3937)):
        assert len(training_set(corpus, split, setup)) == pytest.approx(published, abs=2)


@pytest.mark.parametrize(
    "rating, expected", [(6.0, [4, 4, 3, 2, 1]), (5.5, [4, 3.5, 2.5, 1.5, 1]), (5.0, [4, 3, 2, 1, 1])]
)
def test_ratings_fall_as_published(rating, expected):
    assert [published_score_after(rating, errors) for errors in range(1, 6)] == expected
    assert published_score_after(rating, 0) == rating
