"""Systems with people's ratings, and no estimates of them."""

import numpy as np
import pandas as pd

from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings


def rated_systems(*ratings, names="abcdef", raters=None):
    """Return systems rated on the same items; with raters of each system, each rating is by the rater in its place."""
    systems = []
    for place, values in enumerate(ratings):
        judgements = None
        if raters is not None:
            rows = {"output": range(len(values)), "rater": raters[place], "rating": values}
            judgements = pd.DataFrame(rows)
        values = np.asarray(values, float)
        systems.append(SystemRatings(names[place], values, np.full(len(values), np.nan), judgements=judgements))
    return systems
