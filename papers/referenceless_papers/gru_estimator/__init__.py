"""The recurrent estimator of Dušek, Novikova & Rieser (2017): two GRU encoders, of the text and of its source."""
