"""A rating study's design and key, and its file `study.json`, which raters never see.

A study is a folder:

* `study.json`: this design;
* `pages/RATER.html`: one page per rater, without any system's name (see `server`);
* `sheets/RATER.csv`: the same as a plain table, if asked for;
* `ratings/*.csv`: answers of the raters (see `reading`).

`study.json` is one object of JSON:

* `format` and `version`: `"referenceless-study"` and 2;
* `study`: the study's name, a digest of all else here; every file of ratings repeats it, so that a key that was
  edited, or ratings of another study, are noticed;
* `seed`: the seed of every random choice;
* `instructions`: for the raters;
* `criteria`: one or several, each with `name` ("" for the one of a study that names none), `question`, `scale`
  (`"1-5"`, or any `"LOW-HIGH"` in whole numbers, or `"preference"`), `labels` (words by value) and `examples` (texts,
  each with the rating that the study's author gives it);
* `criteria_apart`: whether a page asks for one criterion after the other, and not for all of a text at once;
* `spans`: if raters mark errors, the `categories`, the errors that are marked beforehand (`prefilled`, by their text)
  and who marked them (`origin`); null if nobody marks errors;
* `blocks`: number of blocks in which the items come, in the same order for all raters; 0 in studies of earlier versions
  of the program, which drew the order of all items anew for each rater;
* `n_unlike`: number of items on which the systems' outputs differ, if items were drawn from these alone; null
  otherwise;
* `n_earlier`: number of items of earlier studies that were left out of the draw; not there in studies of earlier
  versions of the program;
* `along`: if items were drawn along a metric's difference, the metric, the number of items that could be drawn, and the
  place of each drawn one in that order (see `inference/along_metric`); null otherwise;
* `overall`: whether the analysis takes the mean of the criteria too, chosen before the first rating;
* `layout`: `"together"` (all outputs of an item on one screen) or `"apart"`;
* `systems`: their names, the baseline first;
* `n_items`: number of items that could be drawn;
* `metric`: the metric whose estimates the analysis takes, or several with + between, if one is named: before the
  first rating, so that nobody chooses it by its result;
* `estimates_column`: in place of a metric, the column of estimates of one's own that the analysis takes, as
  `human-score --estimates-column` names it; "" for none, and not there in studies of earlier versions of the program;
* `items`: those that were drawn, each with `item` (its place in the systems' files, counted from 0), `source` (a text,
  or null), `outputs` (one text per system, in their order) and `raters` (who rates it, by name);
* `raters`: from a rater's name to the screens that the rater sees, in order, each with `item` (a place in `items`),
  `outputs` (for each text on the screen, from A on, the numbers of the systems that wrote it: equal texts are shown
  once), `repeat` (whether the rater saw the same outputs before) and `check` (whether the text is damaged: its words
  in another order, so that an attentive rater rates it below the whole one).
* `code`: a code that a page shows once all is rated, for a platform that pays raters by it; "" for nothing.

Version 1 had one criterion without a name, as `question`, `scale` and `examples`; it is still read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from shlex import quote

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.validation import InputError, Record, describe, parse_json
from referenceless_metrics.human_evaluation.inference.along_metric import AlongMetric
from referenceless_metrics.human_evaluation.studies.criteria import Criterion
from referenceless_metrics.human_evaluation.studies.damage import damaged
from referenceless_metrics.human_evaluation.studies.spans import SPANS, SpanTask

FILE = "study.json"
RATINGS = "ratings"
"""The folder of the raters' files, in the study's."""

LEFT_OUT = "left_out"
"""The folder of the files of raters who are left out of the analysis, in the study's."""

SOURCE_LABEL = "What the text was made from"
"""Heading over the source of a text, unless a study has another one."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_FORMAT = "referenceless-study"
_VERSION = 2
_READ_VERSIONS = (1, 2)


@dataclass(frozen=True)
class Item:
    """An item that was drawn; see the module's docstring."""

    item: int
    source: str | None
    outputs: tuple[str, ...]
    raters: tuple[str, ...]


@dataclass(frozen=True)
class Screen:
    """Screen of a rater: the outputs of one item, with the systems that wrote each of them."""

    item: int
    outputs: tuple[tuple[int, ...], ...]
    repeat: bool
    check: bool = False


@dataclass(frozen=True)
class Design:
    """A study's design and key; see the module's docstring."""

    seed: int
    instructions: str
    criteria: tuple[Criterion, ...]
    layout: str
    systems: tuple[str, ...]
    n_items: int
    items: tuple[Item, ...]
    raters: Mapping[str, tuple[Screen, ...]]
    metric: str = ""
    estimates_column: str = ""
    code: str = ""
    criteria_apart: bool = False
    overall: bool = False
    spans: SpanTask | None = None
    blocks: int = 0
    n_unlike: int | None = None
    n_earlier: int = 0
    along: AlongMetric | None = None
    source_label: str = SOURCE_LABEL
    name: str = ""

    @cached_property
    def study(self) -> str:
        """The study's name: a digest of the design, as it stands in a file that was read."""
        return self.name or _digest(self._content())

    def _content(self) -> Record:
        content = {"format": _FORMAT, "version": _VERSION, **asdict(self)}
        content["criteria"] = [criterion.record() for criterion in self.criteria]
        content["spans"] = None if self.spans is None else self.spans.record()
        content["along"] = None if self.along is None else self.along.record()
        del content["name"]
        return content

    @property
    def are_preferences(self) -> bool:
        """Whether raters say which of two outputs is better."""
        return self.criteria[0].scale.is_preference

    def n_comparisons(self, *, all_pairs: bool = False) -> int:
        """Return the number of comparisons, by all criteria, for which the analysis corrects p.

        Args:
            all_pairs: whether all pairs of systems are compared, and not only each with the baseline.
        """
        n = len(self.systems)
        return (n * (n - 1) // 2 if all_pairs else n - 1) * (len(self.asked) + self.overall)

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions on an output, by name: its errors if they are marked, and each criterion."""
        names = tuple(criterion.name for criterion in self.criteria)
        return names if self.spans is None else (SPANS, *names)

    @property
    def has_named_criteria(self) -> bool:
        """Whether the criteria have names, by which tables tell them apart."""
        return bool(self.criteria[0].name)

    def criterion(self, name: str) -> Criterion:
        """Return the criterion of a name; the only one if there is one and no name is given.

        Raises:
            InputError: for a criterion that is not in the study.
        """
        if not name and len(self.criteria) == 1:
            return self.criteria[0]
        for criterion in self.criteria:
            if criterion.name == name:
                return criterion
        names = ", ".join(criterion.name for criterion in self.criteria if criterion.name)
        expected = f"one of {names}" if names else "none"
        raise InputError(f"expected {expected} as the criterion, but got {describe(name)}")

    def texts(self, screen: Screen) -> list[str]:
        """Return the texts on a screen, in their order."""
        texts = [self.items[screen.item].outputs[systems[0]] for systems in screen.outputs]
        return list(map(damaged, texts)) if screen.check else texts

    def outputs_on(self, screen: Screen) -> list[str]:
        """Return the outputs that are judged on a screen: one letter per output, or `AB` for a preference."""
        return ["AB"] if self.are_preferences else list(LETTERS[: len(screen.outputs)])

    def asked_on(self, screen: Screen) -> list[tuple[str, str]]:
        """Return the answers that are wanted on a screen: the outputs, each with the name of the criterion."""
        return [(output, name) for output in self.outputs_on(screen) for name in self.asked]

    def without(self, raters: Collection[str]) -> Design:
        """Return the design as if some of its raters had not been asked."""
        items = (replace(item, raters=tuple(name for name in item.raters if name not in raters)) for item in self.items)
        kept = {name: screens for name, screens in self.raters.items() if name not in raters}
        return replace(self, items=tuple(items), raters=kept)

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
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise InputError(f"{path}: expected a rating study, but got {describe(content)}")
        if content.get("version") not in _READ_VERSIONS:
            raise InputError(
                f"{path}: expected a rating study of version {_VERSION} or earlier, but got {content.get('version')!r}"
            )
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
        if content["version"] == 1:
            content = _of_version_1(content)
        items = (
            {**item, "outputs": tuple(item["outputs"]), "raters": tuple(item["raters"])} for item in content["items"]
        )
        screens = {
            rater: tuple(Screen(**{**screen, "outputs": tuple(map(tuple, screen["outputs"]))}) for screen in shown)
            for rater, shown in content["raters"].items()
        }
        kept = {name: value for name, value in content.items() if name not in ("format", "version")}
        kept["criteria"] = tuple(Criterion.of_record(record) for record in content["criteria"])
        if content.get("spans") is not None:
            kept["spans"] = SpanTask.of_record(content["spans"])
        if content.get("along") is not None:
            kept["along"] = AlongMetric.of_record(content["along"])
        kept["systems"] = tuple(content["systems"])
        kept["raters"] = screens
        kept["items"] = tuple(Item(**item) for item in items)
        return cls(**kept)


def named_estimates(metric: str, estimates_column: str) -> tuple[list[str], str]:
    """Return the estimates that a study names for its analysis, in words, and the options that take them.

    Args:
        metric: see `Design`.
        estimates_column: likewise.

    >>> named_estimates("slor+fluency", ""), named_estimates("", "judge"), named_estimates("", "")
    ((['slor', 'fluency'], '--metric slor --metric fluency'), (['column judge'], '--estimates-column judge'), ([], ''))
    """
    if estimates_column:
        return [f"column {estimates_column}"], f"--estimates-column {quote(estimates_column)}"
    metrics = metric.split("+") if metric else []
    return metrics, " ".join(f"--metric {name}" for name in metrics)


def _of_version_1(content: Record) -> Record:
    """Return a design of version 1, with one criterion without a name, as one of version 2."""
    kept = {name: value for name, value in content.items() if name not in ("question", "scale", "examples")}
    only = {name: content.get(name) for name in ("question", "scale", "examples")}
    return {**kept, "criteria": [{"name": "", **only}]}


def _digest(content: Record) -> str:
    plain = json.dumps(content, sort_keys=True, ensure_ascii=True, default=list)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]
