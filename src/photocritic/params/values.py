"""What all sections of params.yaml are made of."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(gt=0)]
Rate = Annotated[float, Field(gt=0.0)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$")]
AUTO: Final = "auto"  # a value that is chosen for the engine at hand
Features = Literal["weak", "labels", "imagenet", "random", "regions"]


class Section(BaseModel):
    """Base of every section: frozen, and an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)
