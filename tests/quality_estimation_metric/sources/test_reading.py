from quality_estimation_metric.rated_inputs import known_slots
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import choose_scope, read, read_all


def test_a_text_is_read_with_its_source():
    reading = read("Chow  serves Thai food.", parse_mr("inform(name=chow,food=thai,kids_allowed=yes)"))
    assert reading.text == "Chow serves Thai food."
    assert reading.delexicalised == "X-name serves X-food food ."
    assert reading.spelled == "name serves food food ."
    assert [triple.value for triple in reading.source] == ["X-name", "X-food", "yes"]
    assert reading.n_values == 2
    assert [triple.slot for triple in reading.errors.missing] == ["kids_allowed"]


def test_without_scope_nothing_is_replaced():
    reading = read("Chow is thai.", parse_mr("inform(name=chow)"), "none")
    assert reading.delexicalised == "chow is thai ."
    assert reading.source[0].value == "chow"


def test_equal_pairs_are_read_once():
    one, two, three = read_all(["a b", "a b", "c"], None, "none")
    assert one is two
    assert three.tokens == ("c",)


def test_slots_are_known_in_lower_case():
    assert known_slots([parse_mr("name[x], eatType[y]"), parse_mr("Who is it?")]) == {"name", "eattype"}
    assert known_slots(None) == frozenset()


def test_scope_follows_the_sources():
    mixed = [parse_mr("inform(name=a,rating=b,stars=c,view=d)")]
    assert choose_scope(mixed) == "all"
    assert choose_scope([parse_mr("name[x], eatType[y]")]) == "published"
