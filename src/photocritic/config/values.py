"""What all sections of params.yaml are made of."""

from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from photocritic.core import pretrained_name

T = TypeVar("T")

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(gt=0)]
Rate = Annotated[float, Field(gt=0.0)]
# Names become parts of paths, of DVC's stages and of MLflow's keys; .dvcignore says the same to DVC.
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$", max_length=64)]
AUTO: Final = "auto"  # a value that is chosen for the engine at hand
Features = Literal["weak", "labels", "imagenet", "random", "regions"]


def _is_local(path: Any) -> Any:
    """Refuse what DVC, which takes the value as a dependency, would ask another machine for."""
    if not str(path).strip() or "://" in str(path):
        raise ValueError("must be the path of a folder or file of this machine")
    return path


def _has_fitting_revision(name: str) -> str:
    pretrained_name.split(name)
    return name


Pretrained = Annotated[str, AfterValidator(_has_fitting_revision)]  # a path, or NAME@REVISION of the hub
Local = Annotated[T, BeforeValidator(_is_local)]  # a path that dvc.yaml depends on


class Section(BaseModel):
    """Base of every section: frozen, with finite numbers alone, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)
