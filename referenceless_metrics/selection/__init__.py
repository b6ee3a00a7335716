"""Choice among several texts: reranking by any metric, minimum Bayes risk, and rewards for training."""
