"""Makes the faces of the website and the slides, as they stand here, from npm's fontsource packages: `make faces`.

Needs fontTools with Brotli, which the Makefile installs for it alone.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools import subset

FOLDER = Path(__file__).parent
TEXT, MATHEMATICS = "@fontsource-variable/source-sans-3@5.3.1", "@fontsource/stix-two-math@5.3.0"
FILES = {  # of the packages -> here
    (TEXT, "source-sans-3-latin-wght-normal.woff2"): "source-sans-3.woff2",
    (TEXT, "source-sans-3-latin-wght-italic.woff2"): "source-sans-3-italic.woff2",
    (MATHEMATICS, "stix-two-math-latin-400-normal.woff2"): "stix-two-math.woff2",
}
IN_FORMULAS = [  # what a formula of a course like this may hold
    *range(0x20, 0x7F), *map(ord, "\u00a0¬±·×÷"), *range(0x391, 0x3CA),  # letters, signs, Greek
    *range(0x1D400, 0x1D468), 0x210E, *range(0x1D6A8, 0x1D71C), *map(ord, "ℓℝℕℤ𝟏𝟙"),  # bold and italic
    *map(ord, "‖…⋯⋮⋱′→←↦⇒⇔∀∂∃∅∇∈∉∏∑−∗∘√∝∞∥∧∨∩∪∫∼≈≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⋅⌈⌉⌊⌋⏞⏟⟨⟩"),
]  # fmt: skip


def main():
    """Fetch, cut the mathematics face down to what formulas use, keep how it grows, and say how large all are."""
    with TemporaryDirectory() as place:
        command = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", place, TEXT, MATHEMATICS]
        subprocess.run(command, check=True)
        for (package, name), face in FILES.items():
            home = Path(place, "node_modules", package.rpartition("@")[0])
            (FOLDER / face).write_bytes((home / "files" / name).read_bytes())
            licence = face.removesuffix(".woff2").removesuffix("-italic")
            (FOLDER / f"{licence}.txt").write_text((home / "LICENSE").read_text(encoding="utf-8"), encoding="utf-8")
    _cut(FOLDER / FILES[MATHEMATICS, "stix-two-math-latin-400-normal.woff2"])
    for path in sorted(FOLDER.glob("*.woff2")):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def _cut(path):
    options = subset.Options(flavor="woff2", layout_features=["ssty", "dtls", "flac"], desubroutinize=True)
    face = subset.load_font(path, options)
    _keep_roots_low(face)
    cutting = subset.Subsetter(options)
    cutting.populate(unicodes=IN_FORMULAS)
    cutting.subset(face)
    subset.save_font(face, path, options)


def _keep_roots_low(face):
    """Let a root be one line high: Chromium leaves room behind each for the widest form that it could have."""
    taller = face["MATH"].table.MathVariants
    at = taller.VertGlyphCoverage.glyphs.index(face.getBestCmap()[ord("√")])
    del taller.VertGlyphCoverage.glyphs[at], taller.VertGlyphConstruction[at]
    taller.VertGlyphCount -= 1


if __name__ == "__main__":
    main()
