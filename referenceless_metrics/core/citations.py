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

% Student's t without skewness (human-score)
@article{hall-1992-removal,
  title = {On the Removal of Skewness by Transformation},
  author = {Hall, Peter},
  journal = {Journal of the Royal Statistical Society, Series B},
  volume = {54},
  number = {1},
  pages = {221--228},
  year = {1992},
}

% Intervals on a named scale (human-score)
@article{korn-graubard-1998-confidence,
  title = {Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey
    Data},
  author = {Korn, Edward L. and Graubard, Barry I.},
  journal = {Survey Methodology},
  volume = {24},
  number = {2},
  pages = {193--201},
  year = {1998},
}

% Accuracy with ties (evaluate, compare --scores --ratings)
@inproceedings{deutsch-etal-2023-ties,
  title = {Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration},
  author = {Deutsch, Daniel and Foster, George and Freitag, Markus},
  booktitle = {Proceedings of the 2023 Conference on Empirical Methods in Natural Language Processing},
  pages = {12914--12929},
  year = {2023},
}

% BLEU, chrF and TER of sacreBLEU (compare, report; score --with)
@inproceedings{papineni-etal-2002-bleu,
  title = {{BLEU}: a Method for Automatic Evaluation of Machine Translation},
  author = {Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
  booktitle = {Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics},
  pages = {311--318},
  year = {2002},
}
@inproceedings{popovic-2015-chrf,
  title = {{chrF}: character n-gram {F}-score for automatic {MT} evaluation},
  author = {Popovi{\'c}, Maja},
  booktitle = {Proceedings of the Tenth Workshop on Statistical Machine Translation},
  pages = {392--395},
  year = {2015},
}
@inproceedings{snover-etal-2006-study,
  title = {A Study of Translation Edit Rate with Targeted Human Annotation},
  author = {Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John},
  booktitle = {Proceedings of the 7th Conference of the Association for Machine Translation in the Americas},
  pages = {223--231},
  year = {2006},
}
@inproceedings{post-2018-call,
  title = {A Call for Clarity in Reporting {BLEU} Scores},
  author = {Post, Matt},
  booktitle = {Proceedings of the Third Conference on Machine Translation: Research Papers},
  pages = {186--191},
  year = {2018},
}
"""
"""An entry for each method, after a comment on what it is and which commands name it; without DOIs."""
