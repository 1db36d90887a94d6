"""The version, where the build finds it without importing numpy."""

__version__ = "0.8.0"
