from quality_estimation_metric.gru_model.inputs import PADDING, UNKNOWN, Vocabulary
from quality_estimation_metric.gru_model.settings import GRUSettings

ITEM = ("inform", "name", "X-name")


def test_texts_are_read_from_their_end_with_padding_first() -> None:
    vocabulary = Vocabulary.of([["a", "b"]], [[ITEM]])
    settings = GRUSettings(max_words=4, max_items=2)
    encoded = vocabulary.encode([["a", "b"], ["a", "new"]], [[ITEM], []], [1.0, 2.0], settings)
    names = dict(enumerate(vocabulary.words, start=2))
    assert [names.get(number, number) for number in encoded.words[0].tolist()] == [
        PADDING, PADDING, "<STOP>", "b", "a", "<GO>",
    ]  # fmt: skip
    assert encoded.words[1].tolist()[3] == UNKNOWN
    assert encoded.meanings.tolist()[1] == [PADDING] * 6
    assert encoded.meanings[0, :3].tolist() == [PADDING] * 3
    assert encoded.lengths.tolist() == [4 + 3, 4]


def test_what_is_too_long_is_cut() -> None:
    vocabulary = Vocabulary.of([["a"]], [[ITEM]])
    encoded = vocabulary.encode([["a"] * 9], [[ITEM] * 9], None, GRUSettings(max_words=3, max_items=2))
    assert encoded.words.shape == (1, 5)
    assert encoded.meanings.shape == (1, 6)
    assert not (encoded.words == PADDING).any()


def test_a_slot_and_a_value_of_one_name_are_two_symbols() -> None:
    assert Vocabulary.of([], [[("x", "x", "x")]]).sizes == (2 + 2, 3 + 2)
