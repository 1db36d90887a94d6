"""A small model learns a skill: what is to be learned, one run of training, and how far it has come."""
