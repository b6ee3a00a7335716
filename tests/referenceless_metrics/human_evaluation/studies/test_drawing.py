"""Draws: the same items for all systems, balanced over raters, and the same again from the same seed."""

from collections import Counter

from refusals import refusals

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.studies.drawing import draw_study

OUTPUTS = [(f"system {s}", [f"{s} of {i}" if i % 4 else f"same of {i}" for i in range(60)]) for s in range(3)]
RATERS = ["ann", "bob", "cy"]


def draw(items=20, **options):
    return draw_study(OUTPUTS, items, RATERS, **options)


def test_each_item_goes_to_as_many_raters_with_all_its_outputs():
    design = draw(items=21, overlap=2, repeats=0)
    assert Counter(len(item.raters) for item in design.items) == {2: 21}
    assert {rater: len(screens) for rater, screens in design.raters.items()} == dict.fromkeys(RATERS, 14)
    for rater, screens in design.raters.items():
        assert {screen.item for screen in screens} == {i for i, item in enumerate(design.items) if rater in item.raters}
        for screen in screens:
            assert sorted(system for group in screen.outputs for system in group) == [0, 1, 2]
            equal = design.items[screen.item].item % 4 == 0
            assert len(screen.outputs) == len(set(design.texts(screen))) == (1 if equal else 3)


def test_orders_are_drawn_anew_and_a_seed_gives_the_same():
    design = draw(items=60, repeats=0)
    orders = {rater: [screen.item for screen in screens] for rater, screens in design.raters.items()}
    assert len(set(map(tuple, orders.values()))) == 3
    firsts = Counter(screen.outputs[0] for screen in design.raters["ann"] if len(screen.outputs) == 3)
    assert min(firsts[(system,)] for system in range(3)) > 5  # of 45
    assert draw(seed=1) == draw(seed=1) != draw(seed=2)


def complete_after(design, share):
    """Return the number of items that are complete once each rater has seen a share of their screens."""
    seen = Counter()
    for screens in design.raters.values():
        first = [screen for screen in screens if not screen.repeat]
        left = {screen.item for screen in first[round(share * len(first)) :]}
        seen.update({screen.item for screen in first} - left)
    return sum(seen[place] == len(item.raters) for place, item in enumerate(design.items))


def test_items_are_complete_early():
    for options in ({}, {"overlap": 2}, {"apart": True}, {"scale": "preference"}):
        done = [complete_after(draw(items=60, seed=seed, **options), 2 / 3) for seed in range(5)]
        assert min(done) >= 24, options  # all items in an order of each rater's own: 0 to 18 with all raters for each
    assert complete_after(draw(items=60), 1 / 3) == 20
    assert draw(items=60).blocks == 6


def test_repeats_come_in_the_last_third():
    screens = draw(items=30, repeats=0.1).raters["ann"]
    places = [place for place, screen in enumerate(screens) if screen.repeat]
    assert len(screens) == 33
    assert len(places) == 3
    for place in places:
        first = next(i for i, screen in enumerate(screens) if screen.item == screens[place].item)
        assert place >= 20 > 10 > first


def test_outputs_apart_are_as_far_apart_as_there_are_items():
    design = draw(items=20, apart=True, repeats=0)
    last = {}
    for place, screen in enumerate(design.raters["ann"]):
        assert len(screen.outputs) == 1
        assert place - last.get(screen.item, -20) >= 10  # items with equal outputs leave gaps
        last[screen.item] = place


def test_preferences_are_between_two():
    design = draw(scale="preference", repeats=0)
    screens = design.raters["bob"]
    assert {tuple(sorted((a[0], b[0]))) for a, b in (screen.outputs for screen in screens)} == {(0, 1), (0, 2), (1, 2)}
    assert all(design.items[screen.item].item % 4 for screen in screens)


test_what_cannot_be_drawn = refusals(
    lambda outputs, raters, options: draw_study(outputs, 1, raters, **options),
    [
        ([("a", ["x"]), ("b", ["x", "y"])], RATERS, {}, "a has 1, b has 2: expected one output of each system"),
        ([("a", ["x"] * 9), ("a", ["y"] * 9)], RATERS, {}, "two systems have one name"),
        (OUTPUTS, ["ann", "Ann"], {}, "expected raters of different names"),
        (OUTPUTS, ["../ann"], {}, "expected a rater's name of letters"),
        (OUTPUTS, RATERS, {"scale": "preference", "apart": True}, "a preference is between two systems. outputs"),
        (OUTPUTS, RATERS, {"sources": ["one"]}, "there are 1 sources, but 60 items"),
        ([(str(i), ["x", "y"]) for i in range(30)], RATERS, {}, "30 systems are too many for one screen, at most 26"),
        (OUTPUTS, RATERS, {"seed": -1}, "`seed` to be a whole number of at least 0, but got -1"),
        (OUTPUTS, RATERS, {"overlap": 4}, r"`overlap` to be a whole number in \[1, 3\], but got 4"),
    ],
    error=(InputError, ValueError),
)
