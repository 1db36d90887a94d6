"""The site: every link leads somewhere, nothing comes from elsewhere, no answer is given away."""

import html
import json
import re
from itertools import product
from urllib.parse import unquote, urlsplit

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from classroom.cells import asks, has_tag
from minutes import about
from run_notebooks import WIDGET
from stored import NOTEBOOKS, REPOSITORY, ROOT, every_notebook
from website import addresses, board_arithmetic, claims, drawings, lessons, pages, phrases, push
from website.parts import parts_of

from mha_course import __version__
from mha_course.engine.pictures.placeholder import HOW_TO_ACTIVATE
from mha_course.engine.pictures.svg import changes

pytestmark = pytest.mark.slow

PAGES = {"index", "search", "licences", *pages.DOCS, *(path.stem for path in NOTEBOOKS)}


@pytest.fixture(scope="module")
def site(site_folder):
    """Every page by its name, read."""
    read = {path.stem: path.read_text(encoding="utf-8") for path in site_folder.glob("*.html")}
    return {name: BeautifulSoup(text, "html.parser") for name, text in read.items()}


def test_every_lesson_has_a_page_with_its_title_and_every_page_its_foot(site):
    assert set(site) == PAGES
    for path in NOTEBOOKS:
        title = nbformat.read(path, 4).cells[0].source.splitlines()[0].removeprefix("# ")
        assert site[path.stem].title.text.startswith(title)
        assert site[path.stem].select_one("h1").text.startswith(title)
    for page in site.values():
        foot = page.select_one("footer.bd-footer").get_text(" ", strip=True)
        assert foot.startswith(f"mha_course {__version__} · text and pictures: CC BY 4.0, code: MIT")
        assert page.select_one(f'footer a[href="{REPOSITORY}"]')


def test_what_the_first_page_has_recorded_turns_its_picture_into_each_that_is_drawn(site):
    script = site["index"].select_one(".stage script").string
    recorded = json.loads(script.removeprefix("globalThis.RECORDED = ").removesuffix(";"))
    first, _ = push.shown(push.OFFERED, 1)
    every = {(value, word): push.shown(value, word) for value, word in product(push.VALUES, push.WORDS)}
    back = [change for drawing, _ in every.values() for change in changes(drawing.root, first.root)]
    at_first = {(at, name): old for at, name, old in back}
    for (value, word), (drawing, said) in every.items():
        news, told = recorded["states"][f"{value:g}"][word]
        written = dict(zip(map(tuple, recorded["places"]), news, strict=True))
        wanted = {(at, name): new for at, name, new in changes(first.root, drawing.root)}
        assert told == said and written == at_first | wanted


def test_the_three_claims_show_the_thing_itself(site):
    changed, understood, model = (each.get_text(" ", strip=True) for each in site["index"].select(".claims > div"))
    assert "How well the query of steals matches the key of dog." in changed and "= 8 / 1.73205 = 4.6188" in changed
    assert "return Q @ K.T / Q.shape[-1] ✗ The scale is d_k, not its root." in understood
    assert "/ 4 = 5 / 4 = 1.2500" in understood and "/ √4 = 5 / 2 = 2.5000" in understood
    assert "without the four that copy . He was a man of great beauty" in model
    assert (claims.my_scores(np.ones((1, 4)), np.ones((1, 4))) == 1).all()  # the line that is shown, and what it gives


def test_the_map_has_every_lesson_with_its_question_its_minutes_and_what_it_asks(site):
    lines = site["index"].select(".lesson-map > li")
    assert [line.a["href"] for line in lines] == [f"{path.stem}.html" for path in NOTEBOOKS]
    for path, line in zip(NOTEBOOKS, lines, strict=True):
        lesson = nbformat.read(path, 4)
        assert lesson.cells[0].source.startswith(f"# {line.a.text}\n")
        assert line.select_one(".minutes").text == re.search(r"\d+ minutes", about(lesson).source)[0]
        assert line.select_one(".asks").text.endswith("?")
        asked = line["data-asks"].split()
        assert asked and all(each.partition(".")[0] == path.stem.partition("_")[2] for each in asked)


@every_notebook
def test_a_lesson_tells_machines_what_it_teaches_in_how_many_minutes(path, site):
    page = site[path.stem]
    told = json.loads(page.select_one('script[type="application/ld+json"]').string)
    title = page.select_one("h1").find(string=True).strip()
    assert told["@type"] == "LearningResource" and told["name"] == title and told["teaches"].endswith("?")
    assert f"{re.search(r'[0-9]+', told['timeRequired'])[0]} minutes" in page.select_one("article").text
    assert ("competencyRequired" in told) == (path != NOTEBOOKS[0])
    assert page.select_one('meta[property="og:description"]')["content"] == told["teaches"]


def test_a_link_to_any_page_shows_a_picture(site, site_folder):
    for page in site.values():
        address = page.select_one('meta[property="og:image"]')["content"]
        assert address.startswith("https://") and (site_folder / "_static" / address.rpartition("/")[2]).is_file()


def test_every_link_inside_the_site_leads_to_a_page_and_a_place_in_it(site, site_folder):
    places = {name: {each["id"] for each in page.select("[id]")} for name, page in site.items()}
    dead, looked_at = [], 0
    for name, page in site.items():
        for link in page.select("a[href], link[href], script[src], img[src]"):
            to = urlsplit(link.get("href") or link["src"])
            if to.scheme:
                continue
            looked_at += 1
            file = site_folder / unquote(to.path) if to.path else site_folder / f"{name}.html"
            there = cells(site_folder, to.query) if to.fragment.startswith("cell-id=") else places.get(file.stem, ())
            is_there = file.exists() and (not to.fragment or to.fragment.removeprefix("cell-id=") in there)
            dead += [] if is_there else [f"{name}: {to.geturl()}"]
    assert dead == [] and looked_at > 1000


def cells(site_folder, query):
    """Return the ids of the cells of the live notebook that an address names."""
    notebook = nbformat.read(site_folder / "run" / "files" / query.removeprefix("path="), 4)
    return {cell.id for cell in notebook.cells}


def test_links_to_other_lessons_cells_lead_to_these_cells(site):
    linked = lessons.linked_cells(nbformat.read(path, 4) for path in NOTEBOOKS)
    assert len(linked) > 5
    for name, cell in linked:
        assert site[name].find(id=cell)


def test_nothing_is_fetched_from_elsewhere_and_nothing_counts_readers(site, site_folder):
    for page in site.values():
        assert page.select("script[src*='//'], link[href*='//'], img[src^=http], iframe, object, embed") == []
    for sheet in site_folder.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


@every_notebook
def test_solutions_and_what_answers_a_question_are_folded(path, site):
    notebook, page = nbformat.read(path, 4), site[path.stem]
    assert page.select("details[open]") == []
    solutions = re.findall(r"^# (Solution [\d.]*\d)", "\n".join(each.source for each in notebook.cells), re.MULTILINE)
    assert [each.summary.text for each in page.select(".tag_solution > details")] == solutions
    unfolded = [each for each in page.find_all(string=re.compile(r"# Solution \d")) if not each.find_parent("details")]
    assert unfolded == []
    pairs = zip([None, *notebook.cells], notebook.cells, strict=False)
    answers = [
        cell
        for before, cell in pairs
        if cell.cell_type == "code" and cell.outputs
        if has_tag(cell, "answer") or (before and asks(before) and not asks(cell))
    ]
    results = [each for each in page.select("details") if each.summary.text == lessons.RESULT]
    assert len(results) == len(answers) >= 1
    assert all(each.select_one(".output") for each in results)


@every_notebook
def test_a_picture_of_a_form_says_where_it_can_be_used(path, site, site_folder):
    pictures = str(nbformat.read(path, 4).cells).count(HOW_TO_ACTIVATE)
    page = site[path.stem]
    assert HOW_TO_ACTIVATE not in page.text
    assert len(page.select('.cell_output a[href="#run"]')) == pictures >= 1
    hosts = {urlsplit(each["href"]).netloc for each in page.select("#run a")}
    own = {""} if (site_folder / "run").exists() and path.stem not in addresses.ONLY_READ else set()
    assert hosts == {"mybinder.org", "colab.research.google.com"} | own
    assert all(path.name in unquote(each["href"]) for each in page.select("#run a"))


def test_what_search_shows_of_a_lesson_is_read_on_its_page_without_unfolding_an_answer(site, site_folder):
    written = (site_folder / "search_texts.js").read_text(encoding="utf-8")
    texts = json.loads(written.removeprefix("const TEXTS = ").removesuffix(";\n"))
    folded = 0
    for name in (path.stem for path in NOTEBOOKS):
        assert [anchor for anchor, _, _ in texts[name]] == [each["id"] for each in site[name].select("article section")]
        said = " ".join(text for _, _, text in texts[name])
        assert len(said) > 3000
        hidden = [
            " ".join(each.text.split()) for each in site[name].select("details:not(.beside) p") if len(each.text) > 40
        ]
        assert not [each for each in hidden if each in said]
        folded += len(hidden)
    assert folded > 100


@every_notebook
def test_a_stored_board_says_of_each_number_what_the_living_board_says(path, site):
    strips = site[path.stem].select(".arithmetic")
    cells = [each for each in nbformat.read(path, 4).cells if board_arithmetic.BOARD in str(each.get("outputs"))]
    assert len(strips) == len(cells)
    for strip, cell in zip(strips, cells, strict=True):
        answers = json.loads(site[path.stem].find(id=strip["data-answers"]).string)
        board = strip.parent.select_one(".mha-board")
        assert list(answers) == list(dict.fromkeys(each["data-at"] for each in board.select("td[data-at]")))
        if "Workbench" in cell.source:
            assert {at: answers[at] for at in list(answers)[::7]} == _asked(cell.source, list(answers)[::7])


def _asked(source, addresses):
    names = {}
    exec(source.replace("\nWorkbench(", "\nboard = Workbench("), names)
    session, told = names["board"]._session, {}
    for at in addresses:
        update = session.act([["select", at]])
        parts = (re.sub("<[^>]*>", "", update["parts"][part]) for part in ("words", "arithmetic"))
        words, made = map(html.unescape, parts)
        is_input = session.path[at.partition(":")[0]].is_input
        told[at] = [board_arithmetic.OF_AN_INPUT if is_input else words, made, " ".join(update["marks"]["sources"])]
    return told


def test_a_stored_board_that_is_not_what_its_cell_draws_stops_the_build():
    notebook = nbformat.read(NOTEBOOKS[4], 4)
    (cell,) = [each for each in notebook.cells if each.id == "explore"]
    cell.source = cell.source.replace('"softmax"', '"scaled_scores"')
    with pytest.raises(ValueError, match="'explore' is not what it draws"):
        board_arithmetic.told(notebook)


def test_pictures_of_a_training_show_a_trained_model_and_no_stored_picture_has_anything_to_press(site):
    told = site["14_heads_that_learn"].find_all(string=re.compile(r"^Step \d+: "))
    assert len(told) == 3 and all(re.match(r"Step 200: loss 0\.0\d, accuracy 1\.00\.", each) for each in told)
    for page in site.values():
        assert page.select(".cell_output :is(button, input, select, textarea, form)") == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_drawings_are_part_of_their_page_with_its_colours_and_say_the_same_as_the_images_did(path, site):
    cells = [cell for cell in nbformat.read(path, 4).cells if "import Train\n" not in cell.source]  # the site trains
    stored = [alt for cell in cells for alt, svg in _images(cell) if drawings.WHITE in svg]
    drawn = site[path.stem].select(".drawn")
    assert {each["aria-label"] for each in drawn} >= set(stored) and len(drawn) >= len(stored)
    for each in drawn:
        assert not each.select("[tabindex], [role=radio], rect[fill='#fff'][width='100%']")
    assert not any(drawings.WHITE in svg for _, svg in _images_in(site[path.stem]))


def _images(cell):
    shown = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
    return _images_in(BeautifulSoup("".join(shown), "html.parser"))


def _images_in(soup):
    images = soup.select('img[src^="data:image/svg"]')
    return [(each["alt"], unquote(each["src"].replace("\n", ""))) for each in images]


def test_no_page_asks_for_a_key_that_only_a_notebook_knows(site):
    for name, page in site.items():
        said = " ".join(page.select_one("article").get_text(" ").split()) if page.select_one("article") else ""
        asked = re.findall(r"[^.]*Shift \+ Enter", said)
        assert all("To run one, open the lesson as a notebook" in each for each in asked), name
        assert "cell below and press" not in said and "You have just changed that" not in said


def test_what_a_lesson_newly_says_of_a_notebook_stops_the_build_and_so_does_a_phrase_that_no_lesson_says():
    notebooks = [nbformat.read(path, 4) for path in NOTEBOOKS]
    phrases.check(notebooks)
    notebooks[4].cells[2].source += "\nRun this cell again."
    with pytest.raises(ValueError, match="a page cannot say “Run this cell again"):
        phrases.check(notebooks)
    with pytest.raises(ValueError, match="no lesson says any more: Click into"):
        phrases.check(notebooks[1:])


def test_the_first_page_speaks_of_live_pages_only_where_there_are_some():
    notebooks = {path.stem: nbformat.read(path, 4) for path in NOTEBOOKS[:1]}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = [pages.first_page(readme, notebooks, addresses.Hosts(is_live=is_live)) for is_live in (False, True)]
    assert ["A page comes alive by itself" in each for each in told] == [False, True]
    assert ["Forms are pictures here" in each for each in told] == [True, False]
    assert not any("film." in each or "<picture" in each for each in told)


def test_formulas_are_drawn_by_the_browser_itself(site):
    lesson = site["03_scaled_scores"]
    assert len(lesson.select("math")) > 20
    assert not any("$" in each.get_text() for page in site.values() for each in page.select("p, li, th, td, h2, h3"))
    assert lesson.find("mo", form="prefix")


def test_a_long_formula_comes_in_parts_and_no_bracket_is_torn():
    torn = r"Q = (1, 0) \quad\to\quad \text{one \quad row} \qquad \left(\quad\right)"
    assert parts_of(torn) == ["Q = (1, 0)", r"\to", r"\text{one \quad row}", r"\left(\quad\right)"]


def test_a_hub_is_named_only_where_one_is_given():
    assert lessons.run_row("00_start_here", addresses.Hosts()).count("<a ") == 2
    address = addresses.Hosts("https://hub.example.org/").of("00_start_here")["on our hub"]
    assert address.startswith("https://hub.example.org/hub/user-redirect/git-pull?repo=")
    name = REPOSITORY.rpartition("/")[2]
    assert REPOSITORY in unquote(address) and f"lab/tree/{name}/notebooks/00_start_here.ipynb" in unquote(address)


def test_a_link_to_a_file_that_is_not_on_the_site_leads_to_the_repository():
    text = "[a](../README.md) [b](privacy.md) [c](LICENSE) [d](#x) [e](https://x.org)"
    found = pages.with_addresses(text, "docs/")
    shown = f"{REPOSITORY}/blob/HEAD"
    assert found == f"[a]({shown}/README.md) [b](privacy.md) [c]({shown}/docs/LICENSE) [d](#x) [e](https://x.org)"


def test_what_a_saved_notebook_keeps_of_a_living_widget_is_left_out():
    notebook = nbformat.read(NOTEBOOKS[0], 4)
    notebook.metadata.widgets = {"state": {}}
    (cell,) = [each for each in notebook.cells if each.id == "touch"]
    cell.outputs[0].data[WIDGET] = {"model_id": "1"}
    prepared = lessons.prepared(notebook, NOTEBOOKS[0].stem, set(), addresses.Hosts())
    assert "widgets" not in prepared.metadata and WIDGET not in str(prepared.cells)
    assert WIDGET in str(notebook.cells)  # the stored lesson stays as it is


def test_what_is_optional_is_closed_below_its_heading_and_the_core_is_in_sight(site):
    for path in NOTEBOOKS:
        cells = nbformat.read(path, 4).cells
        lines = [cell for cell in cells if re.search(r"^\*Optional, for", cell.source, re.MULTILINE)]
        closed = site[path.stem].select("section > details.beside:not([open])")
        assert len(closed) == len(lines)
        assert all(each.find_previous_sibling(re.compile("h[23]")) and each.summary.text.strip() for each in closed)
    core = site["06_heads"].find("section", id="two-heads-for-the-dog")
    assert not core.find_parent("details")
