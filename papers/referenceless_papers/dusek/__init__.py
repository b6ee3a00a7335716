"""The tables of Dušek, Novikova & Rieser (2017), published beside measured."""
