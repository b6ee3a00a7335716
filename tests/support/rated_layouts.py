"""Ratings of systems whose means are known, written as files of many layouts and names."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SYSTEMS = (
    ("gpt-4", "llama-2-7b", "t5-base", "human"),
    ("baseline", "ours", "ablation", "random"),
    ("A", "B", "C", "D"),
    ("sys1", "sys2", "sys3", "sys4"),
    ("BART", "Pegasus", "T5", "Lead-3"),
    ("gpt4o", "claude", "gemini", "mistral"),
    ("model_0", "model_1", "model_2", "model_3"),
    ("original", "finetuned", "rag", "zero-shot"),
)
RATERS = (
    ("ann1", "ann2", "ann3"),
    ("A1", "A2", "A3"),
    ("alice", "bob", "carol"),
    ("A2XJ3K9QW", "AKS82LQ0Z", "A1ZZP9M2"),
)
CRITERIA = (
    ("fluency", "adequacy", "coherence"),
    ("Fluency", "Coherence", "Relevance"),
    ("helpfulness", "harmlessness", "honesty"),
    ("overall_quality", "grammar", "style"),
    ("engagingness", "groundedness", "understandability"),
    ("correctness", "completeness", "conciseness"),
)
ITEM = ("id", "item_id", "doc_id", "question_id", "example_id", "sample", "index", "Nr", "segment_id", "HITId")
RATER = ("annotator", "worker_id", "WorkerId", "evaluator", "user", "Annotator ID", "rater_id", "completed_by")
SYSTEM = ("system", "model", "method", "approach", "generator", "engine", "condition", "Model", "system_id", "team")
RATING = ("rating", "quality", "Overall", "overall_score", "likert", "human_score")
TEXT = ("output", "text", "response", "generated_text", "prediction", "summary", "answer", "completion")
SOURCE = ("source", "input", "question", "prompt", "article", "document", "instruction")
SCALES = ((1, 5), (1, 5), (1, 7), (0, 100), (1, 3), (0, 4), (1, 10))

_NOUNS = (
    "river council bridge report market school student budget concert island engineer library garden museum".split()
)
_VERBS = "opened closed reviewed planned visited praised repaired studied".split()


class Ratings(NamedTuple):
    """Ratings of each system's output for each item, by each criterion and rater, on a scale of whole numbers.

    Attributes:
        systems: the systems.
        items: the items.
        raters: the raters.
        criteria: the criteria; one without a name of its own is called as a column of ratings.
        values: the rating of (criterion, system, item, rater).
        outputs: the text of (system, item).
        sources: what each item's outputs were made from.
    """

    systems: Sequence[str]
    items: Sequence[str]
    raters: Sequence[str]
    criteria: Sequence[str]
    values: dict[tuple[str, str, str, str], int]
    outputs: dict[tuple[str, str], str]
    sources: dict[str, str]

    @property
    def means(self) -> dict[tuple[str, str], float]:
        """The mean of (criterion, system), over items and raters."""
        n = len(self.items) * len(self.raters)
        return {
            (criterion, system): sum(self.values[criterion, system, i, r] for i in self.items for r in self.raters) / n
            for criterion in self.criteria
            for system in self.systems
        }


def drawn_ratings(rng: random.Random, *, n_raters: int | None = None) -> Ratings:
    """Draw names, a scale and ratings."""
    systems = rng.choice(SYSTEMS)[: rng.choice((2, 3, 4))]
    raters = rng.choice(RATERS)[: n_raters or rng.choice((1, 2, 3))]
    criteria = rng.choice(CRITERIA)[: rng.choice((1, 2, 3))]
    criteria = criteria if len(criteria) > 1 else (rng.choice(RATING),)
    form = rng.choice(("{}", "doc_{}", "news-{:03d}"))
    items = [form.format(n) for n in range(rng.choice((12, 20, 30)))]
    low, high = rng.choice(SCALES)
    level = {system: rng.uniform(0.3, 0.75) for system in systems}
    values = {}
    for system in systems:
        for item in items:
            quality = level[system] + rng.gauss(0, 0.2)
            for criterion in criteria:
                for rater in raters:
                    rating = round(low + (high - low) * (quality + rng.gauss(0, 0.15)))
                    values[criterion, system, item, rater] = min(high, max(low, rating))
    outputs = {(system, item): _sentence(rng) for system in systems for item in items}
    return Ratings(systems, items, raters, criteria, values, outputs, {item: _sentence(rng) for item in items})


def _sentence(rng: random.Random) -> str:
    nouns = [rng.choice(_NOUNS) for _ in range(4)]
    return f"The {nouns[0]} of the {nouns[1]} {rng.choice(_VERBS)} the {nouns[2]} near the {nouns[3]}."


def _long(of: Ratings, rng: random.Random) -> list[str]:
    """Write a row for each rating, with a column for each criterion."""
    head = [rng.choice(ITEM), *_beside(rng), rng.choice(SYSTEM), rng.choice(RATER), *of.criteria]
    n_texts = len(head) - 3 - len(of.criteria)
    rows = [
        [i, *_texts(of, s, i)[:n_texts], s, r, *(of.values[c, s, i, r] for c in of.criteria)]
        for i in of.items
        for s in of.systems
        for r in of.raters
    ]
    return [_table("ratings", head, rows, rng)]


def _long_criteria(of: Ratings, rng: random.Random) -> list[str]:
    """Write a row for each rating by each criterion, whose name stands in a column that may be called otherwise."""
    name = rng.choice(("criterion", "dimension", "aspect", "metric", "question", "quality"))
    head = [rng.choice(ITEM), *_beside(rng), rng.choice(SYSTEM), rng.choice(RATER), name]
    n_texts = len(head) - 4
    head.append(rng.choice(("rating", "score", "value", "answer")))
    rows = [
        [i, *_texts(of, s, i)[:n_texts], s, r, c, of.values[c, s, i, r]]
        for i in of.items
        for s in of.systems
        for r in of.raters
        for c in of.criteria
    ]
    return [_table("ratings", head, rows, rng)]


def _column_per_rater(of: Ratings, rng: random.Random) -> list[str]:
    forms = ("{c}_{n}", "annotator_{n}_{c}", "{c}_{a}") if len(of.criteria) > 1 else ("annotator_{n}", "rater{n}")
    form = rng.choice(forms)
    columns = [(c, a, form.format(c=c, a=a, n=n)) for c in of.criteria for n, a in enumerate(of.raters, 1)]
    head = [rng.choice(ITEM), *SOURCE[:1], *TEXT[:1], rng.choice(SYSTEM), *(name for *_, name in columns)]
    rows = [
        [i, *_texts(of, s, i), s, *(of.values[c, s, i, a] for c, a, _ in columns)] for i in of.items for s in of.systems
    ]
    return [_table("ratings", head, rows, rng)]


def _column_per_system(of: Ratings, rng: random.Random) -> list[str]:
    form = rng.choice(("{s}_{c}", "{c}_{s}", "{s} {c}") if len(of.criteria) > 1 else ("score_{s}", "{s}_score"))
    columns = [(c, s, form.format(c=c, s=s)) for s in of.systems for c in of.criteria]
    outputs = [f"{s}_output" for s in of.systems] if rng.random() < 0.5 else []
    head = [rng.choice(ITEM), rng.choice(SOURCE), *outputs, rng.choice(RATER), *(name for *_, name in columns)]
    rows = [
        [i, of.sources[i], *(of.outputs[s, i] for s in of.systems[: len(outputs)]), r]
        + [of.values[c, s, i, r] for c, s, _ in columns]
        for i in of.items
        for r in of.raters
    ]
    return [_table("ratings", head, rows, rng)]


def _file_per_system(of: Ratings, rng: random.Random) -> list[str]:
    head = [rng.choice(ITEM), rng.choice(TEXT), rng.choice(RATER), *of.criteria]
    form = rng.choice(_FORMS)
    return [
        _written(
            s,
            head,
            [
                [i, of.outputs[s, i], r, *(of.values[c, s, i, r] for c in of.criteria)]
                for i in of.items
                for r in of.raters
            ],
            form,
        )
        for s in of.systems
    ]


def _objects(of: Ratings, rng: random.Random) -> list[str]:
    """Write an object for each output, with a list of its ratings inside."""
    item, system, text, held, rater = map(rng.choice, (ITEM, SYSTEM, TEXT, ("annotations", "ratings"), RATER[:2]))
    rows = [
        {
            item: i,
            system: s,
            text: of.outputs[s, i],
            held: [{rater: r, **{c: of.values[c, s, i, r] for c in of.criteria}} for r in of.raters],
        }
        for i in of.items
        for s in of.systems
    ]
    return [_json("data", rows, rng)]


def _object_of_systems(of: Ratings, rng: random.Random) -> list[str]:
    """Write an object for each item, with one of all systems inside."""
    item, source, text, held = map(rng.choice, (ITEM, SOURCE, TEXT, ("outputs", "responses", "systems")))
    first = of.raters[0]
    rows = [
        {
            item: i,
            source: of.sources[i],
            held: {
                s: {text: of.outputs[s, i], **{c: of.values[c, s, i, first] for c in of.criteria}} for s in of.systems
            },
        }
        for i in of.items
    ]
    return [_json("data", rows, rng)]


def _two_rows_of_names(of: Ratings, rng: random.Random) -> list[str]:
    """Write a sheet with the systems above the criteria."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    lead = [rng.choice(ITEM), rng.choice(SOURCE), rng.choice(RATER)]
    blanks = [None] * (len(of.criteria) - 1)
    sheet.append([None] * len(lead) + [name for s in of.systems for name in (s, *blanks)])
    sheet.append(lead + [c for _ in of.systems for c in of.criteria])
    for i in of.items:
        for r in of.raters:
            sheet.append([i, of.sources[i], r, *(of.values[c, s, i, r] for s in of.systems for c in of.criteria)])
    book.save("ratings.xlsx")
    return ["ratings.xlsx"]


_FORMS = ("csv", "csv", "tsv", "jsonl")


def _table(stem: str, head: Sequence[str], rows: list[list[Any]], rng: random.Random) -> str:
    if rng.random() < 0.4:
        rng.shuffle(rows)
    return _written(stem, head, rows, rng.choice(_FORMS))


def _written(stem: str, head: Sequence[str], rows: Sequence[Sequence[Any]], form: str) -> str:
    path = Path(f"{stem}.{form}")
    if form == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(head, row, strict=True))) + "\n" for row in rows))
    else:
        with path.open("w", newline="") as file:
            csv.writer(file, delimiter="\t" if form == "tsv" else ",").writerows([head, *rows])
    return str(path)


def _json(stem: str, rows: Sequence[dict[str, Any]], rng: random.Random) -> str:
    path = Path(f"{stem}.{rng.choice(('json', 'jsonl'))}")
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(lines if path.suffix == ".jsonl" else json.dumps(rows))
    return str(path)


def _beside(rng: random.Random) -> list[str]:
    """Draw the names of columns of texts beside ratings: of the source and the output, of the source alone, or none."""
    return [rng.choice(SOURCE), rng.choice(TEXT)][: rng.choice((0, 1, 2, 2))]


def _texts(of: Ratings, system: str, item: str) -> list[str]:
    return [of.sources[item], of.outputs[system, item]]


LAYOUTS: dict[str, Callable[[Ratings, random.Random], list[str]]] = {
    "long": _long,
    "long criteria": _long_criteria,
    "a column per rater": _column_per_rater,
    "a column per system": _column_per_system,
    "a file per system": _file_per_system,
    "objects": _objects,
    "an object of systems": _object_of_systems,
    "two rows of names": _two_rows_of_names,
}
"""The writers of files in the working folder, which return the files' names, by the layout."""
