"""How many examples a property is tried on: as many as its test says; `make quick` loads a profile of fewer."""

from hypothesis import settings

USUAL = settings.get_profile("default").max_examples


def tries(count):
    """Try a property on so many examples, or on the profile's part of them."""
    return settings(max_examples=max(1, count * settings.default.max_examples // USUAL))
