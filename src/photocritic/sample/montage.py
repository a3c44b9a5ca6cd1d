"""A contact sheet of scenes."""

from collections.abc import Iterable

from PIL import Image

from photocritic.images.decoding import decode
from photocritic.sample.canvas.grid import SIZE
from photocritic.sample.scene import Scene


def montage(
    scenes: Iterable[Scene],
    columns: int = 10,
    *,
    tile: int = SIZE,
    gap: int = 4,
    background: tuple[int, int, int] = (255, 255, 255),
) -> Image.Image:
    """Draw scenes side by side, row by row.

    Parameters
    ----------
    scenes : iterable of Scene
        What to show; at least one.
    columns : int
        Pictures in a row.
    tile : int
        Side of a picture in pixels.
    gap : int
        Pixels between pictures.
    background : (int, int, int)
        Color of the gaps.

    Returns
    -------
    PIL.Image.Image
        The sheet, in RGB.

    Raises
    ------
    ValueError
        There is no scene, or `columns` is below 1.
    """
    pictures = [decode(scene.image) for scene in scenes]
    if not pictures or columns < 1:
        raise ValueError("a contact sheet needs at least one scene and one column")
    rows = -(-len(pictures) // columns)
    pitch = tile + gap
    sheet = Image.new("RGB", (min(columns, len(pictures)) * pitch - gap, rows * pitch - gap), background)
    for number, picture in enumerate(pictures):
        fitted = picture if tile == SIZE else picture.resize((tile, tile), Image.Resampling.LANCZOS)
        sheet.paste(fitted, (number % columns * pitch, number // columns * pitch))
    return sheet
