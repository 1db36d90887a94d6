"""What a call prints, as far as anybody reads it, and whether it goes on."""

import io
import time

MOST_PRINTED = 2000  # characters


class Printed(io.StringIO):
    """What a call prints. It cannot be closed, so that all of it can be read."""

    def __init__(self) -> None:
        """Begin with nothing, now."""
        super().__init__()
        self._begun = self._last = time.monotonic()

    def write(self, text: str) -> int:
        """Take more."""
        self._last = time.monotonic()
        return super().write(text)

    def goes_on(self) -> bool:
        """Whether it is more than anybody reads, and some of it came in the last quarter of the time until now."""
        now = time.monotonic()
        return self.tell() > MOST_PRINTED and now - self._last < (now - self._begun) / 4

    def close(self) -> None:
        """Stay open."""
