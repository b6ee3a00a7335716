"""Word classes: their files, and the packaged ones."""

from slor_metric.language_models.classes import packaged_class_model, packaged_classes


def test_the_packaged_classes_know_grammar():
    classes, model = packaged_classes(), packaged_class_model()
    assert classes.n_classes + 3 == model.trie.sizes[0]
    assert classes is packaged_classes()

    def group(word):
        return int(classes.classes[classes.ids[word]])

    assert group("tuesday") == group("thursday") != group("quickly")
    assert group("policeman") == group("fireman") != group("wife") == group("husband")
    assert len({group(word) for word in ("the", "of", "and", "she")}) == 4
