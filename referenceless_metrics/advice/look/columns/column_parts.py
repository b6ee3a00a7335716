"""The part that the name of a column tells, and what speaks against a rating."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from referenceless_metrics.advice.look.columns.column import NUMBERS, Column, answers_shown, are_on_a_scale, is_number
from referenceless_metrics.advice.look.columns.column_kinds import FEW, LABELS
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.core.support.metric_names import METRICS, OF_JUDGES_ALONE, OF_JUDGES_OR_PEOPLE, OF_TASKS
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.source_columns import SOURCES

_REFERENCES_OF_TASKS = ("label", "labels", "answers", "expected", "ground_truth")

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

PARTS = {
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

_OF_ASSESSORS = re.compile(r"(?:raw|z)[._ -]?(?:scr|scores?)", re.IGNORECASE)
"""Names of columns of direct assessment: people's numbers as they are, and standardised for each."""

_MAY_BE_NUMBERS = ("item", "system", "rater", "cluster", "slice", "run", "criterion", "metric")


def part_called(name: str, kind: str, distinct: int, *, is_share: bool = False) -> str:
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
    for part, pattern in PARTS.items():
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
    if kind == "ids" and plain in BY_WORD["item"]:
        return "item"
    by_word = _part_by_words(words)
    if by_word and _allows(by_word, kind, distinct):
        return by_word
    if kind in NUMBERS and A_RATER.fullmatch(plain):
        return "rating of a rater"
    if kind in NUMBERS and any(re.fullmatch(PARTS["rating"], word) for word in words):
        return "score" if is_share and not _PEOPLES & set(words) else "rating"
    if kind in NUMBERS and any(re.fullmatch(PARTS["score"], word) for word in words):
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
    return part_called(column.name, column.kind, column.distinct)


A_RATER = re.compile(
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

BY_WORD = {
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

_VERSIONED = (*BY_WORD["system"], "prompt", "template", "llm", "agent", "assistant", "chatbot", "policy", "pipeline")
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
    return next((part for part, known in BY_WORD.items() if told & set(known)), "")


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
    return re.fullmatch(PARTS["comment"], name.rpartition(".")[2].lower()) is not None


def names_score(name: str) -> bool:
    """Say whether the name of a column is one of scores, as metrics have them.

    >>> names_score("metrics.rouge1"), names_score("seg1")
    (True, False)
    """
    return re.fullmatch(PARTS["score"], name.rpartition(".")[2].lower()) is not None


def names_value(name: str) -> bool:
    """Say whether the name of a column is one of ratings or scores, and so not that of a system.

    >>> names_value("fluency"), names_value("base")
    (True, False)
    """
    return part_called(name, NUMBERS[0], FEW) in ("rating", "score", "rating of a rater")


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
    return bool(answers) and (all(map(is_number, answers)) or are_on_a_scale(answers))


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
    return A_RATER.fullmatch(parted(name)) is not None


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
        return kind in NUMBERS or (kind == "labels" and distinct <= FEW)
    if part == "comment" and kind == "labels":
        return distinct > FEW
    if part in ("weight", "span"):
        return kind in NUMBERS or part == "span"
    if part in ("system", "rater"):
        return kind in ("whole numbers", "labels", "ids")
    if part in _MAY_BE_NUMBERS:
        return kind in ("whole numbers", "labels", "ids", "text")
    return kind in ("labels", "ids", "whole numbers", "numbers")
