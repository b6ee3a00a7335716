"""Systems compared by metrics, and the page on them."""
