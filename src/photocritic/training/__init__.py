"""The one training loop, its exact resume, and weights on disk; import from the modules, which load torch."""
