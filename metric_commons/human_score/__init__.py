"""What people think of a system: its mean human rating, from ratings of its own outputs and estimates of the rest."""
