"""What the flows ask of DVC in Python.

DVC documents its commands and `dvc.api`, and neither has a stage's pool, the cache of runs alone, or a push of metrics
that git keeps. So this is the one file of the flows that uses DVC's own classes, and pyproject.toml caps its version.
`photocritic.core.reproduction` is its counterpart for the command, which may not import the flows.
"""

from contextlib import chdir
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path


@dataclass(frozen=True)
class Node:
    """One stage.

    Attributes
    ----------
    name : str
        As DVC addresses it, such as `lstm_train@cws`.
    needs : tuple of str
        Names of the stages whose outputs it reads.
    pool : str
        The work pool it wants, `cpu` or `gpu`.
    """

    name: str
    needs: tuple[str, ...]
    pool: str


def read_graph(folder: Path = Path()) -> list[Node]:
    """Read the graph of dvc.yaml in an order in which each stage comes after what it needs.

    Parameters
    ----------
    folder : Path
        The project's root.

    Returns
    -------
    list of Node
        Stages in topological order; those that wait for equally many others in a row in order of their names.
    """
    from dvc.repo import Repo

    with Repo(str(folder)) as repo:
        graph = repo.index.graph
        nodes = {
            stage.name: Node(
                name=stage.name,
                needs=tuple(sorted(needed.name for needed in graph.successors(stage))),
                pool=(stage.meta or {}).get("pool", "cpu"),
            )
            for stage in graph
        }
    sorter = TopologicalSorter({name: node.needs for name, node in nodes.items()})
    sorter.prepare()
    ordered: list[Node] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        ordered += [nodes[name] for name in ready]
        sorter.done(*ready)
    return ordered


def stale(nodes: list[Node], folder: Path = Path()) -> set[str]:
    """Return the stages that DVC would look at again: those that have changed, and all that come after one of them.

    Parameters
    ----------
    nodes : list of Node
        The graph, from `read_graph`.
    folder : Path
        The project's root.

    Returns
    -------
    set of str
        Names of stages; empty where everything is up to date.
    """
    from dvc.repo import Repo

    with Repo(str(folder)) as repo:
        found = set(repo.status())
    for node in nodes:
        if found.intersection(node.needs):
            found.add(node.name)
    return found


def restore(nodes: list[Node], folder: Path) -> set[str]:
    """Restore what has run before, here or on any worker, and return the stages that have to run.

    It does of `dvc repro --pull` all but the running: outputs come from the cache of runs, whose newest records are
    fetched from the DVC remote first.

    Parameters
    ----------
    nodes : list of Node
        The graph, from `read_graph`.
    folder : Path
        The project's root.

    Returns
    -------
    set of str
        Stages that have not run on what they depend on, and all that come after one of them.
    """
    from dvc.repo import Repo
    from dvc.stage.cache import RunCacheNotFoundError

    missing: set[str] = set()
    with chdir(folder), Repo() as repo, repo.lock:  # DVC reads the records' paths as from here
        repo.stage_cache.pull(None)
        stages = {stage.name: stage for stage in repo.index.graph}
        for node in nodes:
            if missing.intersection(node.needs):
                missing.add(node.name)
                continue
            stage = stages[node.name]
            if not stage.changed():
                continue
            stage.remove_outs()
            try:
                repo.stage_cache.restore(stage, pull=True)
            except RunCacheNotFoundError:
                missing.add(node.name)
    return missing


def push_metrics(stage: str, folder: Path) -> None:
    """Push a stage's metrics to the DVC remote.

    They are git's, so `dvc push` leaves them out; but without them DVC does not take the stage's run from the cache.

    Parameters
    ----------
    stage : str
        As DVC addresses it.
    folder : Path
        The project's root.

    Raises
    ------
    OSError
        The remote did not take them.
    """
    from dvc.repo import Repo

    with Repo(str(folder)) as repo:
        found = [
            out.hash_info
            for one in repo.index.stages
            if getattr(one, "name", "") == stage
            for out in one.outs
            if not out.use_cache
        ]
        if repo.cloud.push(found).failed:
            raise OSError(f"{stage}: its metrics could not be pushed")


def set_remote(name: str, options: dict[str, str], folder: Path, default: bool = False) -> None:
    """Set a DVC remote of this folder, and of no other clone.

    `dvc remote add` would show a password on its command line.

    Parameters
    ----------
    name : str
        Of the remote.
    options : dict of str to str
        Its address, and who asks there.
    folder : Path
        The project's root.
    default : bool
        Use it where no other is named.

    Raises
    ------
    ValueError
        DVC does not take the options.
    """
    from dvc.config import ConfigError
    from dvc.repo import Repo

    try:
        with Repo(str(folder)) as repo, repo.config.edit("local") as config:
            config["remote"][name] = options
            if default:
                config["core"]["remote"] = name
    except ConfigError as error:
        raise ValueError(str(error)) from error
