"""The compiled kernels as anyone would type them, number by number: their results are equal to the last bit."""

import math

from elementary import exp, log, root

NEXT = "next occurrence"


class TrieTwin:
    """The trie of n-grams as a dictionary; nodes are numbered as they are first seen."""

    def __init__(self, orders, clip):
        self.orders, self.clip, self.nodes = orders, clip, {}

    def child(self, node, token, learning):
        if node < 0 or token == -1:
            return -1
        if learning:
            return self.nodes.setdefault((node, token), len(self.nodes) + 1)
        return self.nodes.get((node, token), -1)

    def features(self, texts, learning):
        features, begins = [], [0]
        for tokens in texts:
            ends = [0] * len(tokens)  # the node of the n-gram that begins at each place
            last = {}
            for order in range(1, max(self.orders) + 1):
                for start in range(len(tokens) - order + 1):
                    node = ends[start] = self.child(ends[start], tokens[start + order - 1], learning)
                    if node < 0 or order not in self.orders:
                        continue
                    if node not in last:
                        last[node] = node
                    elif self.clip:
                        last[node] = self.child(last[node], NEXT, learning)
                    elif learning:
                        continue
                    if last[node] >= 0:
                        features.append(last[node])
                if order in self.orders:
                    begins.append(len(features))
        return features, begins


def whole_weight(x, s, counts, orders, threshold):
    """The weight of a neighbour in units of 2^-36, from lengths in tokens and shared n-grams; 0 for no neighbour."""
    if min(x - order + 1 for order in orders) <= 0:
        return 0
    product, brevity = math.prod(float(x - order + 1) for order in orders), min(0.0, 1.0 - s / x)
    least = exp(len(orders) * (log(threshold * (1.0 - 1e-9)) - brevity)) * product
    if math.prod(counts) < max(math.ceil(least), 1):
        return 0
    weight = 2.0**36 * exp(brevity) / root(product, len(orders))
    roots = [root(count, len(orders)) for count in counts]
    if len(roots) == 3:
        return int(weight * (roots[0] * roots[1] * roots[2]) + 0.5)
    for factor in roots:
        weight *= factor
    return int(weight + 0.5)
