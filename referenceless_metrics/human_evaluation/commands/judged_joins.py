"""Joins of scores or outputs with people's ratings, by item and system or by text; and the systems of files.

Where both files hold the texts, these show whether an item of the one is the same item of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from referenceless_metrics.core.files.names import alike_but_for_ends, alike_told, file_names
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs, aliases
from referenceless_metrics.human_evaluation.judges.item_numbers import check_count_alike
from referenceless_metrics.human_evaluation.judges.judged_outputs import FEWEST_OUTPUTS, KEYS, without_documents
from referenceless_metrics.human_evaluation.ratings.rated_places import items_of_texts, plain_text
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

_TEXTS = (
    "items are not known in both files: scores and ratings are joined by the text of the output (--item-column names a "
    "column of items)"
)
_LEAST_SHARE = 0.5
"""Least share of outputs that the other file must have, of the scores or of the ratings."""

_MOST_UNLIKE = 0.2
"""Largest share of scores that may be of texts with several scores: of more, texts do not tell outputs."""


def as_systems(frames: Mapping[str, pd.DataFrame], ratings: pd.DataFrame) -> pd.DataFrame | None:
    """Return the scores of several files as those of one metric, if each file has other systems; None else.

    A file that names no system has the one that it is called as, if the ratings have it, and else the one whose texts
    it has.

    Args:
        frames: the scores in each file, which have one name, by the file.
        ratings: rows with `rating` and, as far as they are known, `system` and `text`.
    """
    import pandas as pd

    names = file_names(list(frames))
    known = systems_in(ratings)
    known += alike_but_for_ends(names, known)  # `called_as_rated` gives them the names of the ratings
    named = [
        _with_system_of_texts(with_file_as_system(frame, name, known), ratings)
        for frame, name in zip(frames.values(), names, strict=True)
    ]
    if len(named) < 2 or not all("system" in frame for frame in named):
        return None
    systems = [set(frame["system"].astype(str)) for frame in named]
    if len(set.union(*systems)) < sum(map(len, systems)):
        return None
    return pd.concat(named, join="inner", ignore_index=True)


def with_file_as_system(frame: pd.DataFrame, name: str, known: Sequence[str]) -> pd.DataFrame:
    """Return scores without systems as those of the system that their file is called as, if the ratings have it."""
    system = system_called(name, known)
    return frame if "system" in frame or system is None else frame.assign(system=system)


def system_called(name: str, known: Sequence[str]) -> str | None:
    """Return the system that a file is called as, with words behind its name or without; None for none.

    >>> system_called("tower.comet", ["nllb", "tower"]), system_called("GPT-4.1", ["GPT-4"])
    ('tower', None)
    """
    while name not in known:
        name, _, word = name.rpartition(".")
        if not name or not word[:1].isalpha():
            return None
    return name


def called_as_rated(frame: pd.DataFrame, known: Sequence[str]) -> tuple[pd.DataFrame, str]:
    """Return scores whose systems are called as in the ratings, if the names differ only by the ends that all share.

    Returns:
        The scores, and a note that tells which system is which; "" for scores that stay as they are.
    """
    alike = alike_but_for_ends(systems_in(frame), known)
    if not alike:
        return frame, ""
    return frame.assign(system=frame["system"].astype(str).replace(alike)), alike_told(alike)


def systems_in(ratings: pd.DataFrame) -> list[str]:
    """Return the systems of ratings; none if they name none."""
    return list(map(str, ratings["system"].unique())) if "system" in ratings else []


def _with_system_of_texts(frame: pd.DataFrame, ratings: pd.DataFrame) -> pd.DataFrame:
    """Return scores without systems as those of the only system whose outputs are all of their rated texts, if any."""
    if "system" in frame or "text" not in frame or not {"system", "text"} <= set(ratings):
        return frame
    texts = set(frame["text"].dropna().map(plain_text))
    rated = ratings[["system", "text"]].dropna()
    rated = rated.assign(text=rated["text"].map(plain_text))
    rated = rated[rated["text"].isin(texts)]
    n_of_system = rated.groupby("system")["text"].nunique()
    having_all = n_of_system.index[n_of_system == rated["text"].nunique()].tolist()
    return frame.assign(system=having_all[0]) if len(having_all) == 1 else frame


def with_outputs(ratings: RatingTable, outputs: Outputs, items: Sequence[str]) -> RatingTable:
    """Return ratings of systems and items with the texts of the outputs that they are of.

    The item of each is the place of its output, from 1. Rated outputs that are not there are left out, with a note.

    Args:
        ratings: ratings without texts.
        outputs: each system's name and outputs.
        items: the item of each output, the same for all systems.

    Raises:
        InputError: like `joinable`, for items that stand twice, and for ratings of none of the items.
    """
    import pandas as pd

    if len(set(items)) < len(items):
        twice = next(item for item, n in Counter(items).items() if n > 1)
        raise InputError(
            f"several outputs of a system are of item {twice!r}: name the columns that tell it (--item-column)"
        )
    called = {alias: name for name, _ in outputs for alias in aliases(name)}
    systems = ratings.frame["system"].astype(str).str.strip()
    frame = ratings.frame.assign(system=systems.map(lambda name: called.get(name, name)))
    rows = [
        (name, item, place, text)
        for name, texts in outputs
        for place, (item, text) in enumerate(zip(items, texts, strict=True), 1)
    ]
    given = pd.DataFrame(rows, columns=[*KEYS, "place", "output"])
    given, rated, _ = joinable(given, frame, ratings.source, "outputs")
    joined = _named(rated, KEYS).merge(_named(given, KEYS)[[*KEYS, "place", "output"]], how="left", on=KEYS)
    is_of_system = joined["system"].isin({name for name, _ in outputs})
    is_found = joined["place"].notna()
    if is_of_system.any() and not is_found.any():
        first = joined.loc[is_of_system, "item"].iloc[0]
        raise InputError(
            f"{ratings.source}: no rating is of an output: ratings are of items such as {first!r}, and "
            f"outputs of items such as {items[0]!r}; name the column that tells one item in both (--item-column)"
        )
    strange = joined.loc[is_of_system & ~is_found, KEYS].drop_duplicates()
    if len(strange):
        tell([f"{ratings.source}: {len(strange)} rated outputs are of items without outputs, and do not count"])
    joined = joined[is_found | ~is_of_system]
    places = joined["place"].fillna(0).astype(int).astype(str)
    return replace(ratings, frame=joined.assign(item=places, text=joined["output"].fillna("")))


def numbered_outputs(ratings: RatingTable, n: int, *, are_said: bool = False) -> list[str] | None:
    """Return the item of each output of files without items, if the ratings' items number them from 1.

    They do if they reach from 1 to the number of outputs, or if the user says that they do.

    Args:
        ratings: the ratings.
        n: number of outputs of each system.
        are_said: whether the user names the column of items, although outputs are lines and have none.

    Returns:
        The items, as ratings name them; None if these are called otherwise, or are not known to number the outputs.
    """
    numbers = _numbers_of_items(ratings)
    if not numbers:
        return None
    ends = (min(numbers), max(numbers))
    if ends == (1, n):
        tell([f"{ratings.source}: items are numbers from 1 to {n}, as many as outputs: item n is the n-th output"])
    elif are_said and ends[0] >= 1 and ends[1] <= n:
        tell(
            [
                f"{ratings.source}: items are numbers from {ends[0]} to {ends[1]}: item n is the n-th of the {n} "
                "outputs, the first being item 1; if they count from 0, add 1 to each"
            ]
        )
    else:
        return None
    return [str(number) for number in range(1, n + 1)]


def on_numbers(ratings: RatingTable, n: int, column: str) -> str:
    """Return what to do if items may number the outputs in files of lines, as the end of a message; "" if they do not.

    Args:
        ratings: the ratings.
        n: number of outputs of each system.
        column: the column of items.
    """
    numbers = _numbers_of_items(ratings)
    if not numbers or max(numbers) > n:
        return ""
    told = f"items are numbers from {min(numbers)} to {max(numbers)}, and there are {n} outputs: if item "
    if 0 in numbers:
        return f"{told}0 is the first of them, add 1 to each item, and give --item-column {quote(column)}"
    return f"{told}1 is the first of them, say so by --item-column {quote(column)}"


def _numbers_of_items(ratings: RatingTable) -> set[int]:
    """Return the numbers that items of ratings are; none if some are called otherwise."""
    names = {str(item).strip() for item in without_documents(ratings.frame).get("item", ())}
    return set(map(int, names)) if all(name.isascii() and name.isdecimal() for name in names) else set()


def joinable(
    scores: pd.DataFrame, ratings: pd.DataFrame, source: str, what: str = "scores"
) -> tuple[pd.DataFrame, pd.DataFrame, bool]:
    """Return scores and ratings whose items and systems are of one kind, and whether items are the texts.

    Args:
        scores: rows with `judge` and, as far as they are known, `item`, `system`, `text` and `cluster`.
        ratings: rows with `rating` and the same.
        source: the files, for messages.
        what: the scores in a word, or the outputs in their place.

    Raises:
        InputError: for rows that neither items nor texts join, for items with other texts in the two files, and if most
            outputs of either file are not in the other.
    """
    have_texts = "text" in scores and "text" in ratings
    if "item" in scores and "item" in ratings:
        by_item = _by_item(scores, ratings)
        if have_texts and not _are_same_outputs(*by_item, source):
            called = _called_as_scored(scores, ratings, source)
            if called is not None:
                return scores, called, False
            scores, ratings = _by_text(scores, ratings)
            return scores, ratings, True
        if not have_texts:
            check_count_alike({what: by_item[0]["item"], "ratings": by_item[1]["item"]}, source)
        _check_share(*by_item, source, what)
        return *by_item, False
    if have_texts:
        tell([_TEXTS])
        scores, ratings = _by_text(scores, ratings)
        return scores, ratings, True
    lacking = "scores" if "item" not in scores else "ratings"
    raise InputError(
        f"{source}: the {lacking} have no column of items by which scores and ratings are joined (--item-column "
        "NAME), and not both files have the texts of the outputs (column text)"
    )


def _by_item(scores: pd.DataFrame, ratings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return rows whose items are alone, or with their clusters, in both."""
    if "cluster" in scores and "cluster" in ratings:
        scores, ratings = (frame.assign(item=list(map(_named_once, frame["item"]))) for frame in (scores, ratings))
    if "cluster" in scores and "cluster" not in ratings:
        scores = scores.assign(item=scores["item"].map(_last))
    if "cluster" in ratings and "cluster" not in scores:
        ratings = ratings.assign(item=ratings["item"].map(_last))
    scores, ratings = _with_common_items(scores, ratings)
    scores = _with_systems(scores, ratings, by_text=False)
    return scores, _with_systems(ratings, scores, by_text=False)


def _named_once(item: Any) -> Any:
    """Return an item that is told with its document without that in front of its own name.

    >>> _named_once(("news", "news/1")), _named_once("news/1")
    (('news', '1'), 'news/1')
    """
    if not isinstance(item, tuple):
        return item
    *documents, name = map(str, item)
    return (*documents, name.removeprefix(f"{'/'.join(documents)}/"))


def _with_common_items(scores: pd.DataFrame, ratings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return rows with common items: if there are none, those of one file are told without their documents in front."""
    names = [set(frame["item"].astype(str)) for frame in (scores, ratings)]
    if not names[0].isdisjoint(names[1]):
        return scores, ratings
    for place, frame in enumerate((scores, ratings)):
        bare = without_documents(frame)
        if not names[1 - place].isdisjoint(bare["item"]):
            item, name = str(frame["item"].iloc[0]), bare["item"].iloc[0]
            tell([f"items are joined without the documents that their names begin with: {item!r} is {name!r}"])
            return (bare, ratings) if place == 0 else (scores, bare)
    return scores, ratings


def _called_as_scored(scores: pd.DataFrame, ratings: pd.DataFrame, source: str) -> pd.DataFrame | None:
    """Return ratings whose items are called as in the scores, by the texts; None if texts do not tell items.

    Equal outputs with scores of their own stay apart so.
    """
    needed = {*KEYS, "text"}
    if not needed <= set(scores) or not needed <= set(ratings) or scores["text"].isna().any():
        return None
    if scores.duplicated(KEYS).any():
        return None
    systems = scores["system"].astype(str).str.strip()
    texts = dict(zip(zip(systems, scores["item"], strict=True), scores["text"], strict=True))
    return items_of_texts(ratings, texts, list(dict.fromkeys(scores["item"])), source)


def _by_text(scores: pd.DataFrame, ratings: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return rows whose items are the texts.

    Their clusters are those that either file tells; if none does, the former items: outputs of one are not independent.
    """
    if "cluster" not in scores and "cluster" not in ratings:
        scores, ratings = (_in_their_items(frame) for frame in (scores, ratings))
    scores, ratings = (_items_by_text(frame) for frame in (scores, ratings))
    scores = _with_systems(scores, ratings, by_text=True)
    return scores, _with_systems(ratings, scores, by_text=True)


def _last(item: Any) -> Any:
    return item[-1] if isinstance(item, tuple) else item


def _in_their_items(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(cluster=frame["item"]) if "item" in frame else frame


def _items_by_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows with the text as item."""
    frame = frame.assign(item=frame["text"].map(plain_text))
    if "judge" not in frame:
        return frame
    keys = [name for name in KEYS if name in frame]
    frame = frame.drop_duplicates([*keys, "judge"])
    is_unlike = frame.duplicated(keys, keep=False)
    n_unlike = int(is_unlike.sum())
    if not n_unlike or n_unlike > _MOST_UNLIKE * len(frame):  # of many, `judged_outputs` asks for items
        return frame
    tell(
        [
            f"{n_unlike} scores are left out: they are of outputs with the text of another that has another score, and "
            "nothing tells which of these was rated (--item-column names items of both)"
        ]
    )
    return frame[~is_unlike]


def _with_systems(frame: pd.DataFrame, other: pd.DataFrame, *, by_text: bool) -> pd.DataFrame:
    """Return rows with the systems that only the other rows tell: of equal texts, or if there is one system only."""
    if "system" in frame or "system" not in other:
        return frame
    if by_text:
        known = other[["system", "item"]].drop_duplicates()
        return known.merge(frame, on="item", how="right").fillna({"system": ""})
    if other["system"].nunique() == 1:
        return frame.assign(system=other["system"].iloc[0])
    return frame


def _are_same_outputs(scores: pd.DataFrame, ratings: pd.DataFrame, source: str) -> bool:
    """Say whether items join the outputs, and not their texts: most outputs of one item have one text in both files.

    Raises:
        InputError: if they have not, and texts join no more of the outputs.
    """
    keys = [name for name in KEYS if name in scores and name in ratings]
    sides = [_named(frame.dropna(subset="text"), keys).drop_duplicates(keys) for frame in (scores, ratings)]
    both = sides[0].merge(sides[1], on=keys, suffixes=("", " rated"))
    is_alike = both["text"].map(plain_text) == both["text rated"].map(plain_text)
    n_unlike = int((~is_alike).sum())
    n_found = int(sides[1]["text"].map(plain_text).isin(set(sides[0]["text"].map(plain_text))).sum())
    n_alike = len(both) - n_unlike
    if n_found <= n_alike or n_found < FEWEST_OUTPUTS:  # texts join no more than items do
        if n_unlike <= _LEAST_SHARE * len(both):
            return _told_unlike(both[~is_alike], len(both))
        raise InputError(
            f"{source}: {_example(both[~is_alike])}, as in {n_unlike} of {len(both)} outputs: the files number items "
            "otherwise, or hold other outputs; name the columns that tell one item in both (--item-column), or the "
            "texts of the outputs (--text-column)"
        )
    if n_unlike <= _LEAST_SHARE * len(both) and n_alike >= _LEAST_SHARE * n_found:
        return _told_unlike(both[~is_alike], len(both))
    why = f"{_example(both[~is_alike])}" if n_unlike else "few items are called alike in both files"
    tell([f"{why}: scores and ratings are joined by the text of the output"])
    return False


def _told_unlike(unlike: pd.DataFrame, n: int) -> bool:
    """Tell of the outputs whose texts differ, and return True."""
    if len(unlike):
        tell([f"{_example(unlike)}, and so differ the texts of {len(unlike)} of {n} outputs that items join"])
    return True


def _example(unlike: pd.DataFrame) -> str:
    first = unlike.iloc[0]
    of = f" of system {first['system']!r}" if first.get("system") else ""
    texts = [shortened(plain_text(first[name]), 40) for name in ("text", "text rated")]
    return f"item {first['item']!r}{of} is {texts[0]!r} in the scores and {texts[1]!r} in the ratings"


def _named(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return a frame whose items and systems are names, as `judged_outputs` joins them."""
    return frame.assign(**{name: frame[name].astype(str).str.strip() for name in keys})


def _check_share(scores: pd.DataFrame, ratings: pd.DataFrame, source: str, what: str) -> None:
    """Check that most of the scored outputs are rated, or most of the rated ones of these systems scored.

    Raises:
        InputError: if neither is so, as if names differ; fewer than `FEWEST_OUTPUTS` are refused later.
    """
    keys = [name for name in KEYS if name in scores and name in ratings]
    scored, rated = (_named(frame, keys)[keys].drop_duplicates() for frame in (scores, ratings))
    if "system" in keys:
        rated = rated[rated["system"].isin(set(scored["system"]))]
    both = scored.merge(rated, on=keys)
    if len(both) < FEWEST_OUTPUTS or len(both) >= _LEAST_SHARE * min(len(scored), len(rated)):
        return
    others = [
        listed(frame.loc[~frame["item"].isin(set(both["item"])), "item"].drop_duplicates().head(2).map(repr).tolist())
        for frame in (scored, rated)
    ]
    raise InputError(
        f"{source}: of {len(rated)} rated outputs, {len(both)} meet one of the {len(scored)} {what}: items may be "
        f"called otherwise in the two files (only {what} have {others[0]}, only ratings {others[1]}); name the columns "
        "that tell one item in both (--item-column), or leave other outputs out (--where)"
    )
