"""The tables of Kann, Rothe & Filippova (2018), published beside measured."""
