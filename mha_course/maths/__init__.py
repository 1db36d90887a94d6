"""The mathematics of attention: arrays in, arrays out; one idea a module, and what all of them need."""
