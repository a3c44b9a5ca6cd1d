"""photocritic: from what people write under photographs to a model that critiques photographs."""
