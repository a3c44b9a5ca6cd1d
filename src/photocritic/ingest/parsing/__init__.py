"""How files are taken apart, whatever corpus they belong to."""
