"""Do `human-score`'s intervals hold, and how much narrower are they, where raters and items are shared?"""
