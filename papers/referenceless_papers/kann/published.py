"""The published figures of Kann, Rothe & Filippova (2018): Tables 2 to 5 and 7, and those in the text.

Measured on the outputs of four systems on the test set of Toutanova et al. (2016), with an LSTM language model. r is
Pearson's; MSE is after the best linear map from scores to ratings of 1 to 3.
"""

from __future__ import annotations

SYSTEMS = ("ILP", "NAMAS", "SEQ2SEQ", "T3")
DOMAINS = ("letters", "journal", "news", "non-fiction")

#: Table 2: mean fluency by system.
MEAN_FLUENCY = (2.22, 1.30, 1.51, 1.40)

#: Table 3: r and MSE over all outputs.
OVERALL = {
    "WordSLOR": (0.454, 0.261),
    "WPSLOR": (0.437, 0.267),
    "WordNCE": (0.403, 0.276),
    "WPNCE": (0.413, 0.273),
    "WordPPL": (0.325, 0.295),
    "WPPPL": (0.344, 0.290),
    "ROUGE-L-mult": (0.429, 0.269),
    "LR3-F-mult": (0.405, 0.275),
    "LR2-F-mult": (0.375, 0.283),
    "LR3-R-mult": (0.412, 0.273),
    "ROUGE-L-single": (0.406, 0.275),
}

#: Table 4: how many outputs of each system, then r and MSE by system.
SYSTEM_SAMPLES = (679, 762, 767, 747)
BY_SYSTEM = {
    "WordSLOR": ((0.363, 0.340, 0.257, 0.343), (0.307, 0.104, 0.161, 0.174)),
    "WPSLOR": ((0.417, 0.312, 0.201, 0.360), (0.292, 0.106, 0.166, 0.172)),
    "WordNCE": ((0.311, 0.270, 0.128, 0.342), (0.319, 0.109, 0.170, 0.174)),
    "WPNCE": ((0.302, 0.258, 0.124, 0.357), (0.322, 0.110, 0.170, 0.172)),
    "ROUGE-L-mult": ((0.471, 0.392, 0.013, 0.256), (0.275, 0.100, 0.173, 0.184)),
    "LR3-F-mult": ((0.489, 0.266, 0.007, 0.234), (0.269, 0.109, 0.173, 0.187)),
    "LR2-F-mult": ((0.484, 0.213, -0.013, 0.236), (0.271, 0.112, 0.173, 0.186)),
    "LR3-R-mult": ((0.473, 0.246, -0.002, 0.232), (0.275, 0.111, 0.173, 0.187)),
    "ROUGE-L-single": ((0.363, 0.308, 0.008, 0.263), (0.307, 0.107, 0.173, 0.184)),
}

#: Table 5: how many outputs of each domain, then r and MSE by domain.
DOMAIN_SAMPLES = (640, 999, 344, 972)
BY_DOMAIN = {
    "WordSLOR": ((0.452, 0.453, 0.403, 0.484), (0.258, 0.250, 0.234, 0.278)),
    "WPSLOR": ((0.435, 0.415, 0.389, 0.483), (0.263, 0.260, 0.237, 0.278)),
    "WordNCE": ((0.395, 0.412, 0.342, 0.425), (0.273, 0.261, 0.247, 0.297)),
    "WPNCE": ((0.424, 0.398, 0.363, 0.460), (0.266, 0.265, 0.243, 0.286)),
    "ROUGE-L-mult": ((0.487, 0.382, 0.384, 0.451), (0.247, 0.269, 0.238, 0.289)),
    "LR3-F-mult": ((0.404, 0.402, 0.278, 0.439), (0.271, 0.264, 0.258, 0.293)),
    "LR2-F-mult": ((0.390, 0.363, 0.292, 0.395), (0.275, 0.273, 0.256, 0.306)),
    "LR3-R-mult": ((0.420, 0.395, 0.272, 0.453), (0.267, 0.266, 0.259, 0.288)),
    "ROUGE-L-single": ((0.453, 0.347, 0.335, 0.450), (0.258, 0.277, 0.248, 0.289)),
}

#: Table 7: r and MSE of what combines references with a language model, beside its parts.
COMBINATIONS = {
    "SVR(ROUGE-L-mult, WPSLOR)": (0.594, 0.217),
    "ROUGE-LM": (0.496, 0.252),
    "ROUGE-L-mult": (0.430, 0.273),
    "WPSLOR": (0.439, 0.270),
}

#: Settings and facts in the text.
SETUP: dict[str, float | str] = {
    "LSTM layers": 2,
    "LSTM units a layer": 512,
    "sentences a batch": 128,
    "optimiser": "Adam",
    "training, WordPieces (hours)": 12,
    "training, words (days)": 5,
    "ratings an output, fewest": 3,
    "ratings an output, most": 5,
    "lowest fluency": 1,
    "highest fluency": 3,
}
