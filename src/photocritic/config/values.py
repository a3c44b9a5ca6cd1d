"""The types that all sections of params.yaml share."""

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from photocritic.core import plugins, pretrained_name

T = TypeVar("T")

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(gt=0)]
Rate = Annotated[float, Field(gt=0.0)]
Seed = Annotated[int, Field(ge=0, lt=2**32)]
# Names become parts of paths, of DVC's stages and of MLflow's keys; .dvcignore says the same to DVC.
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$", max_length=64)]
AUTO: Final = "auto"  # a value that is chosen for the engine at hand
Features = Literal["weak", "labels", "imagenet", "random", "regions", "fisher", "gist", "tinyimage"]


def _is_local(path: Any) -> Any:
    """Refuse what DVC, which takes the value as a dependency, would ask another machine for."""
    if not str(path).strip() or "://" in str(path):
        raise ValueError("must be the path of a folder or file on this machine")
    return path


def _has_fitting_revision(name: str) -> str:
    pretrained_name.split(name)
    return name


def known(kind: str, *also: str) -> AfterValidator:
    """Return what refuses a name that neither an extension of this kind has nor is one of some others."""

    def check(name: str) -> str:
        if message := plugins.problem(kind, name, *also):
            raise ValueError(message)
        return name

    return AfterValidator(check)


def bundled_presets() -> Path:
    """Return the folder of the presets that come with the package."""
    installed = Path(__file__).parents[1] / "presets"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "presets"


def defaults() -> dict[str, Any]:
    """Return all values of presets/sample.yaml, the only source of defaults."""
    return deepcopy(_sample())


@lru_cache(maxsize=1)
def _sample() -> dict[str, Any]:
    from ruamel.yaml import YAML

    content: dict[str, Any] = YAML(typ="safe").load((bundled_presets() / "sample.yaml").read_text(encoding="utf-8"))
    return content


Pretrained = Annotated[str, AfterValidator(_has_fitting_revision)]  # a path, or NAME@REVISION of the hub
Local = Annotated[T, BeforeValidator(_is_local)]  # a path that dvc.yaml depends on


class Block(BaseModel):
    """Base of all that params.yaml is made of: frozen, with finite numbers alone, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)


class Section(Block):
    """A section of params.yaml: a key that is absent has the value of presets/sample.yaml."""

    section: ClassVar[str] = ""  # its name, where the class is not called after it
    ordered: ClassVar[tuple[str, ...]] = ()  # keys of which none may be above the next

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, raw: Any) -> Any:
        if not isinstance(raw, Mapping):
            return raw
        name = cls.section or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Params")).lower()
        known = {key: value for key, value in defaults()[name].items() if key in cls.model_fields}
        return {**known, **raw}

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        for low, high in pairwise(self.ordered):
            if getattr(self, low) > getattr(self, high):
                raise ValueError(f"{low} {getattr(self, low)} is above {high} {getattr(self, high)}")
        return self
