"""`photocritic filter`: judging a file of comments, and learning from judged ones."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

_JUDGE = "judge"


class _JudgesByDefault(TyperGroup):
    """A group whose first command need not be named: `filter COMMENTS` is `filter judge COMMENTS`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Name the first command where no other is named."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [_JUDGE, *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


app = typer.Typer(
    cls=_JudgesByDefault,
    no_args_is_help=True,
    help="Filter the comments of a file (`filter COMMENTS` is `filter judge COMMENTS`), or learn from judged ones.",
)


@app.command(_JUDGE)
def judge(
    comments: Annotated[Path, typer.Argument(help="JSON Lines or CSV file: image, text, and what else is known.")],
    out: Annotated[Path, typer.Option(help="Parquet table to write: a row a comment or sentence.")] = Path(
        "captions.parquet"
    ),
    chain: Annotated[str, typer.Option(help="Filters of a preset: critique, aic, deja or conceptual.")] = "",
    score: Annotated[
        str, typer.Option(help="informativeness, agreement, specificity, learned, or several with commas between.")
    ] = "",
    threshold: Annotated[
        str, typer.Option(help='Least score kept: a number, auto, "keep 0.3", or of learned "precision 0.9".')
    ] = "",
    unit: Annotated[str, typer.Option(help="What is judged: comment or sentence.")] = "",
    explain: Annotated[
        list[str] | None, typer.Option(help="Id of a comment whose score is explained; can be repeated.")
    ] = None,
) -> None:
    """Filter the comments of a file: each is kept or rejected, with its score and the reason.

    What no option says is as in params.yaml. What makes up the scores nearest to the threshold is beside the table, in
    the folder .tables, in near_misses.csv.
    """
    from photocritic.config import presets
    from photocritic.filtering.filter_file import filter_file

    outcome = filter_file(comments, out, presets.for_filter(chain, score, threshold, unit), explain or ())
    _print_explained(outcome.tables["near_misses"], explain or [])
    sys.stdout.write(json.dumps({"out": str(out), **outcome.metrics}, indent=1) + "\n")


@app.command("train")
def train(
    judged: Annotated[Path, typer.Argument(help="CSV file: text, image, and grade (0 to 3) or keep (0 or 1).")],
    out: Annotated[Path, typer.Option(help="Model to write, for filter.model.")] = Path("critique.safetensors"),
    comments: Annotated[
        Path | None, typer.Option(help="File of the community's comments, to learn what its words are like.")
    ] = None,
    curve: Annotated[bool, typer.Option("--curve", help="Measure the learning curve, too: some minutes.")] = False,
) -> None:
    """Learn from judged comments which comments inform: the model of `filter.score: learned`.

    Prints how well that works on comments that the model has not seen, and which signals and words decide.
    """
    from rich.console import Console

    from photocritic.config import presets
    from photocritic.filtering.critique.train_critique import train_critique

    outcome = train_critique(judged, out, presets.for_filter(), comments, curve)
    console = Console()
    console.print(f"{outcome.metrics['judged']:.0f} judged comments, {outcome.metrics['informative']:.0%} informative")
    for name in ("quality", "learning_curve", "signals", "words"):
        if rows := outcome.tables.get(name):
            console.print(_table(name.replace("_", " "), rows[:_SHOWN]))
    sys.stdout.write(
        f"{out}: use it by `filter.score: learned` and `filter.model: {out}`; tables in {out.with_suffix('.tables')}\n"
    )


_SHOWN = 12  # rows of a table that are printed; its file has all


def _table(title: str, rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(*rows[0], title=title, box=None)
    for row in rows:
        table.add_row(*(f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()))
    return table


def _print_explained(rows: list[dict[str, Any]], asked: list[str]) -> None:
    from rich.console import Console

    for comment in dict.fromkeys(asked):
        own = [row for row in rows if row["comment_id"] == comment and row["side"] == "asked for"]
        shares = [{"signal": row["signal"], "share": row["share"]} for row in own]
        Console().print(
            _table(f"{comment}: {own[0]['score']}", shares) if own else f"{comment}: nothing makes up its score"
        )
