"""The models of an estimator: `kernel`, which comes with it, and those that other distributions declare.

An entry point of the group `referenceless_metrics.estimator_models` names a `TrainedModel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from quality_estimation_metric.kernel_model.features import TextFeatures
from referenceless_metrics.core.support.installation import ESTIMATOR_MODELS_GROUP, plugged_in
from referenceless_metrics.core.support.validation import Arrays, Floats, Integers, check_choice

KERNEL = "kernel"
GRU = "gru"


class TrainedModel(Protocol):
    """A model of another distribution.

    Attributes:
        errors: |rating − estimate| of texts that it was not trained on, ascending, shape (h,).
        bounds: the least and the greatest rating that it was trained on.
    """

    errors: Floats
    bounds: tuple[float, float]

    @classmethod
    def fit(cls, texts: TextFeatures, ratings: Floats, groups: Integers, *, augment: int, seed: int) -> Self:
        """Return a model that is trained on rated texts.

        Args:
            texts: n rated texts.
            ratings: shape (n,).
            groups: shape (n,); texts of a group are held out together.
            augment: most errors in a synthetic text; 0 for no synthetic texts.
            seed: seed of all random draws.
        """
        ...

    def predict_interval(self, texts: TextFeatures, level: float) -> Sequence[Floats]:
        """Return estimates and the lower and upper ends of their intervals, each of shape (n,)."""
        ...

    def state(self) -> Arrays:
        """Return the state for a file, as arrays of numbers by name."""
        ...

    @classmethod
    def from_state(cls, state: Arrays, errors: Floats, bounds: tuple[float, float]) -> Self:
        """Return the model that `state` describes.

        Raises:
            KeyError, TypeError, ValueError: for arrays that are missing, or that no model has.
        """
        ...


def check_model(name: object) -> None:
    """Check that there is a model of this name.

    Raises:
        ImportError: for `"gru"` if it is not installed; the message names the distribution.
        ValueError: for another name.
    """
    others = plugged_in(ESTIMATOR_MODELS_GROUP)
    if name == GRU and GRU not in others:
        raise ImportError(
            'model="gru" needs referenceless-papers, which is not installed: '
            'pip install "referenceless-papers[networks]"',
            name="referenceless_papers",
        )
    check_choice(name, "model", (KERNEL, *others))


def trained_model(name: str) -> type[TrainedModel]:
    """Return the class of a model of another distribution.

    Raises:
        ImportError, ValueError: as `check_model`.
    """
    check_model(name)
    model: type[TrainedModel] = plugged_in(ESTIMATOR_MODELS_GROUP)[name]()
    return model
