"""The small trainings of toy.py, which runs as a script too."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def toy() -> ModuleType:
    spec = importlib.util.spec_from_file_location("training_toy", Path(__file__).with_name("toy.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
