from referenceless_papers.gru_estimator.inputs import (
    NOTHING,
    PADDING,
    UNKNOWN,
    GRUSettings,
    Prepared,
    Vocabulary,
    prepare,
)

ITEM = ("inform", "name", "X-name")


def test_values_become_slots():
    (prepared,) = prepare(["Chow is near the sea."], ["inform(name=chow;near=sea)&request(area)"])
    assert prepared.tokens == ("X-name", "is", "near", "the", "X-near", ".")
    assert prepared.items == (("inform", "name", "X-name"), ("inform", "near", "X-near"), ("request", "area", NOTHING))
    (as_is,) = prepare(["Chow is near."], ["inform(name=chow)"], delexicalised=False)
    assert as_is == Prepared(("chow", "is", "near", "."), (("inform", "name", "chow"),))


def test_texts_are_read_from_their_end_with_padding_first():
    vocabulary = Vocabulary.of([Prepared(("a", "b"), (ITEM,))])
    texts = [Prepared(("a", "b"), (ITEM,)), Prepared(("a", "new"))]
    encoded = vocabulary.encode(texts, [1.0, 2.0], GRUSettings(max_words=4, max_items=2))
    names = dict(enumerate(vocabulary.words, start=2))
    assert [names.get(number, number) for number in encoded.words[0].tolist()] == [
        PADDING, PADDING, "<STOP>", "b", "a", "<GO>",
    ]  # fmt: skip
    assert encoded.words[1].tolist()[3] == UNKNOWN
    assert encoded.meanings.tolist()[1] == [PADDING] * 6
    assert encoded.meanings[0, :3].tolist() == [PADDING] * 3
