"""The keys that Linux keeps for who is logged in, such as those to other machines (man 7 keyrings)."""

import ctypes

from . import syscall_filter

JOIN_SESSION_KEYRING = 1


def leave_behind() -> None:
    """Begin with a keyring that is empty: what this thread starts from now on has no other."""
    ctypes.CDLL(None).syscall(syscall_filter.number("keyctl"), JOIN_SESSION_KEYRING, None)
