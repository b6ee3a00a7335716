"""Errors that are the user's to mend."""


class InputError(ValueError):
    """A file, a row or an option that cannot be used; the message says what and where, in one line."""


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before `fit`; the bases are those of scikit-learn's error of this name."""
