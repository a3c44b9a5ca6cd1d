"""The report's part on styles: a table for each style, what the judges are worth, and captions."""

from collections.abc import Mapping, Sequence

from photocritic.evaluation.styles import OVERLAP, StyledCaptions, StyleFindings
from photocritic.metrics.columns import label
from photocritic.report.blocks import Block, Cell, Row, Section, Table
from photocritic.report.figures import colours
from photocritic.report.published import ERG_JUDGES, ERG_TABLE_2
from photocritic.styles.styled_captions import FACTUAL

_PUBLISHED = (
    "ERG rows: Table 2, measured on other photographs; its CIDEr stands under CIDEr-D, which the COCO caption "
    "evaluation calls CIDEr."
)
EXAMPLES = 8  # images whose captions in all styles are shown, for each variant
_HINTS = {
    "cls": "share of the captions that the style's classifier takes for the style",
    "ppl": "perplexity of the captions in the style's language model; lower is better",
}


def style_tables(findings: StyleFindings) -> list[Table]:
    """Return a table for each style, in the shape of ERG Table 2, and one on the judges."""
    first = next(iter(findings.captions.values()))
    shades = colours([own.variant for own in first if own.style == FACTUAL])  # as in the other tables
    return [*(_style(style, findings, shades) for style in findings.captions), _judges(findings)]


def style_section(findings: StyleFindings | None) -> Section | None:
    """Return the section on captions in styles; None where there are none."""
    if findings is None:
        return None
    blocks: list[Block] = [*style_tables(findings)]
    blocks += [_examples(variant, findings) for variant in findings.variants()]
    return Section("Style", blocks, intro=_intro(findings))


def _intro(findings: StyleFindings) -> str:
    counts = (
        f"{len(target.places):,} of {findings.images:,} photographs held back have captions that are {style}"
        for style, target in findings.targets.items()
    )
    return (
        "; ".join(counts) + ". They are the references here; the other photographs are left out of the style's table."
    )


def _style(style: str, findings: StyleFindings, shades: Mapping[str, str]) -> Table:
    found = findings.captions[style]
    keys = [key for key in (*OVERLAP, "cls", "ppl") if key in found[0].corpus]
    best = _best([own for own in found if own.style == style], keys)
    rows = [
        Row(
            own.variant,
            [
                Cell(own.style),
                *(
                    Cell(_spelled(key, value), own.style == style and value == best.get(key))
                    for key, value in ((key, own.corpus[key]) for key in keys)
                ),
            ],
            shades[own.variant],
        )
        for own in found
    ]
    rows += [
        Row(f"ERG {model}", [Cell(data), *(_cell(key, values.get(key)) for key in keys)], muted=True)
        for (model, data), values in ERG_TABLE_2.get(style, {}).items()
    ]
    columns = [
        (style, "variant, as in params.yaml"),
        ("says", f"captions that are {style}, or factual ones for comparison; in ERG's rows, what was learned from"),
        *((_title(key), _HINTS.get(key, "against the captions in the style")) for key in keys),
    ]
    note = "Bold: best of those that speak in the style."
    return Table(columns, rows, f"{note} {_PUBLISHED}" if style in ERG_TABLE_2 else note)


def _best(some: Sequence[StyledCaptions], keys: Sequence[str]) -> dict[str, float]:
    if len(some) < 2:
        return {}
    return {
        key: (min if key == "ppl" else max)(own.corpus[key] for own in some)
        for key in keys
        if len({own.corpus[key] for own in some}) > 1
    }


def _judges(findings: StyleFindings) -> Table:
    quality = findings.quality
    rows = [
        Row(
            name,
            [
                Cell(f"{quality.learned[name]:,}"),
                Cell(f"{quality.tried[name]:,}"),
                _cell("cls", accuracy),
                _cell("ppl", quality.perplexity[name]),
            ],
        )
        for name, accuracy in quality.by_style.items()
    ]
    if len(rows) > 1:
        rows.append(Row("mean", [Cell(""), Cell(""), _cell("cls", quality.accuracy), Cell("")]))
    published = {name: ERG_JUDGES[name] for name in quality.perplexity if name in ERG_JUDGES}
    rows += [
        Row(f"ERG {name}", [Cell(""), Cell(""), _cell("cls", accuracy), _cell("ppl", perplexity)], muted=True)
        for name, (accuracy, perplexity) in published.items()
    ]
    columns = [
        ("judges", "a classifier and a language model of each style"),
        ("learned from", "by the classifier: kept captions of training images, in the style and factual"),
        ("tried on", "kept captions of the photographs held back, in the style and factual"),
        ("accuracy", "share of the captions tried that the style's classifier gives their class"),
        ("perplexity", "of the captions tried that are in the style, in its language model"),
    ]
    note = (
        "The judges have learned from captions of training images alone; a style's classifier separates "
        "the style from factual captions, as ERG's (section 4.4), and not from other styles. SRILM's perplexity leaves "
        "out unknown words, which count here."
    )
    return Table(columns, rows, note)


def _examples(variant: str, findings: StyleFindings) -> Table:
    """Return the table of the first images that the variant captions in all its styles."""
    texts: dict[str, dict[str, str]] = {}
    for style, target in findings.targets.items():
        for own in findings.captions[style]:
            if own.variant == variant:
                pairs = zip(target.examples, own.captions, strict=True)
                texts.setdefault(own.style, {}).update((example.image_id, one.text) for example, one in pairs)
    shared = sorted(set.intersection(*(set(some) for some in texts.values())))[:EXAMPLES]
    styles = [FACTUAL, *(style for style in texts if style != FACTUAL)]
    rows = [Row(image, [Cell(texts[style][image]) for style in styles]) for image in shared]
    return Table([(f"{variant} says", "photograph"), *((style, "") for style in styles)], rows, wordy=True)


def _title(key: str) -> str:
    return f"{key}." if key in _HINTS else label(key)


def _cell(key: str, value: float | None) -> Cell:
    return Cell("" if value is None else _spelled(key, value))


def _spelled(key: str, value: float) -> str:
    return {"cls": f"{value:.1%}", "ppl": f"{value:,.1f}"}.get(key, f"{value:.3f}")
