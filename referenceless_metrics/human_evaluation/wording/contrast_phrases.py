"""Phrases on the items, raters and tests of differences and win rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from referenceless_metrics.human_evaluation.inference.any_time import Looks
from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanDifference
from referenceless_metrics.human_evaluation.ratings.model_raters import JUDGES, MEANS, MODELS
from referenceless_metrics.human_evaluation.studies.criteria import OVERALL
from referenceless_metrics.human_evaluation.wording.further_study import to_find_told
from referenceless_metrics.human_evaluation.wording.phrases import listed
from referenceless_metrics.human_evaluation.wording.whose_findings import number_of_raters

if TYPE_CHECKING:
    pass


PAIRED = {
    "item and rater": "paired by item and rater",
    "item": "paired by item",
    "some items": "some items rated of both",
    "": "independent samples",
}
"""Phrase for each value of `HumanDifference.paired`."""

ROBUST = " with cluster-robust errors"
"""Words behind the name of a test of items in clusters."""

MOST_SENTENCES = 3
"""Most comparisons by all criteria that get lines of their own on the finding, on power and for the paper.

Of more, one line is for all comparisons by a criterion.
"""


def on_items(contrasts: Sequence[Contrast]) -> str:
    """Return the items that figures rest on; rated outputs of each system if these are not of the same items."""
    unpaired = [each for each in contrasts if isinstance(each, HumanDifference) and not is_paired(each)]
    items = [each.n_items for each in contrasts if each.n_items and each not in unpaired]
    told = [f" on {_numbers(items)} items"] if items else []
    if unpaired:
        preposition = "on" if items else "of"
        told.append(f" {preposition} {_numbers(n for each in unpaired for n in each.n_rated)} outputs of each system")
    return " or".join(told)


def on_all_items(contrasts: Sequence[Contrast]) -> str:
    """Return what means and differences rest on: the outputs of each system, too, if they are not of the same number.

    Args:
        contrasts: the differences, or win rates.
    """
    paired = [each for each in contrasts if isinstance(each, HumanDifference) and is_paired(each)]
    outputs = _numbers(n for each in paired for n in each.n_rated) if paired else ""
    if len(paired) < len(contrasts) or outputs == _numbers(each.n_items for each in paired):
        return on_items(contrasts)
    return f" of {outputs} outputs of each system, differences{on_items(contrasts)}"


def _numbers(numbers: Iterable[int]) -> str:
    """Return numbers as one, or as the least and the greatest of them."""
    least, *_, greatest = sorted([*numbers] * 2)
    return str(least) if least == greatest else f"{least} to {greatest}"


def in_clusters(n: int) -> str:
    """Return the number of the items' clusters, in words; "" if nobody named clusters."""
    return f" in {n} cluster{'s' if n > 1 else ''}" if n else ""


def looks_of(differences: Sequence[HumanDifference]) -> list[Looks]:
    """Return when somebody looks, of ratings that are looked at as they come in; none of a single look."""
    return list(dict.fromkeys(each.watched.looks for each in differences if each.watched is not None))


def test_phrase(differences: Sequence[HumanDifference]) -> str:
    """Return the test of which p is, for a caption."""
    for looks in looks_of(differences):
        return f"and intervals of confidence sequences, which {looks.held('complete items')}"
    sources = list(dict.fromkeys(each.borrowed_from for each in differences if each.borrowed_from))
    robust = ROBUST if any(each.n_clusters for each in differences) else ""
    by_t = f"by Student's t{robust}" + (f", whose variance borrows from {listed(sources)}" if sources else "")
    of_shares = list(dict.fromkeys(f"by {each.shares.test}" for each in differences if each.shares is not None))
    others = [f"others {by_t}" if of_shares else by_t] if any(each.shares is None for each in differences) else []
    return ", and ".join([*of_shares, *others])


def are_many(contrasts: Sequence[Contrast]) -> bool:
    """Say whether contrasts by a criterion have one sentence together: the comparisons by all criteria count."""
    return len(contrasts) > MOST_SENTENCES or (len(contrasts) > 1 and contrasts[0].n_compared > MOST_SENTENCES)


def by_raters(contrasts: Sequence[Contrast]) -> str:
    """Return the number of raters of contrasts, in words; "" if it is not known."""
    n_raters, given_by = number_of_raters(contrasts), contrasts[0].given_by
    if given_by in (MODELS, JUDGES):
        kind = "judge that is a language model" if given_by == MODELS else "judge"
        kinds = "judges that are language models" if given_by == MODELS else "judges"
        return f" by {n_raters} {kinds}" if n_raters > 1 else f" by a {kind}"
    if given_by == MEANS:
        return " by an unknown number of people each"
    if not n_raters:
        return ""
    return " by 1 rater" if n_raters == 1 else f" by {n_raters} raters"


def alike(contrast: Contrast) -> str:
    """Return the clause that nothing varied: no difference, or none of the means in clusters."""
    if contrast.n_clusters > 1:
        return f"means do not vary between the {contrast.n_clusters} clusters"
    return "all items lie in one cluster" if contrast.n_clusters else "no difference varied"


def to_find(contrast: Contrast, find: float | None) -> list[str]:
    """Say how large a further study is that finds a difference, or win rate, in a list; none without one to find."""
    if find is None:
        return []
    if contrast.n_clusters:
        return [to_find_told(contrast, find, contrast.n_clusters, "clusters")]
    units = "items" if is_paired(contrast) else "outputs of each"
    return [to_find_told(contrast, find, items_of_sample(contrast), units)]


def is_paired(contrast: Contrast) -> bool:
    """Say whether a comparison is of outputs of the same items: always that of preferences."""
    return not isinstance(contrast, HumanDifference) or contrast.paired.startswith("item")


def rated_sample(contrast: Contrast) -> str:
    """Return the sample that a comparison rests on, in words: its items, or the outputs if these are of other items."""
    if not isinstance(contrast, HumanDifference) or is_paired(contrast):
        return f"{contrast.n_items} items"
    of_system, of_baseline = contrast.n_rated
    return f"{of_system} outputs of {contrast.system} and {of_baseline} of {contrast.baseline}"


def items_of_sample(contrast: Contrast) -> int:
    """Return the number of items of which outputs were rated: of one of the two systems, if these have other items."""
    if not isinstance(contrast, HumanDifference) or is_paired(contrast):
        return contrast.n_items
    return max(contrast.n_rated)


def smaller_sample(difference: HumanDifference) -> int:
    """Return the number of items of a difference in pairs, or of rated outputs of the system that has fewer."""
    return difference.n_items if is_paired(difference) else min(difference.n_rated)


def in_criterion(criterion: str) -> str:
    """Return the criterion of a finding, in words; "" for one without a name.

    >>> in_criterion("fluency"), in_criterion("overall")
    (' in fluency', ' overall')
    """
    if criterion == OVERALL:
        return f" {criterion}"
    return f" in {criterion}" if criterion else ""
