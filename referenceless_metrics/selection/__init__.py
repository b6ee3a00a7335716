"""Which of several texts to take: reranking by any metric, minimum Bayes risk, and rewards for training."""
