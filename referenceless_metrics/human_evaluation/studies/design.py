"""A rating study's design and key, and its file `study.json`, which raters never see.

A study is a folder:

* `study.json`: this design;
* `pages/RATER.html`: one page a rater, without any system's name (see `page`);
* `sheets/RATER.csv`: the same as a plain table, where asked for;
* `ratings/*.csv`: what the raters answered (see `reading`).

`study.json` is one object of JSON:

* `format` and `version`: `"referenceless-study"` and 1;
* `study`: the study's name, a digest of all else here; every file of ratings repeats it, so that a key that was
  edited, or ratings of another study, are noticed;
* `seed`: of every random choice;
* `question`, `instructions`: what raters are told; `examples`: texts, each with the rating that the study's author
  gives it;
* `scale`: `"1-5"`, or any `"LOW-HIGH"` in whole numbers, or `"preference"`;
* `layout`: `"together"` (all outputs of an item on one screen) or `"apart"`;
* `systems`: their names, the baseline first;
* `n_items`: how many items there were to draw from;
* `metric`: the metric whose estimates the analysis takes, or several with + between, where one is named: before the
  first rating, so that nobody chooses it by what it shows;
* `items`: those that were drawn, each with `item` (its place in the systems' files, counted from 0), `source` (a text,
  or null), `outputs` (one text a system, in their order) and `raters` (who rates it, by name);
* `raters`: from a rater's name to the screens that the rater sees, in order, each with `item` (a place in `items`),
  `outputs` (for each text on the screen, from A on, the numbers of the systems that wrote it: equal texts are shown
  once), `repeat` (whether the rater saw the same outputs before) and `check` (whether the text is damaged: its words
  in another order, so that an attentive rater rates it below the whole one).
* `code`: what a page shows once all is rated, for a platform that pays raters by it; "" for nothing.

A rating study drawn at random: which items, by whom, in which order.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.validation import (
    InputError,
    Record,
    check_number,
    check_whole,
    describe,
    finite_number,
    parse_json,
)
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs

FILE = "study.json"
RATINGS = "ratings"
"""The folder of the raters' files, in the study's."""

PREFERENCE = "preference"
CANNOT_JUDGE = "cannot judge"
"""What a rater answers who does not want to guess: a missing rating that is kept, with its comment."""

_ANSWERS = {"A": 1.0, "tie": 0.5, "B": 0.0}
"""What a rater can say of two outputs, as the share of a win for the first."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FEWEST_WORDS = 5  # of a text whose damage shows
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
        ends = re.fullmatch(r"(\d{1,4})[-:](\d{1,4})", text)
        if text == PREFERENCE:
            return cls(0, 0)
        if ends is None or int(ends[1]) >= int(ends[2]):
            raise InputError(f"expected a scale such as 1-5, 1-6 or 0-100, or {PREFERENCE!r}, but got {text!r}")
        return cls(int(ends[1]), int(ends[2]))

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

        >>> Scale(1, 5).written(4.0), Scale(0, 0).written(0.5), Scale(1, 5).written(math.nan)
        ('4', 'tie', 'cannot judge')
        """
        if answer != answer:
            return CANNOT_JUDGE
        named = {share: name for name, share in _ANSWERS.items()}
        return named[answer] if self.is_preference else f"{answer:.0f}"

    def answer(self, value: object) -> float | None:
        """Return an answer as a number, None where it is not on the scale; the share of a win for A of a preference.

        It is NaN of a rater who cannot judge.

        >>> Scale(1, 5).answer("4"), Scale(1, 5).answer(6), Scale(0, 0).answer("tie")
        (4.0, None, 0.5)
        """
        if value == CANNOT_JUDGE:
            return math.nan
        if self.is_preference:
            return _ANSWERS.get(str(value))
        number = finite_number(value)
        return number if number is not None and self.low <= number <= self.high and number % 1 == 0 else None


@dataclass(frozen=True)
class Item:
    """An item that was drawn; see the module's docstring."""

    item: int
    source: str | None
    outputs: tuple[str, ...]
    raters: tuple[str, ...]


@dataclass(frozen=True)
class Screen:
    """What a rater sees at once: of one item, the outputs with the systems that wrote each of them."""

    item: int
    outputs: tuple[tuple[int, ...], ...]
    repeat: bool
    check: bool = False


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
    metric: str = ""
    examples: Sequence[tuple[str, str]] = ()
    code: str = ""
    name: str = ""

    @property
    def study(self) -> str:
        """The study's name: a digest of the design, as it stands in a file that was read."""
        return self.name or _digest(self._content())

    def _content(self) -> Record:
        content = {"format": _FORMAT, "version": _VERSION, **asdict(self), "scale": str(self.scale)}
        del content["name"]
        return content

    def texts(self, screen: Screen) -> list[str]:
        """Return the texts on a screen, in their order."""
        texts = [self.items[screen.item].outputs[systems[0]] for systems in screen.outputs]
        return list(map(damaged, texts)) if screen.check else texts

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
            content = parse_json(path.read_bytes())
        except OSError:
            raise InputError(f"{folder}: there is no {FILE} in it; `referenceless sample` draws a study") from None
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
        if not isinstance(content, dict) or (content.get("format"), content.get("version")) != (_FORMAT, _VERSION):
            raise InputError(f"{path}: expected a rating study, version {_VERSION}, but got {describe(content)}")
        name = content.pop("study", None)
        if name != _digest(content):
            raise InputError(
                f"{path}: it was edited after the study was drawn, so which output is whose is no longer known; "
                "restore the file, or draw the study anew with the same options and seed"
            )
        try:
            return cls._from({**content, "name": name})
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _from(cls, content: Record) -> Design:
        items = (
            {**item, "outputs": tuple(item["outputs"]), "raters": tuple(item["raters"])} for item in content["items"]
        )
        screens = {
            rater: tuple(Screen(**{**screen, "outputs": tuple(map(tuple, screen["outputs"]))}) for screen in shown)
            for rater, shown in content["raters"].items()
        }
        kept = {name: value for name, value in content.items() if name not in ("format", "version")}
        kept |= {"scale": Scale.parse(content["scale"]), "systems": tuple(content["systems"]), "raters": screens}
        return cls(**kept | {"items": tuple(Item(**item) for item in items)})


def _digest(content: Record) -> str:
    plain = json.dumps(content, sort_keys=True, ensure_ascii=True, default=list)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


QUESTION = "How good is this text?"
QUESTION_OF_TWO = "Which of the two texts is better?"

_Groups = tuple[tuple[int, ...], ...]


def draw_study(
    outputs: Outputs,
    items: int,
    raters: Sequence[str],
    *,
    scale: str = "1-5",
    apart: bool = False,
    overlap: int | None = None,
    repeats: float = 0.05,
    checks: int = 0,
    completion_code: str = "",
    question: str | None = None,
    seed: int = 0,
    instructions: str = "",
    examples: Sequence[tuple[str, str]] = (),
    sources: Sequence[str] | None = None,
    metric: str = "",
) -> Design:
    """Draw the items to be rated, the same of all systems, and what each rater sees.

    All systems' outputs of an item go to the same raters: in the difference of two systems, how hard the item is and
    how mild the rater is then cancel. The order of the items is drawn anew for each rater, that of the outputs for each
    screen.

    Args:
        outputs: each system's name and outputs, N each, the baseline first.
        items: how many of the N items to draw, without replacement.
        raters: their names, which become names of files.
        scale: what raters answer with: LOW-HIGH in whole numbers, such as 0-100, or preference.
        apart: one output on a screen, in place of all outputs of an item; outputs of one item are then about as many
            screens apart as there are items. Preferences show two at a time.
        overlap: how many raters rate each item, all where it is not given; each rater gets as many items as the others
            as nearly as can be.
        repeats: share of a rater's screens, rounded up, that come again, for the rater's agreement with themselves; at
            most a half. They are drawn from the first third, and shown in the last.
        checks: how many texts with their words in another order each rater gets, whom `agreement` tells of where such a
            text is rated as high as the whole one; for ratings on a scale.
        completion_code: what a page shows once all is rated, for a platform that pays raters by it.
        question: stands over each screen; one that fits the scale where it is not given.
        seed: of all random choices.
        instructions: for the raters, in lines; "" for none.
        examples: texts with the answers that anchor the scale, shown before the first screen and beside each.
        sources: what the outputs were made from, N texts; None where there are none.
        metric: the metric whose estimates the analysis takes, several with + between; "" for the ratings alone.

    Raises:
        InputError: for systems of unequal lengths, names of raters that are no file names or the same, and more outputs
            on a screen than there are letters.
        ValueError: for a number outside its range.
    """
    of = Scale.parse(scale)
    _check(outputs, raters, of, apart)
    n_all = len(outputs[0][1])
    overlap = len(raters) if overlap is None else overlap
    check_whole(items, "items", 1)
    if items > n_all:
        raise InputError(f"{items} items cannot be drawn: {outputs[0][0]} has {n_all} outputs")
    check_whole(overlap, "overlap", 1, len(raters))
    check_number(repeats, "repeats", 0, 0.5)
    check_whole(seed, "seed", 0)
    if sources is not None and len(sources) != n_all:
        raise InputError(f"there are {len(sources)} sources, but {n_all} items")
    check_whole(checks, "checks", 0)
    for text, answer in examples:
        if of.answer(answer) is None:
            raise InputError(f"the example {text!r}: expected {of.expected} as a rating, but got {answer!r}")
    if (checks or metric) and of.is_preference:
        raise InputError("damaged texts and estimates go with ratings on a scale, and not with preferences")
    generator = np.random.default_rng(seed)
    loads = np.zeros(len(raters))
    drawn = []
    for place in generator.choice(n_all, items, replace=False):
        # Those who have the fewest items so far, ties at random.
        chosen = sorted(np.lexsort((generator.random(len(raters)), loads))[:overlap])
        loads[chosen] += 1
        texts = tuple(texts[place] for _, texts in outputs)
        source = None if sources is None else sources[place]
        drawn.append(Item(int(place), source, texts, tuple(raters[rater] for rater in chosen)))
    shown = [_shown(item.outputs, of, apart) for item in drawn]
    screens = {
        rater: _screens([(i, shown[i]) for i, item in enumerate(drawn) if rater in item.raters], repeats, generator)
        for rater in raters
    }
    if checks:
        screens = {rater: _with_checks(seen, drawn, checks, generator) for rater, seen in screens.items()}
    return Design(
        seed=seed,
        question=question or (QUESTION_OF_TWO if of.is_preference else QUESTION),
        instructions=instructions,
        scale=of,
        layout="apart" if apart else "together",
        systems=tuple(name for name, _ in outputs),
        n_items=n_all,
        items=tuple(drawn),
        raters=screens,
        metric=metric,
        examples=examples,
        code=completion_code,
    )


def damaged(text: str) -> str:
    """Return a text with its words in another order, the same each time.

    >>> damaged("the cat sat on the mat")
    'sat on the mat the cat'
    """
    words = text.split()
    return " ".join(words[place] for place in np.random.default_rng(len(words)).permutation(len(words)))


def _with_checks(
    screens: tuple[Screen, ...], items: Sequence[Item], checks: int, generator: np.random.Generator
) -> tuple[Screen, ...]:
    """Put damaged texts among a rater's screens, each after the whole one."""
    places = [
        (number, group)
        for number, screen in enumerate(screens)
        for group in screen.outputs
        if not screen.repeat and len(set(items[screen.item].outputs[group[0]].split())) >= _FEWEST_WORDS
    ]
    if len(places) < checks:
        long = f"{len(places)} of {_FEWEST_WORDS} words or more"
        raise InputError(f"{checks} texts cannot be damaged: a rater sees {long}")
    seen, chosen = list(screens), generator.choice(len(places), checks, replace=False)
    for number, group in sorted((places[i] for i in chosen), reverse=True):
        check = Screen(screens[number].item, (group,), repeat=True, check=True)
        seen.insert(int(generator.integers(number + 1, len(seen) + 1)), check)
    return tuple(seen)


def _check(outputs: Outputs, raters: Sequence[str], scale: Scale, apart: bool) -> None:
    lengths = {name: len(texts) for name, texts in outputs}
    if len(lengths) < len(outputs):
        raise InputError("two systems have one name; name each differently")
    if len(set(lengths.values())) != 1 or 0 in lengths.values():
        listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"{listed or 'there is no system'}: expected one output of each system for each item")
    if scale.is_preference and (len(outputs) < 2 or apart):
        raise InputError(
            "a preference is between outputs of two systems on one screen: give two systems, and not apart"
        )
    if not apart and not scale.is_preference and len(outputs) > len(LETTERS):
        raise InputError(f"{len(outputs)} systems are too many for one screen, at most {len(LETTERS)}; show them apart")
    for rater in raters:
        if not re.fullmatch(r"\w[\w.-]{0,59}", rater):
            raise InputError(f"expected a rater's name of letters, digits, '-', '_' and '.', but got {rater!r}")
    if not raters or len({rater.casefold() for rater in raters}) < len(raters):
        raise InputError("expected raters of different names, at least one")


def _shown(texts: Sequence[str], scale: Scale, apart: bool) -> list[_Groups]:
    """Return what of an item is shown at once: groups of systems whose outputs are equal."""
    by_text: dict[str, list[int]] = {}
    for system, text in enumerate(texts):
        by_text.setdefault(text, []).append(system)
    groups = [tuple(systems) for systems in by_text.values()]
    if scale.is_preference:
        return list(combinations(groups, 2))
    return [(group,) for group in groups] if apart else [tuple(groups)]


def _screens(
    items: Sequence[tuple[int, list[_Groups]]], repeats: float, generator: np.random.Generator
) -> tuple[Screen, ...]:
    def shuffled(item: int, groups: _Groups, repeat: bool) -> Screen:
        return Screen(item, tuple(groups[place] for place in generator.permutation(len(groups))), repeat)

    order = [(item, generator.permutation(len(shown)), shown) for item, shown in items]
    order = [order[place] for place in generator.permutation(len(order))]
    screens = [
        shuffled(item, shown[places[turn]], False)
        for turn in range(max((len(shown) for _, shown in items), default=0))
        for item, places, shown in order
        if turn < len(shown)
    ]
    third = math.ceil(len(screens) / 3)
    again = generator.permutation(third)[: math.ceil(repeats * len(screens))]
    copies = [shuffled(screens[place].item, screens[place].outputs, True) for place in again]
    for copy in copies:
        screens.insert(int(generator.integers(2 * third, len(screens) + 1)) if len(screens) > 2 else len(screens), copy)
    return tuple(screens)
