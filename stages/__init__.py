"""One short script a DVC stage; run as `python -m stages.NAME` from the project's folder."""
