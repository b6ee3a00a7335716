"""A rating study's design and key, and its file `study.json`, which raters never see.

A study is a folder:

* `study.json`: this design;
* `pages/RATER.html`: one page a rater, without any system's name (see `page`);
* `sheets/RATER.csv`: the same as a plain table, where asked for;
* `ratings/*.csv`: what the raters answered (see `reading`).

`study.json` is one object of JSON:

* `format` and `version`: `"referenceless-study"` and 1;
* `study`: the study's name, a checksum of all else here; every file of ratings repeats it, so that a key that was
  edited, or ratings of another study, are noticed;
* `seed`: of every random choice;
* `question`, `instructions`: what raters are told;
* `scale`: `"1-5"`, or any `"LOW-HIGH"` in whole numbers, or `"preference"`;
* `layout`: `"together"` (all outputs of an item on one screen) or `"apart"`;
* `systems`: their names, the baseline first;
* `n_items`: how many items there were to draw from;
* `items`: those that were drawn, each with `item` (its place in the systems' files, counted from 0), `weight` (how many
  items it stands for), `source` (a text, or null), `outputs` (one text a system, in their order) and `raters` (who
  rates it, by name);
* `raters`: from a rater's name to the screens that the rater sees, in order, each with `item` (a place in `items`),
  `outputs` (for each text on the screen, from A on, the numbers of the systems that wrote it: equal texts are shown
  once) and `repeat` (whether the rater saw the same outputs before).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from metric_commons.files.atomic import atomic_write
from metric_commons.files.strict_json import parse_json
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe, finite_number

FILE = "study.json"
RATINGS = "ratings"
"""The folder of the raters' files, in the study's."""

PREFERENCE = "preference"
_ANSWERS = {"A": 1.0, "tie": 0.5, "B": 0.0}
"""What a rater can say of two outputs, as the share of a win for the first."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FORMAT, _VERSION = "referenceless-study", 1


@dataclass(frozen=True)
class Scale:
    """What raters answer with: whole numbers from `low` to `high`, or which of two outputs is better.

    >>> Scale.parse("1-5"), Scale.parse("preference").is_preference
    (Scale(low=1, high=5), True)
    """

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Read a scale: `LOW-HIGH`, or `preference`.

        Raises:
            InputError: for anything else.
        """
        found = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
        if text == PREFERENCE:
            return cls(0, 0)
        if found is None or int(found[1]) >= int(found[2]):
            raise InputError(f"expected a scale such as 1-5, 1-6 or 0-100, or {PREFERENCE!r}, but got {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return PREFERENCE if self.is_preference else f"{self.low}-{self.high}"

    @property
    def is_preference(self) -> bool:
        """Whether raters say which of two outputs is better."""
        return self.low == self.high

    @property
    def expected(self) -> str:
        """What an answer may be, in words."""
        return " or ".join(_ANSWERS) if self.is_preference else f"a whole number from {self.low} to {self.high}"

    def written(self, answer: float) -> str:
        """Return an answer as it stands in a rater's file.

        >>> Scale(1, 5).written(4.0), Scale(0, 0).written(0.5)
        ('4', 'tie')
        """
        named = {share: name for name, share in _ANSWERS.items()}
        return named[answer] if self.is_preference else f"{answer:.0f}"

    def answer(self, value: object) -> float | None:
        """Return an answer as a number, None where it is not on the scale; the share of a win for A of a preference.

        >>> Scale(1, 5).answer("4"), Scale(1, 5).answer(6), Scale(0, 0).answer("tie")
        (4.0, None, 0.5)
        """
        if self.is_preference:
            return _ANSWERS.get(str(value))
        number = finite_number(value)
        return number if number is not None and self.low <= number <= self.high and number % 1 == 0 else None


@dataclass(frozen=True)
class Item:
    """An item that was drawn; see the module's docstring."""

    item: int
    weight: float
    source: str | None
    outputs: tuple[str, ...]
    raters: tuple[str, ...]


@dataclass(frozen=True)
class Screen:
    """What a rater sees at once: of one item, the outputs with the systems that wrote each of them."""

    item: int
    outputs: tuple[tuple[int, ...], ...]
    repeat: bool


@dataclass(frozen=True)
class Design:
    """A study's design and key; see the module's docstring."""

    seed: int
    question: str
    instructions: str
    scale: Scale
    layout: str
    systems: tuple[str, ...]
    n_items: int
    items: tuple[Item, ...]
    raters: Mapping[str, tuple[Screen, ...]]

    @property
    def study(self) -> str:
        """The study's name: a checksum of the design."""
        return _checksum(self._content())

    def _content(self) -> dict[str, Any]:
        return {"format": _FORMAT, "version": _VERSION, **asdict(self), "scale": str(self.scale)}

    def texts(self, screen: Screen) -> list[str]:
        """Return the texts on a screen, in their order."""
        return [self.items[screen.item].outputs[systems[0]] for systems in screen.outputs]

    def answers_on(self, screen: Screen) -> list[str]:
        """Return what is to be answered on a screen: one letter an output, or `AB` for a preference."""
        return ["AB"] if self.scale.is_preference else list(LETTERS[: len(screen.outputs)])

    def write(self, folder: Path) -> None:
        """Write `study.json`, whole or not at all."""
        with atomic_write(folder / FILE, "w") as file:
            json.dump({"study": self.study, **self._content()}, file, ensure_ascii=False, indent=1)

    @classmethod
    def read(cls, folder: str | Path) -> Design:
        """Read a study's design.

        Raises:
            InputError: for a folder without `study.json`, and for one that was edited, or is none.
        """
        path = Path(folder) / FILE
        try:
            found = parse_json(path.read_bytes())
        except OSError:
            raise InputError(f"{folder}: there is no {FILE} in it; `referenceless sample` draws a study") from None
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
        if not isinstance(found, dict) or (found.get("format"), found.get("version")) != (_FORMAT, _VERSION):
            raise InputError(f"{path}: expected a rating study, version {_VERSION}, but got {describe(found)}")
        if found.pop("study", None) != _checksum(found):
            raise InputError(
                f"{path}: it was edited after the study was drawn, so which output is whose is no longer known; "
                "restore the file, or draw the study anew with the same options and seed"
            )
        try:
            return cls._from(found)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _from(cls, found: dict[str, Any]) -> Design:
        items = (
            {**item, "outputs": tuple(item["outputs"]), "raters": tuple(item["raters"])} for item in found["items"]
        )
        screens = {
            rater: tuple(Screen(**{**screen, "outputs": tuple(map(tuple, screen["outputs"]))}) for screen in shown)
            for rater, shown in found["raters"].items()
        }
        kept = {name: value for name, value in found.items() if name not in ("format", "version")}
        kept |= {"scale": Scale.parse(found["scale"]), "systems": tuple(found["systems"]), "raters": screens}
        return cls(**kept | {"items": tuple(Item(**item) for item in items)})


def _checksum(content: Mapping[str, Any]) -> str:
    plain = json.dumps(content, sort_keys=True, ensure_ascii=True, default=list)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]
