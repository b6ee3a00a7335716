"""Sources that texts were generated from: meaning representations, triples, records and table cells.

>>> from quality_estimation_metric.sources import parse_mr
>>> for triple in parse_mr("inform(name='red door cafe';kids_allowed=no)&request(near)"):
...     print(tuple(triple))
('inform', 'name', 'red door cafe')
('inform', 'kids_allowed', 'no')
('request', 'near', None)
"""

from quality_estimation_metric.sources.base import MALFORMED, PLAIN_TEXT, Source, Triple, is_plain_text
from quality_estimation_metric.sources.parse import FORMATS, parse_mr

__all__ = ["FORMATS", "MALFORMED", "PLAIN_TEXT", "Source", "Triple", "is_plain_text", "parse_mr"]
