"""MLflow's model registry: the versions of one model, and the aliases that name the champion and its challenger."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING

from photocritic.core.errors import TrackingError
from photocritic.tracking.mlflow_store import open_client, using_this_store
from photocritic.tracking.run_records import Run

if TYPE_CHECKING:
    from mlflow.models import ModelSignature
    from pandas import DataFrame

NAME = "photocritic"  # of the registered model
CHAMPION, CHALLENGER = "champion", "challenger"


@dataclass(frozen=True)
class Version:
    """A version of the registered model.

    Attributes
    ----------
    number : str
        Its number.
    tags : dict of str to str
        What is known of it.
    """

    number: str
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Model:
    """What a version is made of.

    Attributes
    ----------
    code : Path
        Python file that calls `mlflow.models.set_model`.
    artifacts : dict of str to Path
        Files and folders that are kept with it, by the names under which the code finds them.
    signature : ModelSignature
        Its inputs and outputs.
    example : DataFrame
        A request.
    config : dict of str to int
        Settings that can be changed on loading, with MLFLOW_PYFUNC_INFERENCE_CONFIG.
    """

    code: Path
    artifacts: dict[str, Path]
    signature: "ModelSignature"
    example: "DataFrame"
    config: dict[str, int]


def find(alias: str) -> Version | None:
    """Return the version that an alias points to, or None."""
    client = open_client()
    for model in client.search_registered_models(f"name = '{NAME}'"):
        if alias in model.aliases:
            found = client.get_model_version(NAME, str(model.aliases[alias]))
            return Version(str(found.version), dict(found.tags))
    return None


def add(run: Run, model: Model, tags: Mapping[str, str], description: str) -> Version:
    """Log a model on a run and register it as a new version.

    Parameters
    ----------
    run : Run
        The run that it comes from.
    model : Model
        What it is made of; nothing is pickled.
    tags : mapping of str to str
        Of the version.
    description : str
        What the registry's page says of it.

    Returns
    -------
    Version
        The new one; no alias points to it yet.
    """
    import mlflow

    client = open_client()
    with using_this_store(), mlflow.start_run(run_id=run.run_id):
        logged = mlflow.pyfunc.log_model(
            name=NAME,
            python_model=str(model.code),
            artifacts={name: str(path) for name, path in model.artifacts.items()},
            model_config=model.config,
            signature=model.signature,
            input_example=model.example,
            pip_requirements=[f"photocritic=={installed('photocritic')}"],  # which pins all that it needs
        )
    if not client.search_registered_models(f"name = '{NAME}'"):
        client.create_registered_model(NAME, description="Captioners of photographs, by photocritic.")
    made = client.create_model_version(
        NAME, logged.model_uri, run.run_id, dict(tags), description=description, model_id=logged.model_id
    )
    return Version(str(made.version), dict(tags))


def point(alias: str, to: Version) -> None:
    """Make an alias point to a version."""
    open_client().set_registered_model_alias(NAME, alias, to.number)


def tag(version: Version, tags: Mapping[str, str]) -> None:
    """Set tags of a version."""
    client = open_client()
    for key, value in tags.items():
        client.set_model_version_tag(NAME, version.number, key, value)


def ask(version: Version, requests: Iterable["DataFrame"]) -> Iterator["DataFrame"]:
    """Predict with a version's model.

    Parameters
    ----------
    version : Version
        Which one.
    requests : iterable of DataFrame
        As its signature says.

    Yields
    ------
    DataFrame
        The prediction for each.

    Raises
    ------
    TrackingError
        It cannot be loaded, or fails on a request.
    """
    import mlflow

    try:
        with using_this_store():
            model = mlflow.pyfunc.load_model(f"models:/{NAME}/{version.number}")
    except Exception as error:  # a model's code may raise anything
        raise _unusable(version, error) from None
    for request in requests:
        try:
            answer: DataFrame = model.predict(request)
        except Exception as error:
            raise _unusable(version, error) from None
        yield answer


def _unusable(version: Version, error: Exception) -> TrackingError:
    return TrackingError(f"model {NAME} version {version.number}: {' '.join(str(error).split())}")
