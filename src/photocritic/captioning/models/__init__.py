"""Captioner models, one file each, found by name: it defines `build(config, **its own options)`."""
