"""Quality estimation: text quality learned from rated outputs, with or without their source (Dušek et al. 2017)."""
