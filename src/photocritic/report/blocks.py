"""The report: a few kinds of blocks in sections, rendered into one HTML file that needs nothing else.

Any stage can make one: fill a `Report` and call `write`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from photocritic.core.errors import PhotocriticError
from photocritic.core.files import atomic_file
from photocritic.report.cards import Gallery

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Fact:
    """One number of the header, such as ("photographs", "6,000")."""

    label: str
    value: str


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes
    ----------
    text : str
        What stands there.
    best : bool
        Whether it is the best of its column.
    note : str
        Small print beneath.
    bar : float, optional
        Share between 0 and 1, drawn as a bar behind the text.
    mark : str
        Stars or the like, raised after the text.
    """

    text: str
    best: bool = False
    note: str = ""
    bar: float | None = None
    mark: str = ""


@dataclass(frozen=True)
class Row:
    """One row of a table: its name, a colour dot where it is a variant, and its cells."""

    name: str
    cells: Sequence[Cell]
    colour: str = ""
    muted: bool = False


@dataclass(frozen=True)
class Table:
    """A table; `columns` are titles with an explanation that shows on hover; the first is the names'."""

    kind: ClassVar[str] = "table"
    columns: Sequence[tuple[str, str]]
    rows: Sequence[Row]
    note: str = ""
    wordy: bool = False  # cells hold sentences, not numbers
    folded: str = ""  # where it is not empty, the table opens on a click at these words


@dataclass(frozen=True)
class Picture:
    """A drawing: trusted SVG made by `figures.svg`, and the sentence under it."""

    kind: ClassVar[str] = "picture"
    svg: str
    note: str = ""


@dataclass(frozen=True)
class Thumbnail:
    """A small photograph: its data URI, and what it is called."""

    source: str
    title: str


@dataclass(frozen=True)
class Group:
    """Weighted words that belong together, such as a topic, and photographs that show it.

    Attributes
    ----------
    title, small : str
        The heading, and its small print.
    terms : sequence of (str, float)
        Words with their weights, relative to the first; may be none.
    pictures : sequence of Thumbnail
        May be none.
    """

    title: str
    small: str
    terms: Sequence[tuple[str, float]]
    pictures: Sequence[Thumbnail] = ()


@dataclass(frozen=True)
class Terms:
    """Groups of weighted words, side by side."""

    kind: ClassVar[str] = "terms"
    groups: Sequence[Group]


Block = Table | Picture | Terms | Gallery


@dataclass(frozen=True)
class Section:
    """A part of the report with its own heading."""

    title: str
    blocks: Sequence[Block]
    intro: str = ""

    @property
    def anchor(self) -> str:
        """The name that links lead to."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())


@dataclass(frozen=True)
class Report:
    """A whole page."""

    title: str
    lead: str
    facts: Sequence[Fact] = ()
    sections: Sequence[Section] = field(default_factory=list)
    foot: str = ""


def render(report: Report) -> str:
    """Make the page; all text is escaped, nothing is loaded from elsewhere.

    Parameters
    ----------
    report : Report
        What to show.

    Returns
    -------
    str
        One HTML document with its styles, script and images inside.
    """
    return _templates().get_template("report.html").render(report=report) + "\n"


def insert(page: str, sections: Sequence[Section]) -> str:
    """Add more sections at the end of a page that `render` made, and links to them into its navigation.

    Parameters
    ----------
    page : str
        The page.
    sections : sequence of Section
        What to put in.

    Returns
    -------
    str
        The whole page.

    Raises
    ------
    PhotocriticError
        The page was not made by `render`.
    """
    for end, name in (("</nav>", "link.html"), ("</main>", "section.html")):
        if page.count(end) != 1:  # whatever people wrote is escaped, so it stands there once
            raise PhotocriticError("not a report that evaluate wrote")
        template = _templates().get_template(name)
        page = page.replace(end, "\n".join([*(template.render(section=section) for section in sections), end]))
    return page


def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("photocritic.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def write(report: Report, path: Path) -> None:
    """Render a report into a file, whole or not at all."""
    with atomic_file(path) as temporary:
        temporary.write_text(render(report), encoding="utf-8")


def markdown(table: Table) -> str:
    """Write a table in Markdown, the best of each column bold."""
    lines = [[title for title, _ in table.columns]]
    lines += [[row.name, *map(_marked, row.cells)] for row in table.rows]
    escaped = [[text.replace("|", "\\|").replace("\n", " ") for text in line] for line in lines]
    rule = ["---", *["--:"] * (len(table.columns) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [escaped[0], rule, *escaped[1:]]) + "\n"


def _marked(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    return text + (f"<sup>{cell.mark}</sup>".replace("*", "\\*") if cell.mark else "")
