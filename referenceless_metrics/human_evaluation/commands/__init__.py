"""Commands on people's ratings and on scores."""
