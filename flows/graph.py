"""The pipeline's graph as DVC tells it: dvc.yaml is the only place where it is written."""

from contextlib import chdir
from dataclasses import dataclass
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


def read(folder: Path = Path()) -> list[Node]:
    """Read the graph in an order in which each stage comes after what it needs.

    Parameters
    ----------
    folder : Path
        The project's root.

    Returns
    -------
    list of Node
        Stages in topological order; stages that do not depend on each other in order of their names.
    """
    import networkx
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
    edges = networkx.DiGraph([(need, node.name) for node in nodes.values() for need in node.needs])
    edges.add_nodes_from(nodes)
    return [nodes[name] for name in networkx.lexicographical_topological_sort(edges)]


def stale(nodes: list[Node], folder: Path = Path()) -> set[str]:
    """Name the stages that DVC would look at again: those that have changed, and all that come after one of them.

    Parameters
    ----------
    nodes : list of Node
        The graph, as `read` gives it.
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
    """Put back what has run before, here or on any worker, and name the stages that have to run.

    It does of `dvc repro --pull` all but the running: outputs come from the cache of runs, whose newest records are
    fetched from the DVC remote first.

    Parameters
    ----------
    nodes : list of Node
        The graph, as `read` gives it.
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
