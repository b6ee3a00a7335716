"""Do `human-score`'s intervals hold, and how much narrower are they, if raters and items are shared?"""
