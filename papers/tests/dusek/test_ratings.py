import numpy as np

from referenceless_papers.dusek.ratings import read_bagel, read_ratings, read_sfx


def test_the_research_data(data_dir):
    folder = data_dir("nlg-ratings")
    ratings = read_ratings(folder)
    assert len(ratings) == 2460
    assert len(set(ratings.keys)) == 2370
    assert np.isin(ratings.ratings["quality"] * 2, np.arange(2, 13)).all()
    assert len(read_sfx(folder)) + len(read_bagel(folder)) == 10969
