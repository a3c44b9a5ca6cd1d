"""The section report: what the page shows."""

from typing import Annotated

from pydantic import Field

from photocritic.config.values import Section


class ReportParams(Section):
    """What the report shows of single images."""

    gallery: Annotated[int, Field(ge=0)]
