"""Nearly every cell of a notebook runs twice in a row, in one kernel: learners do so, and it shows the same."""

import subprocess

import nbval.kernel
from nbval.plugin import IPyNbCell

# Where a kernel's standard error goes: nbval opens a file that it never closes, and whoever runs when it is collected
# would be blamed.
nbval.kernel.open = lambda *_: subprocess.DEVNULL

CHANGES = ("execution_count", "traceback")  # from run to run
ONCE = ("controls", "partners", "resting")  # cells of lesson 15 that take as long as all other cells together


class Again(IPyNbCell):
    """A cell that has just run: it shows what is stored once more, in the same order."""

    def runtest(self):
        super().runtest()
        if list(map(self._lasting, self.test_outputs)) != list(map(self._lasting, self.cell.outputs)):
            self.raise_cell_error("Cell outputs differ in their kind or in their order")

    def _lasting(self, output):
        kept = {key: value for key, value in output.items() if key not in CHANGES}
        kinds = output.get("data", {}).keys() - self.parent.skip_compare  # a widget's live view
        return kept | {"data": {kind: output.data[kind] for kind in kinds}}


def twice(items):
    """Yield the tests that pytest found, and each cell of a notebook twice, but for those that take too long."""
    for item in items:
        yield item
        if isinstance(item, IPyNbCell) and item.cell.id not in ONCE:
            name = f"{item.name} again"
            yield Again.from_parent(
                item.parent, name=name, cell_num=item.cell_num, cell=item.cell, options=item.options
            )
