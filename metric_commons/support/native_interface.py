"""What Python and the compiled library of `native/` agree on: each function with its arguments.

An argument is a type and a name. Types:

- ``int`` and ``float`` are 64 bits wide;
- ``i4[]`` is an array of int32 (``u`` unsigned, ``f`` floating, ``b`` bool; the digit is the bytes), contiguous, of any
  shape. The function gets the address of its first item and its number of items;
- ``i4[]?`` may be None: the address is null then;
- ``out i4[]`` is written to;
- the name of one of `GROUPS` is an object with those attributes, such as a named tuple; the function gets a pointer to
  a struct of their addresses and sizes.
"""

from __future__ import annotations

GROUPS: dict[str, str] = {}

FUNCTIONS: dict[str, str] = {
    "postings": "i4[] features, i8[] begins, int n_orders, out i8[] starts, out i4[] texts",
    "without_dense": "i8[] starts, i4[] lists, i4[] dense_row, out i8[] kept, out i4[] remaining",
    "split_features": "i4[] features, i8[] begins, i8[] starts, i4[] dense_row, int empty, out u2[] rows, "
    "out i8[] row_begins, out i8[] rare_begins, out i8[] rare_ends, out i8[] list_begins",
    "fill_bit_rows": "i8[] starts, i4[] texts, i8[] dense_features, out u8[] rows",
    "lists_ascend": "i8[] starts, i4[] texts",
}
