"""The pool of a fitted estimator: the rated texts that it holds, and what the parameters make of them."""
