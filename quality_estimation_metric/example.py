"""A small set of rated texts with their sources, made up for documentation and tests.

Each source is said well, in a clumsy way and wrongly, as generators do.
"""

from __future__ import annotations

_NAMES = (
    ("The Blue Heron", "seafood", "riverside"),
    ("Casa Luna", "spanish", "old town"),
    ("Green Fork", "vegan", "harbour"),
    ("Pasta Mia", "italian", "city centre"),
    ("The Copper Pot", "french", "market square"),
    ("Silk Road", "persian", "station quarter"),
    ("Little Osaka", "japanese", "north end"),
    ("Taverna Nikos", "greek", "west side"),
)
_SAID = (
    ("{name} serves {food} food in the {area} area.", 5.5),
    ("{name} is a nice {food} restaurant in {area}.", 6.0),
    ("{name} in in the {area} serves food food.", 2.0),
    ("{food} {food} {name} area is serves.", 1.0),
    ("{name}, is {food} and it is in {area} area is.", 3.0),
)

SOURCES: tuple[str, ...] = tuple(
    f"inform(name='{name}';food={food};area='{area}')" for name, food, area in _NAMES for _ in _SAID
)
"""The sources, one a text."""

TEXTS: tuple[str, ...] = tuple(
    said.format(name=name, food=food, area=area) for name, food, area in _NAMES for said, _ in _SAID
)
"""The texts."""

RATINGS: tuple[float, ...] = tuple(
    rating - 0.5 * ((place + number) % 2) for place in range(len(_NAMES)) for number, (_, rating) in enumerate(_SAID)
)
"""Their ratings, from 1 (bad) to 6 (good)."""

_NEW = tuple(
    (name, _NAMES[(place + shift) % 8][1], _NAMES[(place + 2 * shift) % 8][2])
    for shift in (1, 2, 3)
    for place, (name, _, _) in enumerate(_NAMES)
)
_WRITES = {"baseline": (4, 2, 0, 1, 4, 3), "ours": (0, 1, 1, 4, 0, 1)}  # which of `_SAID` a system says, in turn

SYSTEM_SOURCES: tuple[str, ...] = tuple(f"inform(name='{name}';food={food};area='{area}')" for name, food, area in _NEW)
"""What two systems were to say, 24 sources that are not among `SOURCES`."""

SYSTEM_REFERENCES: tuple[str, ...] = tuple(f"{name} is a {food} place in the {area}." for name, food, area in _NEW)
"""What a person might say."""

SYSTEM_OUTPUTS: dict[str, tuple[str, ...]] = {
    system: tuple(
        _SAID[said[place % len(said)]][0].format(name=name, food=food, area=area)
        for place, (name, food, area) in enumerate(_NEW)
    )
    for system, said in _WRITES.items()
}
"""What each system said."""

SYSTEM_RATINGS: dict[str, tuple[float, ...]] = {
    system: tuple(_SAID[said[place % len(said)]][1] - 0.5 * (place % 3 == 1) for place in range(len(_NEW)))
    for system, said in _WRITES.items()
}
"""Ratings of these outputs, from 1 to 6."""

_DEMO = (
    (
        "inform(name='loch fyne';food=seafood;area=soma)",
        (
            "loch fyne is a nice restaurant in soma that serves seafood.",
            "loch fyne serves seafood.",
            "loch fyne in in the soma serves food food.",
        ),
    ),
    (
        "inform(name='grand hotel';phone='4155550101';area='nob hill')",
        (
            "the grand hotel is in nob hill and its phone number is 4155550101.",
            "the grand hotel phone phone is in in nob hill hill.",
        ),
    ),
    (
        "?request(food)",
        ("what kind of food would you like?", "food would what like you kind kind?"),
    ),
)

DEMO_SOURCES: tuple[str, ...] = tuple(source for source, texts in _DEMO for _ in texts)
"""Sources to try the packaged model on, one a text; written for this project."""

DEMO_TEXTS: tuple[str, ...] = tuple(text for _, texts in _DEMO for text in texts)
"""Texts made from them, some well and some badly."""
