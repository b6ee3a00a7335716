"""The LSTM language model of Kann, Rothe & Filippova (2018)."""
