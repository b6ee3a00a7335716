"""Parameters stored as given, as scikit-learn's `clone` and searches expect of an estimator."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from metric_commons.support.validation import check_choice

Estimator = TypeVar("Estimator", bound="ParameterisedEstimator")


class ParameterisedEstimator:
    """Base of estimators whose constructor stores its arguments under their own names, and checks none."""

    _parameters: ClassVar[Mapping[str, inspect.Parameter]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # read once: every prediction asks, and reading them takes longer than one text's estimate
        cls._parameters = inspect.signature(cls).parameters

    @classmethod
    def parameter_names(cls) -> tuple[str, ...]:
        """Return the names of the constructor's parameters."""
        return tuple(cls._parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; `deep` changes nothing."""
        return {name: getattr(self, name) for name in self.parameter_names()}

    def set_params(self: Estimator, **parameters: Any) -> Estimator:
        """Set parameters by name and return self; a fitted estimator uses them from the next call on.

        Raises:
            ValueError: for an unknown name.
        """
        for name, value in parameters.items():
            check_choice(name, "parameter name", self.parameter_names())
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn's searches what this is: an estimator that needs a target."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True))

    def __repr__(self) -> str:
        changed = [
            f"{name}={value!r}" for name, value in self.get_params().items() if value != self._parameters[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"
