from referenceless_papers.gru_estimator.inputs import Prepared
from referenceless_papers.gru_estimator.synthesis import synthesise


def test_a_text_becomes_five():
    texts, ratings = [Prepared(("x", "is", "good"), (("a", "b", "c"),)), Prepared(("y",))], [6.0, 3.0]
    made = synthesise(texts, ratings, seed=1)
    assert [rating for _, rating in made] == [6.0, 4, 3, 2, 1, 3.0, 2, 1, 1, 1]
    assert [text.items for text, _ in made] == [texts[0].items] * 5 + [()] * 5
    assert made[0][0] == texts[0]
    assert made == synthesise(texts, ratings, seed=1)
    assert made != synthesise(texts, ratings, seed=2)
