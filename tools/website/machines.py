"""What the pages say to machines: what each lesson teaches, as JSON-LD of schema.org, and what a shared link shows."""

import json
import re

import nbformat
from address import SITE
from minutes import about
from the_course import NOTEBOOKS, ROOT, pages

from mha_course.engine.pictures import markup

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
ROW = re.compile(r"^\| \[(.+?)\]\(notebooks/(\w+)\.ipynb\).*?\| (.+?) \|$", re.MULTILINE)
MINUTES = re.compile(r"(\d+) minutes")


def lessons():
    """Return each lesson's name with what a machine is told of it; the lesson before is what it needs."""
    found = ROW.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    return {
        name: {
            "@context": "https://schema.org", "@type": "LearningResource", "url": f"{SITE}/{name}.html",
            "name": title, "teaches": question, "timeRequired": f"PT{_minutes(name)}M", "inLanguage": "en",
            "license": LICENCE, "isAccessibleForFree": True, "learningResourceType": "interactive lesson",
            **({"competencyRequired": before[0]} if before else {}),
        }
        for before, (title, name, question) in zip([None, *found], found, strict=False)
    }  # fmt: skip


def _minutes(name):
    text = about(nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4)).source
    return MINUTES.search(text)[1]


def setup(app):
    """Let every page say what a link to it shows, and a lesson's what it teaches."""
    told, about_it = lessons(), pages()

    def _add(app, page, template, context, doctree):
        lesson = told.get(page, {})
        title = [lesson["name"]] if lesson else []
        shown = {
            "og:title": " · ".join([*title, app.config.project]), "og:type": "website",
            "og:description": lesson.get("teaches", about_it.summary()),
        }  # fmt: skip
        if about_it.PREVIEW:
            shown |= {"og:image": f"{SITE}/_static/{about_it.PREVIEW.name}", "og:image:alt": about_it.SHOWN}
        heads = [markup.single("meta", property=name, content=text) for name, text in shown.items()]
        heads.append(markup.single("meta", name="twitter:card", content="summary_large_image"))
        if lesson:
            context["is_lesson"] = True
            heads.append(markup.element("script", markup.Markup(json.dumps(lesson)), type="application/ld+json"))
        context["metatags"] = "\n".join([context.get("metatags", ""), *heads])

    app.connect("html-page-context", _add)
    return {"parallel_read_safe": True}
