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
