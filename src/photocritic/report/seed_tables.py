"""Numbers over seeds as tables."""

from collections.abc import Callable, Sequence

from photocritic.evaluation.seeds import SeedEstimate
from photocritic.metrics.columns import label
from photocritic.report.blocks import Cell, Row, Table, markdown

_MEANS = "Mean ± standard deviation over seeds; in brackets the 95% bootstrap interval over the photographs."
_DIFFERENCES = (
    "Mean difference, paired by seed, and its 95% interval over seeds (Student's t); in brackets the bootstrap one "
    "over the photographs. Where an interval holds 0, no difference is shown."
)


def seeds_markdown(estimates: Sequence[SeedEstimate]) -> str:
    """Write what `over_seeds` returns in Markdown: the means of all conditions, and the differences between them."""
    means = [one for one in estimates if not one.baseline]
    differences = [one for one in estimates if one.baseline]
    text = f"{_MEANS}\n\n{markdown(_table(means, 'variant', _mean))}"
    if differences:
        text += f"\n{_DIFFERENCES}\n\n{markdown(_table(differences, 'pair', _difference))}"
    return text


def _table(estimates: Sequence[SeedEstimate], title: str, cell: Callable[[SeedEstimate], str]) -> Table:
    keys = list(dict.fromkeys(one.metric for one in estimates))
    rows: dict[str, dict[str, SeedEstimate]] = {}
    for one in estimates:
        name = f"{one.condition} − {one.baseline}" if one.baseline else one.condition
        rows.setdefault(name, {})[one.metric] = one
    columns = [(title, ""), ("seeds", ""), *((label(key), "") for key in keys)]
    return Table(
        columns,
        [
            Row(
                name,
                [
                    Cell(str(next(iter(found.values())).seeds)),
                    *(Cell(cell(found[key]) if key in found else "") for key in keys),
                ],
            )
            for name, found in rows.items()
        ],
    )


def _mean(one: SeedEstimate) -> str:
    return f"{one.mean:.3f} ± {one.deviation:.3f}" + _over_photographs(one, ".3f")


def _difference(one: SeedEstimate) -> str:
    return f"{one.mean:+.3f}, {one.low:+.3f} to {one.high:+.3f}" + _over_photographs(one, "+.3f")


def _over_photographs(one: SeedEstimate, form: str) -> str:
    if one.photographs_low is None or one.photographs_high is None:
        return ""
    return f" [{one.photographs_low:{form}} to {one.photographs_high:{form}}]"
