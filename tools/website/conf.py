"""What Sphinx is told: nothing is run, nothing is fetched, formulas are drawn by the browser itself."""

from html import escape
from importlib import import_module

from address import REPOSITORY
from docutils import nodes
from formulas import formula
from myst_nb.sphinx_ import HideCodeCellNode
from the_course import COURSE, HOUSE, PACKAGE, pages
from website.parts import parts_of

from mha_course.widgets.scripts import FOLDER as BROWSER

OF_A_BOARD = ["entries.js", "drawings.js"]  # scripts of the living boards that their pictures need too

project = COURSE.identity.title
version = release = import_module(PACKAGE).__version__
html_title = project
html_context = {"repository": REPOSITORY, "package": PACKAGE, "default_mode": "auto"}
language = "en"

# the second writes .nojekyll
extensions = [
    "myst_nb", "sphinx.ext.githubpages",
    "website.search_texts", "website.optional", "website.machines", "website.sections",
]  # fmt: skip
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_url_schemes = {"http": None, "https": None, "lesson": "{{path}}.html#{{fragment}}"}

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_start": ["name.html"],
    "navbar_center": [],
    "navbar_end": ["theme-switcher"],
    "navbar_align": "content",
    "search_bar_text": "Search the lessons",
    "secondary_sidebar_items": [],
    "footer_start": ["foot.html"],
    "footer_end": [],
    "show_prev_next": True,
    "back_to_top_button": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"**": ["contents.html"], "index": []}
templates_path = ["templates"]
FACES = sorted((HOUSE / "tools" / "faces").glob("*.woff2"))
PREVIEW = [pages().PREVIEW] if pages().PREVIEW else []
html_static_path = ["static", *map(str, [*PREVIEW, *FACES, *(BROWSER / each for each in OF_A_BOARD)])]
html_css_files = ["faces.css", "pages.css", "first.css"]
html_js_files = ["site.js", *OF_A_BOARD, "arithmetic.js", "push.js"]
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_domain_indices = False
html_math_renderer = "mathml"


def setup(app):
    """Let formulas be MathML, as they are in the slides, and let a fold be named by what it hides."""
    app.add_html_math_renderer("mathml", (_draw_inline, None), (_draw_block, None))
    app.add_node(nodes.container, override=True, html=(_open_container, _close_container))
    app.add_node(HideCodeCellNode, override=True, html=(_open_fold, _close_fold))


def _open_container(writer, node):
    """Open a <div>; that of a code cell tells which one it is."""
    cell = node.get("cell_metadata", {}).get("cell")
    writer.body.append(
        writer.starttag(node, "div", CLASS="docutils container", **({"data-cell": cell} if cell else {}))
    )


def _close_container(writer, node):
    writer.body.append("</div>\n")


def _open_fold(writer, node):
    writer.body.append(f"<details><summary>{escape(node['prompt_show'])}</summary>")


def _close_fold(writer, node):
    writer.body.append("</details>")


def _draw_inline(writer, node):
    writer.body.append(formula(node.astext()))
    raise nodes.SkipNode


def _draw_block(writer, node):
    parts = "".join(formula(each, "block") for each in parts_of(node.astext()))
    writer.body.append(f'<div class="formula">{parts}</div>')
    raise nodes.SkipNode
