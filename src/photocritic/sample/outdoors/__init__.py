"""What several outdoor scenes share: skies, water, land and trees."""
