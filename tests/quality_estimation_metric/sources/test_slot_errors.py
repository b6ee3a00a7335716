import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality_estimation_metric.sources.slot_errors import slot_errors

CASES = """
inform(name=chow,kids_allowed=no) | Chow does not allow children.
inform(name=chow,kids_allowed=no) | Chow allows children. | missing kids_allowed
inform(name=chow,kids_allowed=yes) | Chow is family friendly.
inform(name=chow,kids_allowed=yes) | Chow does not allow children. | missing kids_allowed
inform(name=chow,kids_allowed=no) | Chow is child friendly, with no noise. | missing kids_allowed
inform(dogs_allowed=yes,has_internet=no) | Dogs are fine but there is no internet.
inform(dogs_allowed=no,has_internet=yes) | It has wifi and dogs are not allowed.
inform(dogs_allowed=no,kids_allowed=no) | It doesn't allow any dogs or kids.
inform(dogs_allowed=yes) | No dogs are allowed. Only kids and dogs of friends. | added kids
inform(name=chow,good_for_meal='lunch or dinner') | Chow is good for dinner and lunch.
inform(name=chow,good_for_meal='lunch or dinner') | Chow is good for dinner. | missing good_for_meal
inform(name=chow,food=thai) | Chow serves thai food, thai food. | repeated food
inform(name=chow) | Chow has wifi and takes credit cards. | added internet credit
?request(near) | Where should it be close to?
?request(price_range) | Which part of town? | missing price_range
inform(price_range=dont_care) | Any price will do.
inform(near=x,near=x) | It is near x and x.
inform(near=x,near=x) | It is near x. | missing near
goodbye() | Bye.
How are you? | I am well.
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_errors_are_told_by_slot(case):
    mr, text, *errors = case.split(" | ")
    expected = {kind: slots for kind, *slots in map(str.split, errors)}
    found = slot_errors(mr, text)._asdict()
    assert {kind: [triple.slot for triple in triples] for kind, triples in found.items() if triples} == expected


@given(
    st.lists(st.sampled_from(["alpha", "beta", "gamma delta", "epsilon"]), min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_what_is_left_out_is_missing(values, data):
    mr = [("inform", f"slot{number}", value) for number, value in enumerate(values)]
    said = data.draw(st.lists(st.sampled_from(values), unique=True))
    errors = slot_errors(mr, " and ".join(said))
    assert {triple.value for triple in errors.missing} == set(values) - set(said)
    assert not errors.repeated
    assert not errors.added
