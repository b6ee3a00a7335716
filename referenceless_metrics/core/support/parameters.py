"""A metric's parameters, which are declared once, by its constructor. Adapters and command lines read them there.

The signature has a parameter's type and default, the docstring its meaning under `Args:`. If it is one of several
words, its annotation lists them: `Annotated[str, ("uniform", "similarity")]`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from referenceless_metrics.core.support.validation import Record, check_choice

Estimator = TypeVar("Estimator", bound="ParameterisedEstimator")
Maker = TypeVar("Maker", bound=Callable[..., Any])


@dataclass(frozen=True)
class Parameter:
    """One parameter of the class or function that makes a metric.

    Attributes:
        name: its name.
        kinds: its types; those of a union one by one.
        default: its default; `inspect.Parameter.empty` if it must be given.
        help: its description in the docstring.
        choices: the words of its annotation.
        often: whether it is often given: a class takes it without its name.
    """

    name: str
    kinds: tuple[Any, ...]
    default: Any
    help: str
    choices: tuple[str, ...]
    often: bool


def with_parameters_of(made: type, *, without: tuple[str, ...] = ()) -> Callable[[Maker], Maker]:
    """Return a decorator for a function that passes its `**parameters` on to a class: its signature then has them.

    Args:
        made: the class.
        without: parameters that are not shown.
    """

    def decorate(function: Maker) -> Maker:
        signature = inspect.signature(function)
        kept = [part for part in signature.parameters.values() if part.kind is not part.VAR_KEYWORD]
        of_class = inspect.signature(made).parameters
        theirs = [part.replace(kind=part.KEYWORD_ONLY) for name, part in of_class.items() if name not in without]
        vars(function).update(__signature__=signature.replace(parameters=[*kept, *theirs]), makes=made)
        return function

    return decorate


def parameters_of(make: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the parameters of a class, or of a function that makes a metric, by name."""
    made: Any = getattr(make, "makes", make)
    documentation: dict[str, str] = {}
    for documented in (*reversed(getattr(made, "__mro__", ())), make):
        documentation |= _arguments(documented.__doc__)
    hints: Record = {}
    constructor = made if inspect.isfunction(made) else made.__init__
    for function in (constructor, *([] if made is make else [make])):
        with suppress(NameError, TypeError):  # names that only type checkers import
            hints |= get_type_hints(function, include_extras=True)
    parameters, shown = {}, inspect.signature(made).parameters
    for name, part in inspect.signature(make).parameters.items():
        if part.kind not in (part.VAR_KEYWORD, part.VAR_POSITIONAL):
            hint, choices = hints.get(name, type(part.default)), ()
            if get_origin(hint) is Annotated:
                hint, choices = get_args(hint)[:2]
            kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
            often = not inspect.isclass(made) or shown.get(name, part).kind is not part.KEYWORD_ONLY
            parameters[name] = Parameter(name, kinds, part.default, documentation.get(name, ""), choices, often)
    return parameters


def _arguments(docstring: str | None) -> Iterator[tuple[str, str]]:
    """Yield the description of each argument in a docstring of Google's style."""
    _, _, after = inspect.cleandoc(docstring or "").partition("Args:\n")
    section = re.split(r"^(?! |$)", after, maxsplit=1, flags=re.MULTILINE)[0]
    for entry in re.split(r"^ {4}(?=\w)", section, flags=re.MULTILINE)[1:]:
        names, _, words = entry.partition(":")
        if not words.strip().startswith("as in "):  # the base class describes it
            for name in names.split(", "):
                yield name, " ".join(words.split())


class ParameterisedEstimator:
    """Base of estimators whose constructor stores its arguments under their own names, and checks none."""

    @classmethod
    @cache  # each prediction needs them, and reading them takes longer than one text's estimate
    def parameter_names(cls) -> tuple[str, ...]:
        """Return the names of the constructor's parameters."""
        return tuple(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> Record:
        """Return the parameters by name; `deep` changes nothing."""
        return {name: getattr(self, name) for name in self.parameter_names()}

    def set_params(self: Estimator, **parameters: Any) -> Estimator:
        """Set parameters by name and return self; they count from the next `fit` on, as in scikit-learn.

        Raises:
            ValueError: for an unknown name.
        """
        for name, value in parameters.items():
            check_choice(name, "parameter name", self.parameter_names())
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn's searches that this is an estimator that needs a target."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True))

    def __repr__(self) -> str:
        known = inspect.signature(type(self)).parameters
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value != known[name].default]
        return f"{type(self).__name__}({', '.join(changed)})"
