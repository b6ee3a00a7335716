"""Scores and tallies in Spark, with the numbers of one machine (extra `spark`)."""

from referenceless_metrics.spark.scoring import register, score_column
from referenceless_metrics.spark.shards import tally_shards

__all__ = ["register", "score_column", "tally_shards"]
