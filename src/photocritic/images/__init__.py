"""Images: formats, limits, opening, decoding, thumbnails, perceptual hash; the only place that opens a picture."""
