"""Rating studies: outputs drawn at random, shown to raters without the systems' names, and the ratings read back."""
