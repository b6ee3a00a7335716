"""The tables and figures of Ethayarajh & Sadigh (2020), published beside measured."""
