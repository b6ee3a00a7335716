"""Prediction-powered means of outputs that are rated once each."""

import numpy as np

from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
from referenceless_metrics.human_evaluation.inference.rated_means import RatedOutputs


def rated_once(ratings, estimates, unrated):
    """Return n ratings with the estimates of their outputs, and those of m unrated ones."""
    n, places = len(ratings), np.arange(len(ratings) + len(unrated))
    return RatedOutputs(ratings, places[:n], None, places, np.concatenate([estimates, unrated]))


def means(ratings, estimates, unrated, power=None):
    """Return the mean from ratings alone, from ratings and estimates, and λ."""
    alone, found, power = rated_once(ratings, estimates, unrated).mean(LEVEL, skewed=True, power=power)
    return alone.said, found.said, power


def mean_of_ratings(ratings):
    """Return the mean of ratings alone."""
    return means(ratings, np.zeros(len(ratings)), np.zeros(0))[0]
