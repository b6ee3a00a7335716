import numpy as np
import pytest

from referenceless_papers.dusek import tables
from referenceless_papers.dusek.kernel import kernel_estimates
from referenceless_papers.dusek.networks import summaries


@pytest.mark.long
def test_the_default_estimator_on_a_split(corpora):
    corpus = corpora[True]
    found = kernel_estimates(corpus, "C1")
    assert [each.instances for each in found] == [200, 200]
    assert all(each.values.shape == (1, len(each.rows)) and np.isfinite(each.values).all() for each in found)
    summarised = summaries(corpus, "C1", "kernel", found)
    assert summarised["SFHot.C1/kernel"]["raw"]["pooled"]["pearson"] > 0.1  # ratings fall with length
    (table,) = tables.kernel_rows(summarised).tables
    assert [row["best published r"] for row in table.rows] == [0.28, 0.398]
