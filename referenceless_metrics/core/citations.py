"""BibTeX of the methods that outputs name: tests, corrections and coefficients of agreement."""

from __future__ import annotations

METHODS = r"""% Krippendorff's alpha (agreement, study describe)
@book{krippendorff-2018-content,
  title = {Content Analysis: An Introduction to Its Methodology},
  author = {Krippendorff, Klaus},
  edition = {4th},
  publisher = {Sage},
  year = {2018},
}

% Fleiss' kappa (agreement)
@article{fleiss-1971-measuring,
  title = {Measuring nominal scale agreement among many raters},
  author = {Fleiss, Joseph L.},
  journal = {Psychological Bulletin},
  volume = {76},
  number = {5},
  pages = {378--382},
  year = {1971},
}

% Cohen's kappa (agreement; evaluate, of verdicts)
@article{cohen-1960-coefficient,
  title = {A coefficient of agreement for nominal scales},
  author = {Cohen, Jacob},
  journal = {Educational and Psychological Measurement},
  volume = {20},
  number = {1},
  pages = {37--46},
  year = {1960},
}

% Cohen's kappa with quadratic weights (agreement)
@article{cohen-1968-weighted,
  title = {Weighted kappa: Nominal scale agreement with provision for scaled disagreement or partial credit},
  author = {Cohen, Jacob},
  journal = {Psychological Bulletin},
  volume = {70},
  number = {4},
  pages = {213--220},
  year = {1968},
}

% The jackknife of intervals of agreement (agreement, evaluate)
@article{efron-stein-1981-jackknife,
  title = {The jackknife estimate of variance},
  author = {Efron, Bradley and Stein, Charles},
  journal = {The Annals of Statistics},
  volume = {9},
  number = {3},
  pages = {586--596},
  year = {1981},
}

% Approximate randomisation (compare, report)
@book{noreen-1989-computer,
  title = {Computer-Intensive Methods for Testing Hypotheses: An Introduction},
  author = {Noreen, Eric W.},
  publisher = {Wiley},
  year = {1989},
}
@inproceedings{riezler-maxwell-2005-pitfalls,
  title = {On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}},
  author = {Riezler, Stefan and Maxwell, III, John T.},
  booktitle = {Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation
    and/or Summarization},
  pages = {57--64},
  year = {2005},
}

% Paired bootstrap: intervals of differences of BLEU, chrF and TER (compare, report)
@inproceedings{koehn-2004-statistical,
  title = {Statistical Significance Tests for Machine Translation Evaluation},
  author = {Koehn, Philipp},
  booktitle = {Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing},
  pages = {388--395},
  year = {2004},
}

% Holm's correction for several comparisons (compare, report, human-score)
@article{holm-1979-simple,
  title = {A Simple Sequentially Rejective Multiple Test Procedure},
  author = {Holm, Sture},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  number = {2},
  pages = {65--70},
  year = {1979},
}
"""
"""An entry for each method, after a comment on what it is and which commands name it; without DOIs."""
