"""Patterns of the names of a survey's questions, each of which joins a criterion with what was rated."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import product

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_value
from referenceless_metrics.core.support.common_ends import common_ends
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models, names_mean
from referenceless_metrics.human_evaluation.ratings.question_key import ANY, fields_of_name

_NEARLY_ALL = 0.9  # share of all criteria and outputs that are there
_FEWEST = 2
_STEMMED = re.compile(r"(.*?[^\W\d_])(\s*[_.:-]\s*|\s*)(\d+)")
_LOOPED = re.compile(r"(\d+)_([^\W\d_][^{}*]*)")
_MOST_LOOPED = 3  # questions of a loop that get lines
_CODED = re.compile(r"([^\W\d_]+)(\d+)(_?[^\W\d_]+)(\d+)")
_MARK = re.compile(r"(?<![^\W_])(?:\d{1,3}|[A-H])(?![^\W_])")
"""A number, or a capital letter, that stands alone in a question."""

_MARKED = re.compile(r"([^\W\d_]+) (\d{1,3}|[A-HJ-Z])(?![^\W_])")
"""A word with its number, or its capital letter."""

_NUMBER = re.compile(r"(?<![^\W_])\d{1,3}(?![^\W_])")
"""A number that stands alone in a question."""

_BRACKETED = re.compile(r"\[([^\[\]]+)\]\s*$")
"""The end of a question of a grid: the name of its row."""

_OF_SYSTEMS = ("system", "model", "bot", "version", "variant", "method", "condition")
"""Ends of words in front of the number of a system."""

_FEWEST_ASKED = 4
_MOST_LETTERS = 8  # that stand for systems
_OF_ANYTHING = ("a", "b", "m", "o", "r", "s", "v", "x")
"""Letters before numbers that may be of systems, raters or items."""

_OF_QUESTION = ("q", "question", "c", "crit", "criterion", "frage")


def patterns_of(names: Sequence[str]) -> list[str]:
    """Return the pattern that most names have: a criterion with a number, or two codes with one each; else none.

    The number of a criterion in words is taken to be that of a system. Of two codes, that of a question is a criterion.

    >>> patterns_of(["id", "Fluency_1", "Fluency_2", "Style_1", "Style_2"])
    ['{criterion}_{system}']
    >>> patterns_of(["R1Q1. Is it fluent?", "R1Q2. Is it true?", "R2Q1. Is it fluent?", "R2Q2. Is it true?"])
    ['R{system}Q{criterion}']
    >>> patterns_of([f"Text {n}: is {s} good? [{c}]" for n in (1, 2) for s in "AB" for c in ("Style", "Sense")])
    ['Text {item}: is {system} good? [{criterion}]']
    >>> patterns_of([f"Dialogue {n}: {n * 'a'} – Bot {s}: {s} yes. How {c} is it?" for n in (1, 2) for s in "AB"
    ...     for c in ("true", "clear")])
    ['Dialogue {item}: * – Bot {system}: * yes. How {criterion} is it?']
    >>> patterns_of(["1_Q3_1", "1_Q4", "2_Q3_1", "2_Q4", "3_Q3_1", "3_Q4"])
    ['{item}_Q3_1', '{item}_Q4']
    >>> patterns_of([f"art{n}_{s}_{c}" for n in (1, 2, 3) for s in ("bart", "t5") for c in (1, 2)])
    ['{item}_{system}_{criterion}']
    >>> patterns_of([f"Story {n}: {n * 'a'}. How good is each? [Model {s}]" for n in (1, 2) for s in "AB"])
    ['Story {item}: *. How good is each? [{system}]']
    """
    with_texts = _pattern_of_grids(names) or _pattern_of_rows(names) or _pattern_with_texts(names)
    with_texts = with_texts or _pattern_of_fields(names)
    if with_texts:
        return [with_texts]
    codes = [name.partition(". ")[0].strip() for name in names]
    coded = [match for code in codes if (match := _CODED.fullmatch(code)) is not None]
    if coded and len({(match[1], match[3]) for match in coded}) == 1:
        before, between = coded[0][1], coded[0][3]
        is_asked = between.strip("_").lower() in _OF_QUESTION
        if is_asked and _is_grid([(match[2], match[4]) for match in coded]):
            return [f"{before}{{system}}{between}{{criterion}}"]
    stemmed = [match for code in codes if (match := _STEMMED.fullmatch(code)) is not None]
    pairs = [(match[1], match[3]) for match in stemmed]
    signs = Counter(match[2].strip() for match in stemmed)
    are_asked = any(names_value(stem) and not names_mean(stem) for stem, _ in pairs)
    if pairs and _is_grid(pairs) and are_asked:
        return [f"{{criterion}}{signs.most_common(1)[0][0]}{{system}}"]
    return _patterns_of_loops(codes)


def _patterns_of_loops(codes: Sequence[str]) -> list[str]:
    """Return a pattern for each question that is asked again of each item; none if most names are of no such one.

    The number of the loop stands first, as in `1_Q3` and `2_Q3` (Qualtrics, loop and merge).
    """
    asked: dict[str, set[str]] = {}
    for code in codes:
        match = _LOOPED.fullmatch(code)
        if match is not None:
            asked.setdefault(match[2], set()).add(match[1])
    loops = set[str]().union(*asked.values())
    of_all = [question for question, of in asked.items() if len(of) >= _NEARLY_ALL * len(loops)]
    are_most = 2 * sum(len(asked[question]) for question in of_all) > len(codes)
    return [f"{{item}}_{question}" for question in of_all[:_MOST_LOOPED]] if are_most and len(loops) > 1 else []


def asks_of_outputs(columns: Sequence[Column]) -> bool:
    """Say whether a row is a respondent, and most columns of ratings are called by a pattern with texts of outputs.

    Then other answers of the respondent are neither texts nor items.
    """
    rated = [column.name for column in columns if column.part in ("rating", "") and column.is_numeric]
    has_raters = any(column.part == "rater" for column in columns)
    has_outputs = any(column.part in ("text", "system", "system_a") and column.kind != "labels" for column in columns)
    return has_raters and not has_outputs and 2 * len(rated) > len(columns) and bool(_pattern_with_texts(rated))


def _pattern_of_grids(names: Sequence[str]) -> str:
    """Return the pattern of most names that end with a criterion in brackets, behind marks of outputs; "" for none.

    A letter is the mark of a system, and so is a number behind such a word; another number is that of an item.
    """
    asked: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        bracketed = _BRACKETED.search(name)
        head = "" if bracketed is None else name[: bracketed.start()]
        marks = list(_MARK.finditer(head))
        if bracketed is None or not marks or {"{", "}"} & set(name):
            continue
        fields = [_field(head[: mark.start()], mark[0]) for mark in marks]
        if len(set(fields)) < len(fields) or "system" not in fields:
            continue
        pattern = head
        for mark, field in reversed(list(zip(marks, fields, strict=True))):
            pattern = f"{pattern[: mark.start()]}{{{field}}}{pattern[mark.end() :]}"
        cells = (*(mark[0] for mark in marks), bracketed[1].strip())
        asked.setdefault(f"{pattern}[{{criterion}}]", []).append(cells)
    pattern, cells_of = max(asked.items(), key=lambda each: len(each[1]), default=("", []))
    values = [set(column) for column in zip(*cells_of, strict=True)]
    are_several = len(cells_of) >= _FEWEST_ASKED and all(len(each) > 1 for each in values)
    n_all = math.prod(map(len, values))
    return pattern if are_several and len(set(cells_of)) >= _NEARLY_ALL * n_all else ""


def _pattern_of_rows(names: Sequence[str]) -> str:
    """Return the pattern of the names that end with a system in brackets, behind the number of an item; "" for none.

    What else tells the questions of an item apart, in the same words for each item, is the criterion.
    """
    found = []
    for name in names:
        bracketed = _BRACKETED.search(name)
        number = _NUMBER.search(name)
        if bracketed is not None and number is not None and number.end() <= bracketed.start():
            head, tail = name[: number.start()], name[number.end() : bracketed.start()]
            found.append((head, number[0], tail, bracketed[1].strip()))
    heads, items, tails, rows = (list(column) for column in zip(*found, strict=True)) if found else ([], [], [], [])
    are_several = min(len(set(items)), len(set(rows))) > 1 and len(set(heads)) == 1
    if not are_several or not all(map(_names_system, rows)) or {"{", "}", ANY} & set("".join(names)):
        return ""
    criteria, tail = _criteria(tails, list(zip(items, rows, strict=True)))
    n_all = len(set(items)) * len(set(rows)) * len(set(criteria))
    is_crossed = len(set(zip(items, rows, criteria, strict=True))) >= _NEARLY_ALL * n_all
    return f"{heads[0]}{{item}}{tail}[{{system}}]" if is_crossed else ""


def _names_system(row: str) -> bool:
    """Say whether a row of a grid is called as a system: by a letter, by such a word, or as a language model is.

    >>> _names_system("Model A"), _names_system("B"), _names_system("gpt-4"), _names_system("It is clear")
    (True, True, True, False)
    """
    first = row.partition(" ")[0].lower()
    return re.fullmatch("[A-Z]", row) is not None or first in _OF_SYSTEMS or are_models([row])


def _pattern_of_fields(names: Sequence[str]) -> str:
    """Return the pattern of most names that join item, system and maybe criterion by a sign; "" for none."""
    for sign, n_fields in product("_.-", (3, 2)):
        split = [fields for name in names if len(fields := name.strip().split(sign)) == n_fields and all(fields)]
        if 2 * len(split) <= len(names) or len(split) < _FEWEST_ASKED:
            continue
        values = [list(dict.fromkeys(column)) for column in zip(*split, strict=True)]
        is_crossed = len(set(map(tuple, split))) >= _NEARLY_ALL * math.prod(map(len, values))
        parts = _parts_of_fields([_kind_of_field(each) for each in values])
        if is_crossed and parts and all(len(each) > 1 for each in values):
            return sign.join(f"{{{part}}}" for part in parts)
    return ""


def _parts_of_fields(kinds: Sequence[str]) -> list[str]:
    """Return what each field of a name stands for; none if it cannot be told.

    Numbers beside items are those of criteria, and beside criteria those of items; names of nothing known are systems.

    >>> _parts_of_fields(["item", "name", "number"]), _parts_of_fields(["number", "name", "criterion"])
    (['item', 'system', 'criterion'], ['item', 'system', 'criterion'])
    >>> _parts_of_fields(["name", "number"])
    []
    """
    number = "criterion" if "item" in kinds else "item"
    parts = [{"name": "system", "number": number}.get(kind, kind) for kind in kinds]
    are_known = len(kinds) > 2 or "number" not in kinds
    is_told = {"system", "item"} <= set(parts) <= {"system", "item", "criterion"} and len(set(parts)) == len(parts)
    return parts if are_known and is_told else []


def _kind_of_field(values: Sequence[str]) -> str:
    """Return what the values of a field are: numbers, names, or what a word before their numbers tells; "" if unknown.

    >>> _kind_of_field(["1", "2"]), _kind_of_field(["art1", "art2"]), _kind_of_field(["gpt3", "gpt4"])
    ('number', 'item', 'name')
    >>> _kind_of_field(["model1", "model2"]), _kind_of_field(["fluency", "coherence"]), _kind_of_field(["q1", "q2"])
    ('system', 'criterion', 'criterion')
    """
    if all(map(str.isdecimal, values)):
        return "number"
    if all(map(names_value, values)):
        return "criterion"
    numbered = [match for value in values if (match := _STEMMED.fullmatch(value)) is not None]
    stems = {match[1].lower() for match in numbered}
    numbers = sorted(int(match[3]) for match in numbered)
    if len(numbered) < len(values) or len(stems) > 1 or numbers not in (_counted(0, values), _counted(1, values)):
        return "name"
    stem = stems.pop()
    if stem.endswith(_OF_SYSTEMS) or stem in _OF_QUESTION:
        return "system" if stem.endswith(_OF_SYSTEMS) else "criterion"
    return "" if stem in _OF_ANYTHING else "item"


def _counted(first: int, values: Sequence[str]) -> list[int]:
    return list(range(first, first + len(values)))


def _pattern_with_texts(names: Sequence[str]) -> str:
    """Return the pattern of most names that hold texts beside the marks of outputs; "" for none.

    Marks stand behind words that all these names have, as `Dialogue 1` and `Chatbot A`. What else tells the questions
    of an output apart, in the same words for each output, is the criterion.
    """
    kept = _marked_names(names)
    if 2 * len(kept) <= len(names):
        return ""
    fields = [_field(mark[1], mark[2]) for mark in kept[0][1]]
    if "system" not in fields or len(set(fields)) < len(fields):
        return ""
    outputs = [tuple(mark[2] for mark in marks) for _, marks in kept]
    pieces = [_pieces(name, [mark.span(2) for mark in marks]) for name, marks in kept]
    criteria, tail = _criteria([each[-1] for each in pieces], outputs)
    heads = [_with_any([each[place] for each in pieces]) for place in range(len(fields))]
    pattern = "".join(f"{head}{{{field}}}" for head, field in zip(heads, fields, strict=True)) + tail
    said = [
        dict(zip([*fields, *(["criterion"] if by else [])], [*marks, *([by] if by else [])], strict=True))
        for marks, by in zip(outputs, criteria, strict=True)
    ]
    n_all = math.prod(len(set(column)) for column in [*zip(*outputs, strict=True), criteria])
    is_crossed = len({tuple(each.values()) for each in said}) >= _NEARLY_ALL * n_all
    return pattern if is_crossed and [fields_of_name(pattern, name) for name, _ in kept] == said else ""


def _marked_names(names: Sequence[str]) -> list[tuple[str, list[re.Match[str]]]]:
    """Return the names with a mark behind each of the most frequent words before marks, and these marks in order.

    There are none if a name holds signs of a pattern.
    """
    marked = [(name, {match[1]: match for match in reversed([*_MARKED.finditer(name)])}) for name in names]
    counts = Counter(word for _, marks in marked for word in marks)
    most = max(counts.values(), default=0)
    of_word = {word: {marks[word][2] for _, marks in marked if word in marks} for word in counts}
    words = {word for word, count in counts.items() if count == most >= _FEWEST_ASKED and len(of_word[word]) > 1}
    if any(len(of_word[word]) > _MOST_LETTERS and not "".join(of_word[word]).isdigit() for word in words):
        return []  # letters of texts, and not of systems
    kept = [(name, [mark for word, mark in marks.items() if word in words]) for name, marks in marked]
    kept = [(name, sorted(marks, key=lambda mark: mark.start())) for name, marks in kept if len(marks) == len(words)]
    orders = {tuple(mark[1] for mark in marks) for _, marks in kept}
    are_plain = not any({"{", "}", ANY} & set(name) for name, _ in kept)
    return kept if words and len(orders) == 1 and are_plain else []


def _pieces(name: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return what stands before, between and behind parts of a text."""
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(name)]
    return [name[start:end] for start, end in zip(starts, ends, strict=True)]


def _with_any(texts: Sequence[str]) -> str:
    """Return a pattern of texts: what all begin and end with, and any text between.

    >>> _with_any([": a dog. How", ": a cat. How"]), _with_any(["is it?", "is it?"])
    (': a *. How', 'is it?')
    """
    if len(set(texts)) == 1:
        return texts[0]
    start, end = common_ends(texts)
    return f"{texts[0][:start]}{ANY}{texts[0][len(texts[0]) - end :]}"


def _criteria(tails: Sequence[str], outputs: Sequence[tuple[str, ...]]) -> tuple[list[str], str]:
    """Return the criterion of each name, "" for a single one, and the pattern of what stands behind the last mark.

    Args:
        tails: what stands there.
        outputs: the marks of each name.
    """
    of_output: dict[tuple[str, ...], list[str]] = {}
    for output, tail in zip(outputs, tails, strict=True):
        of_output.setdefault(output, []).append(tail)
    ends = {output: common_ends(asked) for output, asked in of_output.items()}
    pieces = []
    for output, tail in zip(outputs, tails, strict=True):
        start, end = ends[output]
        pieces.append((tail[:start], tail[start : len(tail) - end], tail[len(tail) - end :]))
    before, criteria, behind = (list(column) for column in zip(*pieces, strict=True))
    if not any(criteria):
        return criteria, _with_any(tails)
    return criteria, f"{_with_any(before)}{{criterion}}{_with_any(behind)}"


def _field(before: str, mark: str) -> str:
    """Return what a mark in a question stands for, by the mark and the words before it."""
    return "system" if mark.isalpha() or before.rstrip(" #:_-").lower().endswith(_OF_SYSTEMS) else "item"


def _is_grid(pairs: Sequence[tuple[str, str]]) -> bool:
    """Say whether nearly all pairs of two names or more with two numbers or more are there."""
    firsts, seconds = {first for first, _ in pairs}, {second for _, second in pairs}
    is_crossed = len(set(pairs)) >= _NEARLY_ALL * len(firsts) * len(seconds)
    return min(len(firsts), len(seconds)) >= _FEWEST and is_crossed
