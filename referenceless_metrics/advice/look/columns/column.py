"""The kind of each column of a table, and the part that it may play."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.marked_numbers import are_times
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.nested_rows import KEY
from referenceless_metrics.core.files.number_words import (
    MISSING_MARKS,
    NotNumbersError,
    column_numbers,
    is_mean_with_spread,
    says_no_answer,
)
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.scales_in_words import scale_with_one_more, usual_scale
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import lists_of_texts
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.core.support.metric_names import (
    METRICS,
    OF_JUDGES_ALONE,
    OF_JUDGES_OR_PEOPLE,
    OF_TASKS,
    names_metric,
)
from referenceless_metrics.core.support.validation import Floats, finite_number, shortened
from referenceless_metrics.core.support.word_counts import n_words
from referenceless_metrics.human_evaluation.ratings.categories import elements, parts_of_cells
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.exports.questions import numbers_of_questions
from referenceless_metrics.human_evaluation.ratings.lists import are_several_numbers, lists_in, vary_in_truth
from referenceless_metrics.human_evaluation.ratings.model_raters import names_mean
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES
from referenceless_metrics.human_evaluation.scores.columns import are_answers_with_numbers, cells_of
from referenceless_metrics.human_evaluation.scores.directions import are_negated, is_lower_better_in
from referenceless_metrics.human_evaluation.source_columns import SOURCES

NUMBERS = ("whole numbers", "numbers")
MEANS = "means with spreads"
LABELS = "lists of labels"
LISTS_OF_TEXTS = "lists of texts"
ANSWERS = "lists of answers with numbers"
"""Answers of a judge that was asked several times, each of which begins with a number."""

LISTED_RATERS = "raters"
"""The part of a column that lists the raters of the ratings in each cell."""

JUDGED_LABEL = "label of a judge"
"""The part of a column of a judge's labels, beside people's in the same words."""

_SIDES = 2  # of a comparison
_FEWEST_COUNTED = 10  # items that are counted; fewer numbers may be a scale
_FEW = 12  # labels that may be answers of raters
_SCALE = 101  # values on the longest usual scale of whole numbers
_WORDS = 2.5  # words of a text in the mean; ids and names have fewer
_FEWEST_ROWS = 5  # in the mean, of one of few systems
_GIVEN_LISTS = re.compile(
    r"context|passage|document|(?<![a-z])docs?(?![a-z])|chunk|retriev|evidence|knowledge|source|snippet|fact|gold|"
    r"reference|ground_?truth|correct|expected|history|turns"
)
"""Names of columns of lists of texts that a system was given, or that are right: none are its candidates."""

_REFERENCES_OF_TASKS = ("label", "labels", "answers", "expected", "ground_truth")
_OF_RATER = re.compile(r"(.+?)[ _.-]+(?:a|r|h|ann|annotator|rater|judge|worker|evaluator)[ _.-]?\d+", re.IGNORECASE)
_RATER_OF = re.compile(r"(?:ann|annotator|rater|judge|worker|evaluator)[ _.-]?\d+[ _.-]+(.+)", re.IGNORECASE)
_BRACKETED = re.compile(r"[\[(][^\[\]()]+[\])]\s*$")  # the subject of a question, at its end
_FEWEST_QUESTIONS = 3  # columns of one name that are numbered
_WORSE = re.compile(r"worst|worse|least|reject|lose")
_MOST_RATERS = 50  # ratings in one cell
_ACTS = re.compile(r"\s*[?!]?\w+\s*[(\[].*[)\]]\s*;?\s*", re.DOTALL)
_NUMBER_LIST = re.compile(r"\s*\[\s*-?[\d.]+(\s*,\s*-?[\d.]+)*\s*\]\s*")
_WITH_COMMA = re.compile(r"\s*-?\d+(?:[.,]\d+)?\s*")
_NO_NUMBERS = frozenset(("nan", "na", "n/a", "#n/a", "<na>"))
"""Marks that programs write in cells without a number, in small letters: a column of nothing else is blank."""
_EMPTY_LIST = re.compile(r"\s*\[\s*\]\s*")
_KEY_END = re.compile(r"(?:id|ids|no|nr|num|number|index|idx|hash|key|item|unit)$")
_VERDICT = re.compile(r".+[_ .:-](?:correct|pass|passed|success|resolved)")
"""Names of verdicts of true and false on the answers of what is named before, as `base_correct`."""

_PRICE = re.compile(r"[$€£]\s*\d")
_DATE = re.compile(
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:(?:T|,?\s)\s*\d{1,2}[:.h]?\d\d.*|Z)?", re.DOTALL
)
"""A date, and a time of day behind it, if any: ids may begin with dates."""

_NO_RATING = re.compile(
    r"(?:.*[^a-z])?(?:ids?|item|key|index|idx|counts?|n|nr|num|number|length|len|tokens?|words|chars|rank|order|position|place|row|line|"
    r"trial|page|age|year|month|day|time|timestamp|tstamp|created|updated|duration|seconds|elapsed|rt|latency|cost|price|size|version|seed|"
    r"ngrams?|grams?|bigrams?|trigrams?|syllables|offset|start|end|width|height|turn|step|hash|port|zip|code|block|session|batch|condition|group|fold|trust|gold|"
    r"confidence|level|threshold|status|flag|duplicate|skip|skipped)(?:[^a-z].*)?"
    r"|(?:.*[^a-z])?(?:span|seg|segment|sent|sentence|line|turn|utterance|question|doc|document|paragraph)[ _.-]no",
)

_RATERS = re.compile(
    r"(?:(?:n|no|nr|num|number)[ _.-](?:of[ _.-])?)?(?:rater|annotator|worker|reviewer|evaluator|assessor|coder|"
    r"labell?er|participant)s"
)
"""Names of columns whose numbers count raters."""

_PARTS = {
    "preference": "preference|winner|preferred|pref|choice|better|vote",
    "system_a": "(system|model|generator)_?(a|1|left|first)|(left|first)_(system|model|generator)",
    "system_b": "(system|model|generator)_?(b|2|right|second)|(right|second)_(system|model|generator)",
    "candidates": "candidates|outputs|responses|completions|hypotheses|n_best|nbest|generations",
    "reference": r"references?|refs?|ref_?\d+|reference_?\d+|gold|target|human_reference",
    "source": SOURCES,
    "comment": "comments?|corrections?|corrected|feedback|remarks?|notes?|explanations?|rationales?|reasons?|"
    "justifications?|judge?ment|kommentare?|anmerkungen?|anmerkung|bemerkungen?|bemerkung|commentaires?|remarques?|"
    "comentarios?|observaciones|commenti",
    "text": "text|candidate|prediction|pred|predict|predicted|output|hypothesis|hyp|summary|answer|essay|"
    "essaytext|response|generated|sentence|sys_ref|mt|translation|simplification|paraphrase|headline|"
    "caption|rewrite|compression|system_output|completion|generation|generated_text|"
    "(?:target|tgt|mt|translated)_(?:text|segment|sentence)|"
    "reply|utterance|out",
    "weight": "weight|essay_weight|sample_weight",
    "rater": "rater|annotator|worker|worker_id|judge|participant|evaluator|coder|assessor|annotator_id|rater_id|user|"
    "workerid|username|user_id|participants?|participant_id|annotatorid|respondents?|responseid|subject|subject_id|pid|prolific_pid|"
    "prolific_id|participant_private_id|participant_public_id|expert|turker|reviewer|labeler|annotated_by|completed_by|e_?mail|"
    "bearbeiter(?:in)?|bewerter(?:in)?|gutachter(?:in)?|annotatorin|annotateur|annotatrice|évaluateur|évaluatrice|"
    "anotadora?|evaluadora?|(?:annotator|rater|worker|evaluator|reviewer|participant|coder)_(?:e?mail|name|no|nr|number|code)",
    "system": "system|model|sys|systems|generator|method|engine|provider|team|system_name|model_name|model_id|"
    "system_id|systemid|submission|policy|approach|llm|bot|chatbot|agent|summarizer|variant|model_type|run_name|architecture|checkpoint|"
    "generated_by|produced_by|(?!judge|reward|eval|embed|base|scor|rat|annotat|grad|critic)[a-z]+_(?:model|system)",
    "criterion": "criterion|aspect|dimension|quality_criterion",
    "metric": "metric|metric_name|scorer",
    "run": "run|seed|epoch|trial|repeat|rep|repetition|replicate|"
    "(run|seed|repeat|rep|repetition|replicate)_(id|index|idx|no|nr|num|number)",
    "cluster": "doc|document|document_id|doc_id|docid|dialogue|dialogue_id|cluster|passage|conversation_id|essay_set",
    "slice": "slice|task|task_name|language|lang|domain|topic|category|dataset|split|genre|language_pair|lp|type|"
    "subset|usage",
    "span": "(?:answer_)?start|(?:answer_)?end|span|severity|start_i|end_i|start_index|end_index",
    "item": "item|id|seg_id|segment|segment_id|seg|sent_id|sentence_id|question_id|hitid|example_id|input_id|index|idx|"
    "sample_id|prompt_id|item_id|itemid|instance|instance_id|row|qid|mr_id|story_id|key|doc_idx|no|num|number|nr|nummer|"
    "lfd_nr|item_nr|satz_nr|text_nr",
    "rating": f"{OF_JUDGES_OR_PEOPLE}|rating|ratings|mqm|esa|fluency|adequacy|naturalness|informativeness|"
    "grammaticality|coherence|coverage|understandability|factuality|factual|engagingness|engaging|phrasing|meaning|overall|judge?ment|"
    "label|labels|magnitude|acceptability|simplicity|readability|consistency|likert|stars|mos|human_score|humanscore|overall_score|"
    "average|mean|mean_rating|median|human|quality|da|direct_assessment|z_score|z|raw|expert_judgement|rated",
    "score": "is_correct|correct|passed|pass|success|resolved|grade|scr|avg|score|scores|value|reward|"
    f"{OF_JUDGES_ALONE}|{OF_TASKS}|{METRICS}",
}
_PEOPLES = frozenset(
    ("rating", "ratings", "human", "mean", "average", "median", "magnitude", "da", "mos", "likert", "mqm", "esa")
)
"""Words in names of people's ratings, whatever their scale."""

_ANY_LABEL = ("label", "labels")
"""Names that say nothing of what is labelled: such columns of one value tell no rating."""

_MARKS = frozenset(("x", "✓", "✔", "☑", "✗", "✘", "×", "*", "+", "y", "yes", "j", "ja", "oui", "sí", "sì", "si", "sim"))
"""Words that say alone that something is there, if other cells are blank."""

_OF_ASSESSORS = re.compile(r"(?:raw|z)[._ -]?(?:scr|scores?)", re.IGNORECASE)
"""Names of columns of direct assessment: people's numbers as they are, and standardised for each."""

_MAY_BE_NUMBERS = ("item", "system", "rater", "cluster", "slice", "run", "criterion", "metric")


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: its name; dotted for a place inside objects.
        kind: `whole numbers`, `numbers`, `means with spreads`, `dates`, `labels`, `ids`, `text`, `lists of numbers`,
            `lists of texts`, `lists of labels`, `lists`, `objects` or `blank`.
        shown: the range of numbers, the labels, or an example.
        blank: the share of blank cells.
        distinct: number of different values.
        part: the part that it may play; "" for none that is known.
    """

    name: str
    kind: str
    shown: str
    blank: float
    distinct: int
    part: str = ""

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in NUMBERS

    @property
    def holds_texts(self) -> bool:
        """Whether it holds texts, each once, or several times so that they seem to be labels."""
        words = len(self.shown.split()) / len(self.shown.split(", "))
        return self.kind == "text" or (self.kind == "labels" and words >= _WORDS)

    @property
    def mark(self) -> str:
        """The mark, as `x`, that stands in all its cells but blank ones; "" for other columns."""
        if not 0 < self.blank < 1:
            return ""
        if self.kind == "whole numbers" and self.shown == "1–1":
            return "1"
        words = {word.casefold() for word in self.shown.split(", ")}
        return words.pop() if self.kind == "labels" and len(words) == 1 and words <= _MARKS else ""

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest number of a column of numbers."""
        low, _, high = self.shown.partition(", as ")[0].rpartition("–")
        return float(low), float(high)

    def is_lower_better(self, file: str) -> bool:
        """Say whether lower scores are better, by its name or its file's, and none shows that the sign was turned."""
        listed = re.findall(r"-?\d+(?:\.\d+)?", self.shown) if self.kind == "lists of numbers" else []
        numbers = self.ends if self.is_numeric else tuple(map(float, listed))
        is_turned = bool(numbers) and are_negated(np.array(numbers))
        return is_lower_better_in(self.name, file) and not is_turned


def named_columns(table: Table) -> list[Column]:
    """Return the columns of a table, each with its kind and the part that its name and kind tell."""
    found = []
    for name in table.names():
        cells = [cell_of(row, name) for row in table.rows]
        filled = _without_empty_lists([cell for cell in cells if cell is not MISSING and not is_blank(cell)])
        may_be_times = _KEY_END.search(name.lower()) is None
        kind, shown, distinct = _kind(table, filled, may_be_times=may_be_times)
        if kind in ("labels", "ids"):
            numbers = _among_marks(table, filled)
            if numbers:
                filled = numbers
                kind, shown, distinct = _kind(table, filled, may_be_times=may_be_times)
        if all(str(cell).strip().lower() in _NO_NUMBERS for cell in filled):
            kind, shown, distinct, filled = "blank", "", 0, []
        n_blank = len(cells) - len(filled)
        part = _part(name, kind, distinct, is_share=_is_share(kind, shown))
        if part in ("", "rating") and kind in NUMBERS and is_of_own_metric(name, kind, shown):
            part = "score"
        if part in ("rating", "score") and (_is_running(kind, shown, distinct) or _PRICE.match(shown)):
            part = ""
        if part in ("", "rating") and kind == "whole numbers" and _number_items(filled):
            part = "item" if set(parted(name).split("_")) & set(_BY_WORD["item"]) else ""
        if kind == ANSWERS or (not part and _VERDICT.fullmatch(name.lower()) and shown.lower() == "false, true"):
            part = "score"
        if not part and kind == "text" and 2 * n_blank < len(cells) and _are_acts(filled):
            part = "source"
        if part == "source" and _names_documents(name, kind, filled):
            part = "cluster"
        are_counted = names_no_rating(name) or "token" in name.lower()
        if not part and kind == "lists of numbers" and not are_counted and _are_ratings(filled):
            part = "rating"
        if part == "text" and kind == "labels" and are_answers(filled):
            part = "rating"
        is_given = _GIVEN_LISTS.search(parted(name)) is not None
        if not part and kind == LISTS_OF_TEXTS and "." not in name and not is_given and _are_candidates(filled):
            part = "candidates"
        found.append(Column(name, kind, shown, n_blank / max(len(cells), 1), distinct, part))
    found = _with_preferences(table, _with_raters(_with_judges(table, _without_numbered_sides(found))))
    found = _with_sheets(_with_systems(table, found))
    if not any(column.part in ("item", "text") for column in found):
        return [replace(column, part="item") if _is_numbered_text(column) else column for column in found]
    return found


def _without_numbered_sides(columns: Sequence[Column]) -> list[Column]:
    """Return columns of which none of numbers is of a side, as `model_1`, if more are numbered so, as `model_3`."""
    stems = [re.sub(r"\d+$", "", column.name) for column in columns if column.is_numeric]
    return [
        replace(column, part="")
        if column.part in ("system_a", "system_b")
        and column.is_numeric
        and stems.count(re.sub(r"\d+$", "", column.name)) > _SIDES
        else column
        for column in columns
    ]


def _names_documents(name: str, kind: str, cells: Sequence[Any]) -> bool:
    """Say whether a column holds names of documents, as `news.12`, where one of its name may hold the documents."""
    is_called_so = re.fullmatch(_PARTS["cluster"], parted(name).replace(" ", "_")) is not None
    return is_called_so and kind in ("labels", "ids") and all(re.fullmatch(r"[!-~]+", str(cell)) for cell in cells)


def _without_empty_lists(cells: Sequence[Any]) -> list[Any]:
    """Return cells without empty lists if all others hold a list of one number: an empty one is then blank."""
    filled = [cell for cell in cells if not (isinstance(cell, (list, tuple)) and not cell)]
    are_single = all(isinstance(cell, (list, tuple)) and len(cell) == 1 for cell in filled)
    are_numbers = are_single and all(finite_number(cell[0]) is not None for cell in filled)
    return filled if filled and are_numbers else list(cells)


def is_survey(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether a table has a row for each respondent, and columns of answers, as `Fluency_1` to `Fluency_8`.

    Columns may be numbered, or have the subject in brackets, as `How fluent is it? [Text A]`. Answers are numbers, or
    words of a usual scale. Beside raters' columns, means that are no ratings are those of the raters: a row is an item.
    """
    parts = {column.part for column in columns}
    if any(column.part == "rater" and 2 * column.distinct <= len(table.rows) for column in columns):
        return False  # a respondent has one row
    are_averaged = any(not column.part and column.is_numeric and names_mean(column.name) for column in columns)
    if {"system", "text", "system_a"} & parts or ("rating of a rater" in parts and are_averaged):
        return False
    asked = [column for column in columns if column.part != "rating of a rater" and _is_asked(column.name)]
    words = {column.name: cells_of(table, column.name) for column in asked if column.kind == "labels"}
    answered = numbers_of_questions(words) if len(words) >= _FEWEST_QUESTIONS else {}
    answers = [column for column in asked if column.is_numeric or column.name in answered]
    stems = Counter("".join(_BRACKETED.sub("#", re.sub(r"\d+", "#", column.name)).split()) for column in answers)
    n_answers = sum(count for count in stems.values() if count >= _FEWEST_QUESTIONS)
    return 2 * n_answers > len(columns)


def _is_asked(name: str) -> bool:
    """Say whether a column may be one of several alike, by a number among letters or brackets at its end."""
    return re.search(r"[^\W\d_].*\d|\d.*[^\W\d_]", name) is not None or _BRACKETED.search(name) is not None


def _is_numbered_text(column: Column) -> bool:
    """Say whether a column has the name of one of texts, and holds their numbers."""
    return column.kind == "whole numbers" and re.fullmatch(_PARTS["text"], column.name.lower()) is not None


def _kind(table: Table, cells: Sequence[Any], *, may_be_times: bool = True) -> tuple[str, str, int]:
    """Return the kind of filled cells, a description of them, and the number of different ones."""
    if not cells:
        return "blank", "", 0
    if all(isinstance(cell, (list, tuple)) and len(cell) == 1 for cell in cells):
        alone = _kind(table, [cell[0] for cell in cells])
        if alone[0] in ("labels", *NUMBERS):
            return alone
    if all(isinstance(cell, (list, tuple)) for cell in cells):
        if _are_answers(cells):
            return ANSWERS, _example(cells), len(cells)
        if _are_labels([each for cell in cells for each in elements(cell)]):
            return LABELS, _example(cells), len(cells)
        inside = [each for cell in cells for each in cell]
        if inside and all(isinstance(each, str) for each in inside):
            return LISTS_OF_TEXTS, _example(cells), len(cells)
        numeric = inside and all(isinstance(each, (int, float)) for each in inside)
        return "lists of numbers" if numeric else "lists", _example(cells), len(cells)
    if all(isinstance(cell, dict) for cell in cells):
        return "objects", _example(cells), len(cells)
    texts = [str(cell) for cell in cells]
    counts = Counter(texts)
    values = list(counts)  # a form that all of them have is that of all cells
    parts = parts_of_cells(texts)
    if parts is not None and _are_labels([each for cell in parts for each in cell]):
        return LABELS, _example(values), len(values)
    if (listed := lists_of_texts(texts)) is not None:
        are_labels = _are_labels([each for of_cell in listed for each in of_cell])
        return (LABELS if are_labels else LISTS_OF_TEXTS), _example(values), len(values)
    lists = [text for text in values if not _EMPTY_LIST.fullmatch(text)]
    if lists and all(map(_NUMBER_LIST.fullmatch, lists)):
        return "lists of numbers", _example(values), len(values)
    numbers = table.as_numbers(list(dict(zip(texts, cells, strict=True)).values()))
    if (numbers != numbers).any() and all(map(_WITH_COMMA.fullmatch, values)):
        numbers = _decimal_commas(values)
    if not (numbers != numbers).any():
        if may_be_times and are_times(numbers):
            return "dates", _example(values), len(values)
        low, high = numbers.min(), numbers.max()
        kind = "whole numbers" if (numbers == numbers.round()).all() else "numbers"
        return kind, f"{low:.6g}–{high:.6g}", len(values)
    labelled = _labelled_numbers(values)
    if labelled is not None:
        return (
            "whole numbers",
            f"{labelled.min():.6g}–{labelled.max():.6g}, as {values[0]!r}"[:60],
            len(set(labelled.tolist())),
        )
    if all(is_mean_with_spread(text) for text in values):
        return MEANS, _example(values), len(values)
    if all(_DATE.fullmatch(text.strip()) for text in values):
        return "dates", _example(sorted(values)), len(values)
    if are_several_numbers(values):
        return "lists of numbers", _example(values), len(values)
    words = sum(count * n_words(text) for text, count in counts.items()) / len(texts)
    if len(values) <= _FEW and (len(values) < len(texts) or words < _WORDS):
        return "labels", shortened(", ".join(sorted(values)), 60), len(values)
    if words >= _WORDS:
        return "text", _example(values), len(values)
    return ("ids" if len(values) == len(texts) else "labels"), _example(values), len(values)


def _among_marks(table: Table, cells: Sequence[Any]) -> list[Any]:
    """Return the numbers among cells that mark missing values, as N/A does; none if something else stands there."""
    marks = {cell for cell in set(map(str, cells)) if cell.strip().lower() in MISSING_MARKS}
    if not marks:
        return []
    others = [cell for cell in cells if str(cell) not in marks]
    return others if others and np.isfinite(table.as_numbers(others)).all() else []


def _are_answers(cells: Sequence[Any]) -> bool:
    """Say whether lists hold a judge's answers: texts that begin with numbers, and some of them with words.

    Plain numbers may be the ratings of several raters.
    """
    inside = [each for cell in cells for each in cell]
    if min(map(len, cells)) < 2 or not are_answers_with_numbers(inside):
        return False
    return any(finite_number(each) is None for each in inside)


def _are_labels(cells: Sequence[Any]) -> bool:
    """Say whether all are texts, of a few words, and of few different ones.

    >>> _are_labels(["a", "b", "a", "a", "b", "a"]), _are_labels(["a cat sat there"] * 6), _are_labels([1, 2, 1])
    (True, False, False)
    """
    if not cells or not all(isinstance(cell, str) for cell in cells):
        return False
    distinct = set(cells)
    return len(distinct) <= _FEW and 3 * len(distinct) <= len(cells) and max(map(n_words, distinct)) < 4


def _decimal_commas(texts: Sequence[str]) -> Floats:
    """Return numbers of which some have a decimal comma; NaN if all commas may stand between thousands."""
    try:
        return column_numbers(texts).values
    except NotNumbersError:
        return np.full(len(texts), np.nan)


def _labelled_numbers(texts: Sequence[str]) -> Floats | None:
    """Return the whole numbers at the beginning of labels, such as `4 : rather good`; None unless all have some."""
    first = texts[0].strip()
    if not (first[:1].isdigit() or first[:1] in "★⭐☆" or re.search(r"\d\s*[)\]]$", first)):
        return None
    try:
        values = column_numbers(texts).values
    except NotNumbersError:
        return None
    are_few = len(set(values.tolist())) <= _FEW
    return values if are_few and np.isfinite(values).all() and (values == values.round()).all() else None


def _example(cells: Sequence[object]) -> str:
    return shortened(" ".join(str(cells[0]).split()), 60)


def _part(name: str, kind: str, distinct: int, *, is_share: bool = False) -> str:
    """Return the part that a column may play, by its name; its kind must allow it.

    Args:
        name: name of the column.
        kind: kind of its cells.
        distinct: number of different values.
        is_share: whether it holds numbers from 0 to 1 that are not whole, as metrics give them.
    """
    last = parted(re.split(r"[.:](?=[^.:\s]+$)", name)[-1])
    plain = re.sub(r"[^a-z0-9]+", "_", last).strip("_")
    if kind in NUMBERS and _OF_ASSESSORS.fullmatch(name):  # a point between two words, and no place in an object
        return "rating"
    if re.fullmatch(METRICS, name.lower()):  # as chrF, in which a capital begins no word
        plain = name.lower()
    if plain in _ANY_LABEL and distinct == 1:
        return ""
    for part, pattern in _PARTS.items():
        if part == "system" and kind in NUMBERS and plain in _NO_NUMBERED_SYSTEMS:
            continue
        if re.fullmatch(pattern, plain) and _allows(part, kind, distinct):
            return "score" if part == "rating" and is_share and plain not in _PEOPLES else part
    if kind in ("text", "lists of texts") and plain in _REFERENCES_OF_TASKS:
        return "reference"
    if kind == "text" and re.match(r"(?:real|gold|true|ground_truth)_", plain):
        return "reference"
    words = plain.split("_")
    if kind == "labels" and ("correction" in words or "corrected" in words):
        return ""
    if kind == "ids" and plain in _BY_WORD["item"]:
        return "item"
    by_word = _part_by_words(words)
    if by_word and _allows(by_word, kind, distinct):
        return by_word
    if kind in NUMBERS and _A_RATER.fullmatch(plain):
        return "rating of a rater"
    if kind in NUMBERS and any(re.fullmatch(_PARTS["rating"], word) for word in words):
        return "score" if is_share and not _PEOPLES & set(words) else "rating"
    if kind in NUMBERS and any(re.fullmatch(_PARTS["score"], word) for word in words):
        return "score"
    if kind == "dates":
        return "date"
    return ""


def parted(name: str) -> str:
    """Return a name in small letters, with a line between the words that capitals begin.

    A single capital at the end begins none, as that of a metric called `CLiN`.

    >>> parted("timeElapsed"), parted("Worker_ID"), parted("CLiN")
    ('time_elapsed', 'worker_id', 'clin')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z][A-Za-z])", "_", name).lower()


def part_by_name(column: Column) -> str:
    """Return the part that the name and kind of a column tell alone; "" for none."""
    return _part(column.name, column.kind, column.distinct)


_A_RATER = re.compile(
    r"(r|a|ann)[_ ]?\d+"
    r"|(rater|annotator|judge|worker|human|expert|evaluator|reviewer|assessor|coder|labell?er|participant)"
    r"(?!s$)[_ ]?(\d+|[a-z])"
)
"""Names of columns that each hold the ratings of one rater, as rater_1 and annotator_B; a plural counts raters."""

_NO_NUMBERED_SYSTEMS = ("llm", "bot", "chatbot", "agent", "approach", "method", "provider", "engine", "policy", "team")
"""Names of columns of systems whose numbers are no names, but the answers of a judge of this kind."""

_HIDDEN = ("anon", "anonymous", "anonymized", "anonymised", "hashed", "masked", "encrypted", "pseudonym")
"""Words behind names of keys that are not what they were, so that they tell no person."""

_KEY_ENDS = ("id", "ids", "no", "num", "number", "name", "index", "idx", "hash")
_BY_WORD = {
    "rater": (
        *("rater", "annotator", "worker", "judge", "reviewer", "participant", "assessor", "evaluator", "labeler"),
        *("respondent", "subject", "turker", "voter"),
    ),
    "system": ("system", "model", "summarizer", "generator", "sys", "bot"),
    "item": (
        "item",
        "sentence",
        "segment",
        "seg",
        "question",
        "example",
        "instance",
        "sample",
        "prompt",
        "hit",
        "input",
        "text",
        "stimulus",
        "stim",
        "pair",
        "comparison",
        "case",
        "scenario",
    ),
}


_VERSIONED = (*_BY_WORD["system"], "prompt", "template", "llm", "agent", "assistant", "chatbot", "policy", "pipeline")
"""Words for what outputs are made by, in names of columns of its versions."""


def _part_by_words(words: Sequence[str]) -> str:
    """Return the part that the words of a name tell, if it is one of a key, as `judgeId`, or of versions of systems.

    >>> _part_by_words(["original", "sentence", "id"]), _part_by_words(["summarizer", "id"]), _part_by_words(["segid"])
    ('item', 'system', 'item')
    >>> _part_by_words(["model", "version"]), _part_by_words(["api", "version"])
    ('system', '')
    >>> _part_by_words(["worker", "id", "anon"])
    'rater'
    """
    if len(words) > 2 and words[-1] in _HIDDEN:
        return _part_by_words(words[:-1])
    if words[-1] in ("version", "release") and not set(_VERSIONED).isdisjoint(words):
        return "system"
    joined = [word.removesuffix("id") for word in words if word.endswith("id") and len(word) > 2]
    is_key = bool(joined) or words[-1] in _KEY_ENDS
    if not is_key or len(words) + len(joined) < 2:
        return ""
    told = {*words, *joined}
    return next((part for part, known in _BY_WORD.items() if told & set(known)), "")


def names_no_rating(name: str) -> bool:
    """Say whether the name of a column tells that its numbers are no ratings: a key, a count, a time.

    So does the name of the object that holds it, such as `tokens.out`.

    >>> names_no_rating("worker_id"), names_no_rating("timeElapsed"), names_no_rating("how_fluent")
    (True, True, False)
    >>> names_no_rating("tokens.out"), names_no_rating("span_no"), names_no_rating("yes_no")
    (True, True, False)
    """
    holder, _, last = name.rpartition(".")
    last = parted(last)
    is_counted = re.fullmatch(r"(?:.*\.)?(?:tokens?|usage|lengths?|timings?)", holder.lower()) is not None
    return is_counted or _NO_RATING.fullmatch(last) is not None or last.endswith("id") or counts_raters(last)


def counts_raters(name: str) -> bool:
    """Say whether the name of a column of numbers tells that these count raters.

    >>> counts_raters("annotators"), counts_raters("n_raters"), counts_raters("annotator_1")
    (True, True, False)
    """
    return _RATERS.fullmatch(parted(name)) is not None


def is_unnamed(name: str) -> bool:
    """Say whether a first column has no name of its own, as the index of a table of pandas.

    >>> is_unnamed("Unnamed: 0"), is_unnamed("column 1"), is_unnamed("column 2")
    (True, True, False)
    """
    return name.lower() in ("column 1", "unnamed: 0")


def names_comment(name: str) -> bool:
    """Say whether the name of a column is one of comments.

    >>> names_comment("Comment"), names_comment("rating")
    (True, False)
    """
    return re.fullmatch(_PARTS["comment"], name.rpartition(".")[2].lower()) is not None


def names_score(name: str) -> bool:
    """Say whether the name of a column is one of scores, as metrics have them.

    >>> names_score("metrics.rouge1"), names_score("seg1")
    (True, False)
    """
    return re.fullmatch(_PARTS["score"], name.rpartition(".")[2].lower()) is not None


def names_value(name: str) -> bool:
    """Say whether the name of a column is one of ratings or scores, and so not that of a system.

    >>> names_value("fluency"), names_value("base")
    (True, False)
    """
    return _part(name, NUMBERS[0], _FEW) in ("rating", "score", "rating of a rater")


def holds_answers(column: Column) -> bool:
    """Say whether a column holds numbers, or words of a usual scale; one more word may stand among them.

    >>> holds_answers(Column("clear", "labels", "cannot judge, no, yes", 0.0, 3))
    True
    >>> holds_answers(Column("model", "labels", "bart, t5", 0.0, 2))
    False
    """
    if column.is_numeric:
        return True
    answers = answers_shown(column)
    return bool(answers) and (all(map(_is_number, answers)) or are_on_a_scale(answers))


def answers_shown(column: Column) -> list[str]:
    """Return the different answers in a column of labels, without words for no answer; none for other columns."""
    words = column.shown.split(", ") if column.kind == "labels" else []
    return [word for word in words if not says_no_answer(word)]


def are_boxes(words: Collection[str]) -> bool:
    """Say whether words are those of check boxes, true and false.

    >>> are_boxes(["TRUE", "FALSE"]), are_boxes(["yes", "no"])
    (True, False)
    """
    return {word.lower() for word in words} == {"true", "false"}


def are_on_a_scale(words: Sequence[str]) -> bool:
    """Say whether words are of a usual scale, all of them or all but one.

    >>> are_on_a_scale(["n", "partly", "y"]), are_on_a_scale(["bart", "t5"])
    (True, False)
    """
    return usual_scale(words) is not None or scale_with_one_more(words) is not None


def _is_number(word: str) -> bool:
    return finite_number(word) is not None


def names_people(name: str) -> bool:
    """Say whether the name of a column tells that people rated, on whatever scale.

    >>> names_people("mqm_avg_score"), names_people("HumanScore"), names_people("fluency")
    (True, True, False)
    """
    words = re.split(r"[^a-z0-9]+", parted(name))
    return bool((_PEOPLES - {"mean", "average", "median"}) & set(words))


def names_rater(name: str) -> bool:
    """Say whether the name of a column is one of the ratings of one rater.

    >>> names_rater("r1"), names_rater("Annotator_B"), names_rater("bart")
    (True, True, False)
    """
    return _A_RATER.fullmatch(parted(name)) is not None


def are_called_as_raters(files: Sequence[str]) -> bool:
    """Say whether each of several files is called as one of a rater, by a part of its name that others do not have.

    >>> are_called_as_raters(["A1-scores.csv", "A2-scores.csv"]), are_called_as_raters(["a/base.csv", "a/ours.csv"])
    (True, False)
    """
    parts = [[part for part in re.split(r"[^A-Za-z0-9]+", name) if part] for name in file_names(files)]
    called = [{part for part in (*of, *map("_".join, pairwise(of))) if names_rater(part)} for of in parts]
    return len(files) > 1 and all(called) and not any(first & second for first, second in combinations(called, 2))


def is_of_own_metric(name: str, kind: str, shown: str) -> bool:
    """Say whether a column holds values of a metric of this package, by its name.

    People rate fluency, too: a column of that name is a metric's if it has numbers below 0 that are not whole.

    >>> is_of_own_metric("wpslor", "numbers", "0.1–2.3"), is_of_own_metric("fluency", "numbers", "-5.1–1.4")
    (True, True)
    >>> is_of_own_metric("fluency", "whole numbers", "1–5"), is_of_own_metric("fluency", "numbers", "1.33–5")
    (False, False)
    """
    if name not in metric_names():
        return False
    return name not in CRITERIA_WORDS or (kind == "numbers" and shown.startswith("-"))


def are_answers(cells: Sequence[Any]) -> bool:
    """Say whether labels are answers, and no texts: a word or two each, and each several times.

    >>> are_answers(["yes", "no", "yes", "no", "yes", "no"]), are_answers(["a cat sat", "it sat"])
    (True, False)
    """
    texts = [str(cell) for cell in cells]
    return max(map(n_words, texts)) < 4 and 3 * len(set(texts)) <= len(texts) and len(set(texts)) > 1


def _are_ratings(cells: Sequence[Any]) -> bool:
    """Say whether lists of numbers, in columns of any name, may be the ratings of several raters each.

    Of true and false, as many as there are parts of a task, they are not.

    >>> _are_ratings([[1, 2, 2], [3, 3, 1]]), _are_ratings([[101, 2023, 7592]]), _are_ratings([[0.12, -0.4]])
    (True, False, False)
    """
    lists = lists_in(cells)
    numbers = [float(each) for cell in lists for each in cell]
    are_whole = all(number.is_integer() and 0 <= number <= _SCALE for number in numbers)
    may_be = are_whole and max(map(len, lists)) <= _MOST_RATERS and 1 < len(set(numbers)) <= _FEW
    return may_be and not vary_in_truth(lists)


def _are_acts(cells: Sequence[Any]) -> bool:
    """Say whether texts, in columns of any name, are meaning representations: an act with its arguments in brackets.

    >>> _are_acts(["inform(name='red door cafe';food='any')"]), _are_acts(["Call me (soon)"])
    (True, False)
    """
    return all(_ACTS.fullmatch(str(cell)) for cell in cells)


def _are_candidates(cells: Sequence[Any]) -> bool:
    """Say whether lists of texts, in columns of any name, may be candidates: several sentences in each cell."""
    lists = [from_json(cell) for cell in cells]
    words = statistics.fmean(len(text.split()) for cell in lists for text in cell)
    return words >= _WORDS and min(map(len, lists)) > 1


def _with_raters(columns: Sequence[Column]) -> list[Column]:
    """Return columns of which those of the first criterion that has one per rater, as `Fluency_A1`, are of raters.

    The rater may stand first, as in `rater1_fluency`; the criterion with fewest blanks is then the first.
    Those of further criteria play no part: a rater's column alone would be read as all ratings.
    """
    families = list(families_of_raters(columns).values())
    parts = {name: "" for names in families for name in names}
    parts |= dict.fromkeys(families[0] if families else [], "rating of a rater")
    return [replace(column, part=parts.get(column.name, column.part)) for column in columns]


def families_of_raters(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Return the columns of numbers of each criterion that has one per rater, by the criterion."""
    numeric = sorted((column for column in columns if column.is_numeric), key=lambda column: column.blank)
    matches = {column.name: _OF_RATER.fullmatch(column.name) for column in columns if column.is_numeric}
    if not any(matches.values()):
        matches = {column.name: _RATER_OF.fullmatch(column.name) for column in numeric}
    found: dict[str, list[str]] = {}
    for name, match in matches.items():
        if match is not None:
            found.setdefault(match[1], []).append(name)
    return {stem: names for stem, names in found.items() if len(names) > 1}


_JUDGE = re.compile(r"(?:llm_?|ai_?|gpt_?)?(?:judge|evaluator|assessor)")
"""Names of columns that may hold a judge's name or kind: a rater's name, or the score of a judge that is a program."""


def _with_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which numbers in one called `judge` are scores, unless they may be numbers of raters.

    Raters are numbered from 0 or 1 on, or stand in several rows of an output. Beside scores of metrics alone there are
    none to number.
    """
    keys = [column.name for column in columns if column.part in ("item", "system", "cluster", "slice", "criterion")]
    valued = [column for column in columns if column.part in ("rating", "score")]
    of_metrics = bool(valued) and all(names_metric(column.name) for column in valued)
    found = []
    for column in columns:
        is_judge = column.is_numeric and _JUDGE.fullmatch(parted(column.name)) is not None
        if not is_judge or column.part not in ("rater", "") or _are_repeated(table, keys):
            found.append(column)
            continue
        low, high = column.ends
        are_numbered = column.kind == "whole numbers" and low in (0, 1) and high - low + 1 == column.distinct
        found.append(column if are_numbered and not of_metrics else replace(column, part="score"))
    return found


def _are_repeated(table: Table, keys: Sequence[str]) -> bool:
    """Say whether several rows have the same keys; False without keys."""
    rows = list(zip(*(map(str, cells_of(table, name)) for name in keys), strict=True))
    return len(set(rows)) < len(rows)


def _with_preferences(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which the first that names sides is one of preferences, if there are columns of two systems."""
    parts = {column.part for column in columns}
    if not {"system_a", "system_b"} <= parts or "preference" in parts:
        return list(columns)
    labels = [column.name for column in columns if column.kind == "labels" and not column.part]
    named = next((name for name in labels if _names_sides(table, name)), "")
    around = [column.name for column in columns if column.part in ("rating", "score") and column.shown.startswith("-")]
    if not named and len(around) == 1:  # numbers around 0 beside two systems are the degree to which one is preferred
        named = around[0]
    return [replace(column, part="preference") if column.name == named else column for column in columns]


def _with_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns; one of few names that each stand in many rows is of systems, and not of items."""
    if {"system", "rater", "criterion", "preference"} & {column.part for column in columns}:
        return list(columns)
    return [
        replace(column, part="system")
        if column.part == "item" and column.kind == "labels" and _FEWEST_ROWS * column.distinct <= len(table.rows)
        else column
        for column in columns
    ]


def _with_sheets(columns: Sequence[Column]) -> list[Column]:
    """Return columns of which that of sheets, if all are read, is of systems, or of raters if another is of systems.

    Beside the marks of columns side by side, as each sheet has them, sheets are of raters; so are those that are called
    so, as `Annotator_1`. Those that are called as criteria are of these.
    """
    parts = {column.part for column in columns}
    if any(column.name == KEY for column in columns):
        parts.add("system")
    whose = "system" if "system" not in parts else "rater" if "rater" not in parts else ""
    sheets = next((column.shown.split(", ") for column in columns if column.name == SHEET), [])
    if sheets and "rater" not in parts and all(_A_RATER.fullmatch(parted(sheet).replace(" ", "_")) for sheet in sheets):
        whose = "rater"
    if sheets and "criterion" not in parts and all(sheet.lower() in CRITERIA_WORDS for sheet in sheets):
        whose = "criterion"
    return [replace(column, part=whose) if column.name == SHEET else column for column in columns]


def _names_sides(table: Table, name: str) -> bool:
    """Say whether the cells of a column name sides as preferences do; that of the worse output is none."""
    if _WORSE.search(name.lower()):
        return False
    cells = [str(cell) for row in table.rows if not is_blank(cell := cell_of(row, name)) and cell is not MISSING]
    return bool(cells) and all(cell.strip().lower() in SIDES for cell in cells)


def _is_share(kind: str, shown: str) -> bool:
    low, _, high = shown.rpartition("–")
    return kind == "numbers" and float(low) >= 0 and float(high) <= 1


_ENDS = re.compile(
    r"[(\[]\s*(?P<low>\d{1,3})\s*(?:-|–|to|bis)\s*(?P<high>\d{1,3})\s*[)\]]"
    r"|(?P<stem>[^\W\d]{2,})_(?P<least>[01])[_-](?P<most>\d{1,2}|100)$"
)
"""The ends of a scale in a name: in brackets, or behind the last word, as in `fluency_1_5`."""


def scale_in_name(column: Column, columns: Sequence[Column]) -> str | None:
    """Return the ends of the scale that a column's name tells and its numbers keep to, as `Fluency (1-5)`; or None.

    Columns whose names differ in the last number alone are numbered, and tell none.

    Args:
        column: a column of ratings.
        columns: all columns.

    >>> scale_in_name(fluency := Column("fluency_1_5", "whole numbers", "2–5", 0.0, 4), [fluency])
    '1-5'
    """
    match = _ENDS.search(column.name)
    if match is None or not column.is_numeric:
        return None
    if match["stem"]:
        begin = column.name[: match.start("most")]
        if any(each.name != column.name and re.fullmatch(rf"{re.escape(begin)}\d+", each.name) for each in columns):
            return None
    low, high = int(match["low"] or match["least"]), int(match["high"] or match["most"])
    return f"{low}-{high}" if low < high and low <= column.ends[0] and column.ends[1] <= high else None


def _number_items(cells: Sequence[Any]) -> bool:
    """Say whether whole numbers count items, from 0 or 1 on, each of which stands in equally many rows.

    >>> _number_items([*range(12)] * 3), _number_items([1, 2, 3] * 5), _number_items([*range(12), 3, 3])
    (True, False, False)
    """
    counts = Counter(str(cell) for cell in cells)
    is_even = len(counts) >= _FEWEST_COUNTED and len(set(counts.values())) == 1
    numbers = sorted(float(number) for number in counts) if is_even else [-1.0]
    return numbers[0] in (0, 1) and numbers[-1] - numbers[0] + 1 == len(numbers)


def _is_running(kind: str, shown: str, distinct: int) -> bool:
    """Say whether a column holds running numbers, which are no ratings.

    >>> _is_running("whole numbers", "1–4000", 4000), _is_running("whole numbers", "0–100", 101)
    (True, False)
    """
    low, _, high = shown.rpartition("–")
    return kind == "whole numbers" and distinct > _SCALE and float(high) - float(low) + 1 == distinct


def _allows(part: str, kind: str, distinct: int) -> bool:
    if part == "text":
        return kind in ("text", "labels", "ids", "objects")
    if part in ("source", "reference"):
        return kind in ("text", "labels", "ids", "lists of texts", "objects")
    if part == "candidates":
        return kind in ("lists of texts", "lists")
    if part == "rating" and kind in ("lists of numbers", LABELS):
        return True
    if part in ("rating", "score"):
        return kind in NUMBERS or (kind == "labels" and distinct <= _FEW)
    if part == "comment" and kind == "labels":
        return distinct > _FEW
    if part in ("weight", "span"):
        return kind in NUMBERS or part == "span"
    if part in ("system", "rater"):
        return kind in ("whole numbers", "labels", "ids")
    if part in _MAY_BE_NUMBERS:
        return kind in ("whole numbers", "labels", "ids", "text")
    return kind in ("labels", "ids", "whole numbers", "numbers")
