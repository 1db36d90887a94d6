"""Writes codemeta.json, which software catalogues read, from CITATION.cff and pyproject.toml."""

import json
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
FILE = ROOT / "codemeta.json"
LICENCES = ["https://spdx.org/licenses/MIT", "https://spdx.org/licenses/CC-BY-4.0"]  # of the code, and of the text


def codemeta():
    """Return what a catalogue is told, in the words of CodeMeta 3.0."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "@context": "https://w3id.org/codemeta/3.0", "@type": "SoftwareSourceCode",
        "name": citation["title"], "description": project["description"], "version": citation["version"],
        "author": [{"@type": "Organization", "name": each["name"]} for each in citation["authors"]],
        "codeRepository": citation["repository-code"], "url": citation["url"], "license": LICENCES,
        "keywords": citation["keywords"], "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}", "softwareRequirements": project["dependencies"],
        "audience": {"@type": "EducationalAudience", "educationalRole": "student"},
    }  # fmt: skip


def text():
    """Return codemeta.json as it is written."""
    return json.dumps(codemeta(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
