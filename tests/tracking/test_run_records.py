"""What a run records, in the form that MLflow takes."""

import pytest

from photocritic.tracking.run_records import _clean


@pytest.mark.parametrize(
    "key", ["style.a//b", "..", "", ".", "../../x", "/x", "a/../b", "x" * 300, "a\nb", "é ²", "a:b"]
)
def test_mlflow_takes_every_key_as_it_is_recorded(key):
    """L12: a style's name is part of the names of metrics."""
    from mlflow.utils.validation import _validate_metric_name, _validate_param_name

    _validate_metric_name(_clean(key))
    _validate_param_name(_clean(key))
    assert _clean("cws.bleu_1") == "cws.bleu_1"
