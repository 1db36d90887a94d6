"""A CSV file in which single cells are changed, while every other byte stays as it came."""

import re
from dataclasses import dataclass

BOM = b"\xef\xbb\xbf"
SEPARATORS = ",", ";", "\t"
NEEDS_QUOTES = re.compile(r'[,;\t"\r\n]')


@dataclass(frozen=True)
class Sheet:
    """rows: of cells as they are written, quotes included. ends: what stands after each cell, line ends too."""

    rows: list[list[str]]
    ends: list[list[str]]
    bom: bytes = b""

    def text(self, row, column):
        """Return what a cell says; nothing where a row is too short.

        >>> read(b'Student,ID\\n"Doe, Jane",7\\n').text(1, 0)
        'Doe, Jane'
        """
        cells = self.rows[row]
        written = cells[column] if column < len(cells) else ""
        is_quoted = len(written) > 1 and written.startswith('"') and written.endswith('"')
        return written[1:-1].replace('""', '"') if is_quoted else written

    def texts(self, row):
        """Return what all cells of a row say."""
        return [self.text(row, column) for column in range(len(self.rows[row]))]

    def write(self, row, column, text):
        """Change one cell. It has quotes if it had some, or if it needs them."""
        was_quoted = self.rows[row][column].startswith('"')
        quoted = '"' + text.replace('"', '""') + '"'
        self.rows[row][column] = quoted if was_quoted or NEEDS_QUOTES.search(text) else text

    def to_bytes(self):
        """Return the whole file."""
        lines = zip(self.rows, self.ends, strict=True)
        return self.bom + "".join(a + b for row in lines for a, b in zip(*row, strict=True)).encode()


def read(content):
    """Return the sheet that some bytes hold. Errors: `ValueError` where they are no UTF-8."""
    bom = BOM if content.startswith(BOM) else b""
    try:
        text = content.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            "is not the UTF-8 text that Canvas and Moodle write. Perhaps a spreadsheet program saved it: "
            "download it anew."
        ) from None
    rows, ends = [[]], [[]]
    for cell, end in _cells(text):
        rows[-1].append(cell)
        ends[-1].append(end)
        if end not in SEPARATORS:
            rows.append([])
            ends.append([])
    return Sheet(rows[:-1], ends[:-1], bom)


def _cells(text):
    """Return each cell as it is written, with what stands after it: a separator, or the end of the line."""
    head = text.splitlines()[0] if text else ""
    separator = max(SEPARATORS, key=head.count)
    pattern = rf'("(?:[^"]|"")*"|[^{separator}\r\n]*)({separator}|\r\n|\r|\n|\Z)'
    found = re.findall(pattern, text)
    return found if text.endswith(separator) else found[:-1]  # else the last is the nothing at the end of the text
