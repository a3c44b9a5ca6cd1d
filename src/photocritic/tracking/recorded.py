"""What the tracking store has of runs that are over."""

from dataclasses import dataclass

from photocritic.tracking.runs import EXPERIMENT, open_client, uri


@dataclass(frozen=True)
class Recorded:
    """What the store has of a stage's latest run.

    Attributes
    ----------
    address : str
        Of its page, where the store is a server; else empty.
    run_id, status : str
        Its id, and how it ended.
    metrics : dict of str to float
        The last value of each.
    gates : dict of str to str
        Each table's verdict.
    tags : dict of str to str
        What else is known of it, such as `champion.verdict` of evaluate.
    """

    address: str
    run_id: str
    status: str
    metrics: dict[str, float]
    gates: dict[str, str]
    tags: dict[str, str]


def latest(name: str) -> Recorded | None:
    """Find the latest run of a stage, such as `lstm_train@cws`; None where it never ran."""
    client = open_client()
    experiment = client.get_experiment_by_name(EXPERIMENT)
    wanted = f"attributes.run_name = '{name}'"
    runs = experiment and client.search_runs(
        [experiment.experiment_id], wanted, max_results=1, order_by=["attributes.start_time DESC"]
    )
    if not runs:
        return None
    info, tags = runs[0].info, runs[0].data.tags
    page = f"{uri()}/#/experiments/{info.experiment_id}/runs/{info.run_id}" if uri().startswith("http") else ""
    gates = {key.removeprefix("gate."): value for key, value in tags.items() if key.startswith("gate.")}
    return Recorded(page, info.run_id, info.status, dict(runs[0].data.metrics), gates, dict(tags))
