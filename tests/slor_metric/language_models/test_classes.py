"""Word classes: their files, and the packaged ones."""

import numpy as np
from refusals import refused

from slor_metric.language_models.classes import WordClasses, packaged_class_model, packaged_classes


def test_files(tmp_path):
    classes = WordClasses(["the", "cat", "dog"], np.array([0, 1, 1]))
    classes.save(tmp_path / "classes.npz")
    again = WordClasses.load(tmp_path / "classes.npz")
    assert again.words == classes.words
    assert again.classes.tolist() == [0, 1, 1]
    assert (again.n_classes, len(again), again.ids["dog"]) == (2, 3, 2)
    with refused("one value for each of the 1 words"):
        WordClasses(["a"], np.array([0, 1]))


def test_the_packaged_classes_know_grammar():
    classes, model = packaged_classes(), packaged_class_model()
    assert classes.n_classes + 3 == model.trie.sizes[0]
    assert classes is packaged_classes()

    def group(word):
        return int(classes.classes[classes.ids[word]])

    assert group("tuesday") == group("thursday") != group("quickly")
    assert group("policeman") == group("fireman") != group("wife") == group("husband")
    assert len({group(word) for word in ("the", "of", "and", "she")}) == 4
