"""Preferences between two outputs of a row: logs of arenas, judges and crowds.

The forms: https://huggingface.co/datasets/lmsys/chatbot_arena_conversations and mt_bench_human_judgments there
(`model_a`, `model_b`, `winner`), https://www.kaggle.com/competitions/lmsys-chatbot-arena (`winner_model_a`,
`winner_model_b`, `winner_tie`, of which one is 1), https://huggingface.co/datasets/PKU-Alignment/PKU-SafeRLHF
(`response_0`, `response_1`, `better_response_id`), github.com/WeOpenML/PandaLM (`response1`, `response2`, and a column
for each annotator, 0 for a tie), github.com/openai/summarize-from-feedback (two `summaries` and the `choice`),
github.com/ScalerLab/JudgeBench (`A>B`). A row has two texts, or the names of two systems, in columns whose names differ
in a mark, or two texts in columns that are named like systems; and a column that says which is better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.support.validation import InputError, Record, finite_number, shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import (
    BOTH_TEXTS,
    ITEM,
    PREFERENCE,
    RATER,
    SAMPLE,
    Answers,
    Export,
    TextPair,
    column_called,
)
from referenceless_metrics.human_evaluation.ratings.exports.pair_columns import (
    JoinedSystems,
    Pair,
    are_flags,
    are_systems,
    are_texts,
    are_turns,
    columns_of_questions,
    filled,
    flat_rows,
    joined_systems,
    pairs_of,
    unmarked_texts,
)
from referenceless_metrics.human_evaluation.ratings.exports.pair_flags import (
    YES,
    SideFlag,
    flag_of_first,
    flags_of_sides,
)
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES, side_share

TOOL = "pairs of outputs"

_DECIDING = re.compile(
    r"(?:.*[^a-z])?(?:better|prefer(?:red|ence|ences|s)?|best|winner|wins?|won|chosen|choices?|choose|votes?|verdict|"
    r"decisions?|decided|labels?|annotators?|annotations?|annot|human|raters?|judge|judge?ments?|selected|selection|gold|"
    r"pick(?:ed)?|favou?rite|outcome|answer|result|worker|coder)(?:[^a-z].*)?",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"(?:.*[^a-z])?(?:score|rating|slider|scale)", re.IGNORECASE)
"""Names of columns that, with numbers on both sides of 0, tell a preference between two named systems."""

_PREFERRING = re.compile(
    r"(?:.*[^a-z])?(?:better|prefer(?:red|ence|ences|s)?|best|winner|wins?|won|chosen|choice|choose|votes?|verdict|"
    r"decisions?|decided|pick(?:ed)?|favou?rite)(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of columns that say themselves that they tell a preference: they may prefer one side in all rows."""

_POSITION = re.compile(r"index|idx|position|pos|place|number|no|order|rank", re.IGNORECASE)
"""Fields that tell the place of an object in a list, and not which one is better."""

_FIRST = re.compile(r"overall|^(preference|preferred|winner|better|label|choice)$", re.IGNORECASE)
_WORSE = re.compile(r"worst|worse|least|reject|lose|loser", re.IGNORECASE)
_OF_RATER = re.compile(
    r"(.*(?:annotator|rater|worker|human|judge|coder|annot)(?=[ _.-]*\w{1,2}$)|"
    r".*(?:winner|vote|verdict|preference|preferred|choice)(?=[ _.-]*\d{1,2}$))[ _.-]*\w{1,2}",
    re.IGNORECASE,
)
_TURNS = re.compile(r"(?:.*\.)?(?:turn|round)(?:_?(?:id|no|number|index))?")
"""Names of columns of parts of an item, each of which is compared."""

_NAMED = re.compile(
    r"(?:the )?(?:response|output|model|answer|option|sentence|text|summary|translation|candidate|system|story|version|"
    r"hypothesis|reply|completion|generation)[ _-]?(\w+)"
)
"""Answers that name a side by a word, as `Sentence A`."""

_ITEMS = re.compile(
    r"(?:.*\.)?(item|question_id|prompt_id|comparison_id|pair_id|idx|example_id|id|qid|instance_id|conversation_id)"
)
_RATERS = re.compile(
    r"(?:.*\.)?(rater|annotator|worker|worker_id|workerid|annotator_id|evaluator|evaluator_id|user_id|judge|judge_hash|evaluation_session_id)"
)
_SOURCES = re.compile(r"(?:.*\.)?(prompt|instruction|question|query|context|source|input|post|article|history)")
_ID = re.compile(r"(?:.*[^a-z])?(?:id|uid|uuid|key|index|idx|number|no|nr)", re.IGNORECASE)
_RELATION = re.compile(r"(\w+)\s*([<>=~]{1,2})\s*(\w+)")
_SYMBOLS = {">": "a", ">>": "a", "<": "b", "<<": "b", "=": "tie", "==": "tie", "~": "tie"}
_JUDGED_TIE = "[[C]]"
"""The tie among the answers that MT-Bench asks a judge for, `[[A]]`, `[[B]]` and `[[C]]`."""

_TIED = frozenset(word for word, share in SIDES.items() if share == 0.5)
_WON = (
    *(("winner", "loser"), ("won", "lost"), ("winning", "losing"), ("chosen", "rejected"), ("better", "worse")),
    *(("preferred", "rejected"), ("preferred", "dispreferred"), ("accepted", "rejected")),
)
"""Words for the output that is preferred, and the other, in names of columns of their systems."""

_WON_ALONE = _WON[:2]
"""Those that name systems without a word for them."""

_WORDS_OF_SYSTEM = frozenset(("model", "system", "generator", "policy", "name", "id"))

_STRENGTH = re.compile(
    r"(?:response |output |model |answer |option )?(\w+)(?: is)?(?: (?:much|slightly|somewhat|significantly|clearly|"
    r"far|a bit|a lot|marginally))? (?:better|preferred)(?: than .*)?|"
    r"(?:(?:strongly|slightly|somewhat|clearly|much) )?prefers? (?:response |output |model |answer |option )?(\w+)"
)
"""Preferences with their strength, as `A is much better` and `slightly prefer B`."""

_OWN_SYSTEM = re.compile(r"(?:.*\.)?(?:system|model|candidate|ours|method)(?:_?(?:name|id))?")
_OPPONENT = re.compile(r"(?:.*\.)?(?:opponent|baseline|against|versus|competitor|rival)(?:_?(?:model|system|name|id))*")

_NO_ITEMS = "nothing tells which comparisons are of one item: each counts as an item of its own"

_OWN = {"system_a", "system_b"}
"""Columns of a table of preferences: it is no export, unless yes and no tell which system is better."""


class _Sides(NamedTuple):
    """Columns that tell a comparison of two outputs.

    Attributes:
        texts: the columns of the two texts; None if only systems are named.
        systems: the columns of the names of systems; None if nothing names them.
        decisions: the columns that say which output is better.
        flags: one column for each output, of which that of the better output is 1; None if there are none.
        numbers: columns of numbers on a scale, whose direction nothing tells.
        yes_no: the columns of yes and no whose names say which output is better, by a criterion each or overall.
    """

    texts: Pair | None
    systems: Pair | None
    decisions: tuple[str, ...]
    flags: Pair | None
    numbers: tuple[str, ...]
    yes_no: tuple[SideFlag, ...] = ()

    @property
    def pair(self) -> Pair:
        """The two texts, or else the two systems."""
        found = self.texts or self.systems
        assert found is not None
        return found

    @property
    def marks(self) -> list[Pair]:
        """The pairs whose names and marks may say which output is meant."""
        return _marks_of(self.texts, self.systems)


def _marks_of(texts: Pair | None, systems: Pair | None) -> list[Pair]:
    return [pair for pair in (texts, systems) if pair is not None]


def recognises(export: Export) -> bool:
    """Say whether rows have two outputs and name the better one."""
    return _won(export) is not None or _sides_of(export) is not None


def _won(export: Export) -> tuple[str, str] | None:
    """Return the columns that name the system that won and the one that lost; None if there are none."""
    rows = flat_rows(export.rows[:SAMPLE])
    columns = list(dict.fromkeys(name for row in rows for name in row))
    words = {name: re.findall(r"[a-z]+", name.lower()) for name in columns}
    for better, worse in _WON:
        for first in (name for name in columns if better in words[name]):
            told = [word for word in words[first] if word != better]
            if not (_tells_system(told) if told else (better, worse) in _WON_ALONE):
                continue
            beaten = [worse if word == better else word for word in words[first]]
            second = next((name for name in columns if words[name] == beaten), None)
            cells = [] if second is None else filled(flat_rows(export.rows), [first, second])
            if second is not None and cells and len(set(cells)) * 2 <= len(cells):
                return first, second
    return None


def _tells_system(words: Sequence[str]) -> bool:
    """Say whether words of a column's name are for a system, and nothing but its name."""
    return _WORDS_OF_SYSTEM.issuperset(words) and not set(words) <= {"name", "id"}


def _source_of(columns: Sequence[str], rows: Sequence[Record]) -> str | None:
    """Return the column of sources with the most different ones, so that data sets are none; None without any."""
    named = [name for name in columns if _SOURCES.fullmatch(name.lower())]
    return max(named, key=lambda name: len({str(row.get(name)) for row in rows}), default=None)


def _sides_of(export: Export) -> _Sides | None:
    rows = flat_rows(export.rows[:SAMPLE])
    columns = list(dict.fromkeys(name for row in rows for name in row))
    pairs = [pair for pair in pairs_of(columns) if not are_turns(pair, rows)]
    texts = next((pair for pair in pairs if are_texts(pair, rows)), None)
    systems = _systems_of(rows, pairs, texts)
    if texts is None and systems is None:
        return _of_opponents(columns, rows) or _of_unmarked(columns, rows)
    marks = _marks_of(texts, systems)
    paired = {column for pair in pairs for column in pair.columns} - columns_of_questions(export.rows)
    flags = next(
        (
            pair
            for pair in pairs
            if are_flags(pair, rows)
            and _may_decide(pair.pattern)
            and pair.marks == marks[0].marks
            and (_PREFERRING.fullmatch(pair.pattern) or _flag_both(pair, rows))
        ),
        None,
    )
    outputs = {column for pair in marks for column in pair.columns}
    yes_no = () if flags else _flags_of([name for name in columns if name not in outputs], rows, marks)
    named = [name for name in columns if name not in paired and _may_decide(name)]
    named = [name for name in named if name not in [flag.column for flag in yes_no]]
    of_raters = [name for name in columns if name in paired and _OF_RATER.fullmatch(name)]
    relating = [pair.columns[0] for pair in pairs if _are_relations(filled(rows, pair.columns))]
    candidates = [name for name in (*named, *of_raters, *relating) if _decides(filled(rows, [name]), marks)]
    candidates = [name for name in candidates if _tells_sides(name, candidates, rows, marks)]
    deciding = [] if _are_codes(filled(rows, candidates), marks) else candidates
    single = [name for name in deciding if not _are_ties(filled(rows, [name]), marks)]
    deciding = (single and _of_raters(deciding)) or sorted(single, key=lambda name: not _FIRST.search(name))
    if deciding:
        yes_no = ()
    if set(export.columns) >= _OWN and not yes_no:
        return None
    is_told = deciding or flags or yes_no
    numbers = () if is_told else tuple(name for name in named if _are_on_scale(filled(rows, [name])))
    if not is_told and not numbers and texts is not None and systems is not None:
        signed = [name for name in columns if name not in paired and _SIGNED.fullmatch(name)]
        numbers = tuple(
            name for name in signed if "-" in "".join(cells := filled(rows, [name])) and _are_on_scale(cells)
        )
    if not is_told and not numbers:
        return None
    return _Sides(texts, systems, tuple(deciding), flags, numbers, yes_no)


def _flags_of(columns: Sequence[str], rows: Sequence[Record], marks: Sequence[Pair]) -> tuple[SideFlag, ...]:
    """Return the columns of yes and no whose names say which output is better, those first that are called overall."""
    found = flags_of_sides(columns, rows, marks)
    return tuple(sorted(found, key=lambda flag: not _FIRST.search(flag.column)))


def _may_decide(column: str) -> bool:
    """Say whether a column's name shows that it tells which output is better."""
    if _POSITION.fullmatch(_own_name(column)):
        return False
    return _DECIDING.fullmatch(column) is not None and _WORSE.search(column) is None


def _own_name(column: str) -> str:
    """Return the name of a field without those of the objects around it."""
    return column.rpartition(".")[2]


def _tells_sides(name: str, among: Sequence[str], rows: Sequence[Record], marks: Sequence[Pair]) -> bool:
    """Say whether a column prefers each side somewhere, or has a name that says that it tells a preference.

    A column of one value may hold anything. Columns of raters, as `annotator1`, are one column.
    """
    if _PREFERRING.fullmatch(_own_name(name)):
        return True
    stems = {each: match[1] for each in among if (match := _OF_RATER.fullmatch(each))}
    alike = [each for each in among if each == name or (name in stems and stems.get(each) == stems[name])]
    return {_verdict(cell, marks) for cell in filled(rows, alike)} >= {"a", "b"}


def _of_opponents(columns: Sequence[str], rows: Sequence[Record]) -> _Sides | None:
    """Return the sides of rows with a system, its opponent, and whether it won."""
    own = column_called(columns, _OWN_SYSTEM)
    opponent = column_called(columns, _OPPONENT)
    if own is None or opponent is None:
        return None
    won = flag_of_first([name for name in columns if name not in (own, opponent)], rows)
    systems = Pair("", (own, opponent), (own.lower(), opponent.lower()))
    return None if won is None else _Sides(None, systems, (), None, (), (won,))


def _of_unmarked(columns: Sequence[str], rows: Sequence[Record]) -> _Sides | None:
    """Return the sides of rows with two texts, whose columns are called as systems, and a column that names one."""
    others = [name for name in columns if not _SOURCES.fullmatch(name.lower())]
    texts = unmarked_texts(others, rows)
    if texts is None:
        return None
    yes_no = _flags_of([name for name in others if name not in texts.columns], rows, [texts])
    if yes_no:
        return _Sides(texts, None, (), None, (), yes_no)
    known = {*texts.marks, *_TIED}
    deciding = [
        name
        for name in others
        if _may_decide(name)
        and (cells := {cell.lower() for cell in filled(rows, [name])}) <= known
        and not cells <= _TIED
        and _tells_sides(name, others, rows, [texts])
    ]
    return _Sides(texts, None, tuple(deciding), None, ()) if deciding else None


def _flag_both(pair: Pair, rows: Sequence[Record]) -> bool:
    """Say whether each column of flags is 1 somewhere."""
    return all({cell.lower() for cell in filled(rows, [name])} & YES for name in pair.columns)


def _are_codes(cells: Sequence[str], marks: Sequence[Pair]) -> bool:
    """Say whether cells are 0 and 1 beside outputs 1 and 2.

    0 may then be the second output, or the first of two that are counted from 0; with a 2 somewhere it is a tie.
    """
    codes = {re.sub(r"\.0+$", "", cell) for cell in cells}
    return "0" in codes and codes <= {"0", "1"} and all(pair.marks == ("1", "2") for pair in marks)


def _systems_of(rows: Sequence[Record], pairs: Sequence[Pair], texts: Pair | None) -> Pair | None:
    """Return the columns that name the systems of two outputs: those with the marks of the texts."""
    found = [pair for pair in pairs if are_systems(pair, rows) and (texts is None or pair.marks == texts.marks)]
    return found[0] if found else None


def _of_raters(columns: Sequence[str]) -> list[str]:
    """Return the columns that are one for each rater: those of the first name that several share."""
    stems = [match[1] if (match := _OF_RATER.fullmatch(name)) else "" for name in columns]
    shared = next((stem for stem in stems if stem and stems.count(stem) > 1), None)
    return [name for name, stem in zip(columns, stems, strict=True) if shared is not None and stem == shared]


def _decides(cells: Sequence[str], marks: Sequence[Pair]) -> bool:
    return bool(cells) and all(_verdict(cell, marks) is not None for cell in cells)


def _are_relations(cells: Sequence[str]) -> bool:
    """Say whether cells relate both sides, as `A>B`: two such columns are two runs of a judge, maybe in both orders."""
    return bool(cells) and all(_RELATION.fullmatch(cell) for cell in cells)


def _are_ties(cells: Sequence[str], marks: Sequence[Pair]) -> bool:
    return all(_verdict(cell, marks) == "tie" for cell in cells)


def _are_on_scale(cells: Sequence[str]) -> bool:
    """Say whether cells are numbers of which some are negative, or shares: a preference's strength."""
    numbers = [finite_number(cell) for cell in cells]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers) or not known:
        return False
    return min(known) < 0 < max(known) or set(known) == {0.0, 1.0}


def _verdict(cell: object, marks: Sequence[Pair]) -> str | None:
    """Return the verdict of a cell: `a`, `b` or `tie`; None for anything else."""
    word = re.sub(r"(?<=\d)\.0+$", "", str(cell).strip().strip("[]").strip().lower())
    for pair in marks:
        for side, mark, column in zip("ab", pair.marks, pair.columns, strict=True):
            names = {mark, column.lower(), column.lower().rpartition(".")[0]}
            names |= {
                f"{stem}{sign}{mark}" for stem in ("response", "output", "model", "option") for sign in ("", " ", "_")
            }
            if word in names:
                return side
    if str(cell).strip() == _JUDGED_TIE and any(pair.marks == ("a", "b") for pair in marks):
        return "tie"
    relation = _RELATION.fullmatch(word)
    if relation is not None:
        first, second = _verdict(relation[1], marks), _verdict(relation[3], marks)
        told = _SYMBOLS.get(relation[2])
        if {first, second} != {"a", "b"} or told is None:
            return None
        return told if told == "tie" or first == "a" else "b" if told == "a" else "a"
    strength = _STRENGTH.fullmatch(word)
    if strength is not None:
        return _verdict(strength[1] or strength[2], marks)
    named = _NAMED.fullmatch(word)
    if named is not None and word not in SIDES:
        return _verdict(named[1], marks)
    if word == "0" and all(pair.marks == ("1", "2") for pair in marks):
        return "tie"
    share = side_share(word)
    return {None: None, 1: "a", 0: "b", 0.5: "tie"}[share]


def option_lists(export: Export) -> list[list[str]]:
    """Return the options with which `human-score` reads pairs, a list for each way: of a criterion, or of a direction.

    There is one without options if each column that says which output is better is of a rater.
    """
    if _won(export) is not None:
        return [[]]
    sides = _sides_of(export)
    assert sides is not None
    if sides.numbers:
        ends = (["--a-is", "high"], ["--a-is", "low"])
        return [["--preference-column", name, *_scale_of(export, name), *end] for name in sides.numbers for end in ends]
    if sides.decisions and not _of_raters(sides.decisions):
        return [["--preference-column", name] for name in sides.decisions]
    if len(sides.yes_no) > 1:
        return [["--preference-column", flag.column] for flag in sides.yes_no]
    return [[]]


def are_by_criteria(export: Export) -> bool:
    """Say whether the columns that tell the better output are of a criterion each, and not of judges."""
    sides = None if _won(export) is not None else _sides_of(export)
    return sides is not None and len(sides.yes_no) > 1


def _scale_of(export: Export, name: str) -> list[str]:
    """Return the option that names the ends of a scale that does not lie around 0."""
    numbers = [finite_number(cell) or 0.0 for cell in filled(flat_rows(export.rows[:SAMPLE]), [name])]
    return ["--scale", "0-1"] if set(numbers) == {0.0, 1.0} else []


def convert(export: Export) -> Answers:
    """Return a row for each comparison and rater, with the columns of preferences.

    Raises:
        InputError: for a cell that names neither output.
    """
    won = _won(export)
    if won is not None:
        return _converted(export, won)
    sides = _sides_of(export)
    assert sides is not None
    answers = Answers(questions={PREFERENCE: None} if not sides.numbers else dict.fromkeys(sides.numbers))
    rows = flat_rows(export.rows)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    source = _source_of(columns, rows) or ""
    texts = sides.texts.columns if sides.texts is not None and sides.texts.pattern else None
    item = column_called(columns, _ITEMS) or _source_of(columns, rows)
    rater = column_called([name for name in columns if name not in sides.decisions], _RATERS)
    items = _ids_of_items(sides, columns, rows, rater) if item is None else [item]
    deciding = sides.decisions if _of_raters(sides.decisions) else sides.decisions[:1]
    named = sides.systems.columns if sides.systems is not None else None
    joined = _joined_of(sides, columns, rows)
    turn = (
        None if item is None or named is None else _turn_of(columns, rows, [item, *named, *([rater] if rater else [])])
    )
    for number, row in enumerate(rows, 1):
        where = f"{export.source}, row {number}"
        names: tuple[Any, Any] = sides.pair.systems
        if named is not None:
            names = row.get(named[0]), row.get(named[1])
        elif joined is not None:
            names = joined.names(row.get(joined.column))
        if names[0] == names[1]:
            answers.leave_out("rows with two outputs of one system")
            continue
        told = dict(row)
        for name in sides.decisions:
            told[name] = _preferred(row.get(name), sides, name, where, is_needed=name in deciding)
        for flag in sides.yes_no:
            told[flag.column] = _verdict_of(flag, row.get(flag.column), where)
        ids = [row.get(name) for name in items]
        told[ITEM] = (
            number if not ids or any(map(is_blank, ids)) else ids[0] if len(ids) == 1 else " / ".join(map(str, ids))
        )
        if turn is not None:
            told[ITEM] = f"{told[ITEM]}/{row.get(turn)}"
        if rater is not None:
            told[RATER] = row.get(rater)
        told |= {"system_a": names[0], "system_b": names[1]}
        if texts is not None and named is None and joined is None:
            written = (str(row.get(name) or "").strip() for name in (*texts, source))
            told[BOTH_TEXTS] = TextPair(*written)
        _add(answers, told, sides, deciding, where)
    answers.notes += [*_notes(rows, sides, deciding, items, joined), *_on_answers(rows, sides, deciding)]
    if turn is not None:
        answers.holder = str(item)
        answers.notes.append(f"an item is {item!r} with {turn!r}, each of which is compared")
    return answers


def _ids_of_items(sides: _Sides, columns: Sequence[str], rows: Sequence[Record], rater: str | None) -> list[str]:
    """Return the fewest columns of ids, of two at most, that tell items: within each, both outputs are the same.

    There are none if no item is in several rows, or if one has several rows of a rater.
    """
    if sides.texts is None:
        return []
    ids = [name for name in columns if _ID.fullmatch(name) and name != rater]
    pairs = [tuple(str(row.get(name)) for name in sides.texts.columns) for row in rows]
    raters = [str(number if rater is None else row.get(rater)) for number, row in enumerate(rows)]
    for names in (*((name,) for name in ids), *combinations(ids, 2)):
        keys = [tuple(str(row.get(name)) for name in names) for row in rows]
        n_items = len(set(keys))
        are_told = n_items == len(set(zip(keys, pairs, strict=True))) and n_items < len(rows)
        if are_told and len(set(zip(keys, raters, strict=True))) == len(rows):
            return list(names)
    return []


def _turn_of(columns: Sequence[str], rows: Sequence[Record], keys: Sequence[str]) -> str | None:
    """Return the column of turns, if comparisons of the same keys are of several turns; else None."""
    turn = column_called(columns, _TURNS)
    if turn is None or turn in keys:
        return None
    told = [tuple(str(row.get(name)) for name in keys) for row in rows]
    whole = {(key, str(row.get(turn))) for key, row in zip(told, rows, strict=True)}
    return turn if len(set(told)) < len(told) == len(whole) else None


def _joined_of(sides: _Sides, columns: Sequence[str], rows: Sequence[Record]) -> JoinedSystems | None:
    """Return the column that joins the names of both systems, if none names them alone."""
    if sides.systems is not None or not sides.pair.pattern:
        return None
    used = {*sides.pair.columns, *sides.decisions, *sides.numbers, *(sides.flags.columns if sides.flags else ())}
    others = [name for name in columns if name not in used]
    joined = joined_systems(others, rows[:SAMPLE])
    if joined is None or any(str(row.get(joined.column)).count(joined.sign) != 1 for row in rows):
        return None
    return joined


def _converted(export: Export, won: tuple[str, str]) -> Answers:
    """Return a row for each comparison whose winner and loser are named.

    Without ids, sources that repeat are the items.
    """
    answers = Answers(questions={PREFERENCE: None})
    rows = flat_rows(export.rows)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    item, rater = column_called(columns, _ITEMS), column_called(columns, _RATERS)
    if item is None:
        source = _source_of(columns, rows)
        cells = [] if source is None else [row.get(source) for row in rows]
        are_repeated = not any(map(is_blank, cells)) and len(set(map(str, cells))) < len(cells)
        item = source if are_repeated else None
    for number, row in enumerate(rows, 1):
        if is_blank(row.get(won[0])) or is_blank(row.get(won[1])) or row[won[0]] == row[won[1]]:
            answers.leave_out("rows without two systems")
            continue
        told = {**row, ITEM: number if item is None else row.get(item)}
        if rater is not None:
            told[RATER] = row.get(rater)
        answers.rows.append({**told, "system_a": row[won[0]], "system_b": row[won[1]], PREFERENCE: "a"})
    answers.notes.append(f"{won[0]!r} names the system that is preferred to that in {won[1]!r}; there are no ties")
    answers.notes.append(_NO_ITEMS if item is None else f"an item is {item!r}")
    return answers


def _add(answers: Answers, told: Record, sides: _Sides, deciding: Sequence[str], where: str) -> None:
    """Add a comparison, once for each rater."""
    if sides.flags is not None and not deciding:
        answers.rows.append({**told, PREFERENCE: _flagged(told, sides.flags, where)})
    elif sides.yes_no:
        _add_yes_no(answers, told, sides.yes_no[0])
    elif not deciding:
        answers.rows.append(told)
    for name in deciding:
        if told[name] is None:
            answers.leave_out(f"rows without an answer in {name!r}")
            continue
        of_rater = {RATER: name} if len(deciding) > 1 else {}
        answers.rows.append({**told, **of_rater, PREFERENCE: told[name]})


def _add_yes_no(answers: Answers, told: Record, flag: SideFlag) -> None:
    """Add a comparison whose better output a column of yes and no tells."""
    if told[flag.column] is None:
        answers.leave_out(f"rows without an answer in {flag.column!r}")
        return
    answers.rows.append({**told, PREFERENCE: told[flag.column]})


def _verdict_of(flag: SideFlag, cell: object, where: str) -> str | None:
    """Return the output that a cell of yes and no prefers; None for a blank cell.

    Raises:
        InputError: for a cell that says neither.
    """
    if is_blank(cell):
        return None
    verdict = flag.verdict(cell)
    if verdict is None:
        raise InputError(f"{where}: expected yes or no in column {flag.column!r}, got {shortened(str(cell), 60)!r}")
    return verdict


def _preferred(cell: object, sides: _Sides, column: str, where: str, *, is_needed: bool) -> object:
    """Return the output that a cell prefers; None for a blank cell, and other cells as they are if none is needed.

    Raises:
        InputError: for a cell that is needed and names neither output.
    """
    if is_blank(cell):
        return None
    verdict = _verdict(cell, sides.marks)
    if verdict is None and not is_needed:
        return cell
    if verdict is None:
        first, second = sides.pair.marks
        raise InputError(
            f"{where}: expected {first} or {second} in column {column!r}, got {shortened(str(cell), 60)!r}"
        )
    return verdict


def _flagged(row: Record, flags: Pair, where: str) -> str:
    """Return the output whose column is 1; a tie if neither is."""
    on = [str(row.get(name)).strip().lower() in YES for name in flags.columns]
    if all(on):
        raise InputError(f"{where}: expected one of {', '.join(flags.columns)} to be 1, but 2 are")
    return "a" if on[0] else "b" if on[1] else "tie"


def _on_wins(flag: SideFlag, systems: tuple[str, str], rows: Sequence[Record]) -> str:
    better, other = systems if flag.side == "a" else systems[::-1]
    told = f"{flag.column!r} tells wins of {better!r} (yes, win) and of {other!r} (no, lose)"
    if any(flag.verdict(row.get(flag.column)) == "tie" for row in rows):
        return f"{told}, and ties"
    return f"{told}; if no may be a tie as well, the win rate of {other!r} is too high"


def _on_answers(rows: Sequence[Record], sides: _Sides, deciding: Sequence[str]) -> list[str]:
    """Return notes on answers in other words than `tie` that count as ties, and on degrees, which do not count."""
    cells = list(
        dict.fromkeys(str(row.get(name)).strip() for row in rows for name in deciding if not is_blank(row.get(name)))
    )
    ties = [cell for cell in cells if cell.lower() != "tie" and _verdict(cell, sides.marks) == "tie"]
    notes = [f"{', '.join(map(repr, ties))} count{'s' * (len(ties) == 1)} as a tie"] if ties else []
    named = [{cell.lower() for cell in cells if _verdict(cell, sides.marks) == side} for side in "ab"]
    if any(len(words) > 1 and any(map(_tells_degree, words)) for words in named):
        told = shortened(", ".join(map(repr, cells)), 120)
        notes.append(f"{told}: each answer counts for a side or as a tie, however much better an output is")
    return notes


def _tells_degree(word: str) -> bool:
    """Say whether a preference tells how much better an output is, or may in other rows.

    >>> [_tells_degree(word) for word in ("a is much better", "[[a>>b]]", "a", "[[a>b]]")]
    [True, True, False, False]
    """
    return _STRENGTH.fullmatch(word) is not None or ">>" in word or "<<" in word


def _notes(
    rows: Sequence[Record],
    sides: _Sides,
    deciding: Sequence[str],
    items: Sequence[str],
    joined: JoinedSystems | None,
) -> list[str]:
    first, second = sides.pair.columns
    notes = []
    if deciding:
        told = ", ".join(map(repr, deciding))
        marks = f"{sides.pair.marks[0]} is {first!r}, {sides.pair.marks[1]} {second!r}"
        tell = "tell the better output" if len(deciding) > 1 else "tells the better output"
        notes.append(f"{told} {tell}: {marks}" + ("; each is a rater" if len(deciding) > 1 else ""))
    elif sides.flags is not None:
        notes.append(
            f"of {' and '.join(map(repr, sides.flags.columns))}, that of the better output is 1; none is a tie"
        )
    notes += [_on_wins(flag, sides.pair.systems, rows) for flag in sides.yes_no]
    if sides.numbers:
        notes.append(
            f"numbers in {', '.join(map(repr, sides.numbers))} are preferences on a scale, and nothing tells which end "
            f"prefers {first!r}: name the column and the end, --preference-column {sides.numbers[0]} --a-is low or high"
        )
    if joined is not None:
        notes.append(
            f"{joined.column!r} joins the names of both systems by {joined.sign!r}: the first is taken to be that of "
            f"{first!r}"
        )
    elif sides.systems is None and sides.pair.pattern:
        notes.append(
            f"no column names the systems: {first!r} and {second!r} count as two, which says which place is preferred, "
            "and not which system, unless each system has its own column"
        )
    if not items:
        notes.append(_NO_ITEMS)
    elif len(items) > 1:
        notes.append(f"an item is {' with '.join(map(repr, items))}, within which both outputs are the same")
    others = [name for name in sides.decisions if name not in deciding]
    if others:
        notes.append(f"not used: {', '.join(map(repr, others))} (--preference-column)")
    return notes
