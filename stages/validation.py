"""The tables that a stage declares, each through its gate, and what must hold between them."""

from photocritic import tables
from photocritic.config import Params
from photocritic.core.declaration import Declaration


def validate_inputs(declared: Declaration, params: Params) -> None:
    """Check every table that a stage declares among its dependencies.

    Parameters
    ----------
    declared : Declaration
        What dvc.yaml says of the stage.
    params : Params
        What the tables must fit, such as the number of topics.

    Raises
    ------
    TableError, GateFailed
        A table, or the network that has made features, is missing or damaged, fails its checks, has rows of images that
        are not at hand, or has another number of topics or features than it should.
    """
    for path in declared.tables:
        tables.validate_input(path, params)
