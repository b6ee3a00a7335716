"""The files that come with `referenceless-metrics`, made anew from their corpus and ratings."""
