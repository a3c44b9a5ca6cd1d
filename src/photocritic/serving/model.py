"""The code that MLflow keeps with a registered model and runs when the model is loaded: no object is pickled."""

from mlflow.models import set_model

from photocritic.serving.pyfunc import PhotocriticModel

set_model(PhotocriticModel())
