"""What a pool of ratings is worth, and with which settings."""
