"""The meaning of the rows and columns of a file, in words."""

from __future__ import annotations

A_TEXT_PER_LINE = "a text per line"
"""The shape of a file of plain texts."""

A_CLUSTER_PER_LINE = "the document of a segment per line"
"""The shape of a file that tells which segments are of one document."""

A_NUMBER_PER_LINE = "a number per line: scores of one system; give the file of another beside it"
"""The shape of a file of numbers."""

A_SURVEY = "a survey: a column per question, which the rows of a key join with systems and items"
"""The shape of a survey."""

BEST_WORST_OF_TEXTS = "best-worst scaling of texts that are of no systems; the notes tell their scores"
"""The shape of best and worst ones among texts that are of no systems."""

A_MEAN_PER_SYSTEM = "means of systems, and no scores or ratings of items"
"""The shape of a table of results."""

TRANSLATIONS = "translations of a test set, and their scores"
"""The shape of a folder with the outputs of several systems, references and scores."""

OF_SCORES = "scores"
"""The shape of a log of scores."""

OF_PEOPLE = "ratings"
"""The shape of an export of people's ratings."""

A_TRAINING_LOG = "a log of one training: a row for each step or evaluation"
"""The shape of a training log."""

A_MEAN_PER_TASK = "a mean for each task, with its standard error"
"""The shape of results of a harness."""
