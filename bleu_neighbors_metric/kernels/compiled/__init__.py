"""The kernels' compiled inner loops."""
