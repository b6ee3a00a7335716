"""A small recurrent language model over WordPieces, with weights in 8 bits, read without torch."""
