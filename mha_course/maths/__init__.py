"""The mathematics of attention: arrays in, arrays out, one module per idea in lesson order."""
