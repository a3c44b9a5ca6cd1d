"""The page in which `dvc plots show` and `dvc plots diff` draw, with the scripts that draw inside: it needs no network.

DVC's own page fetches Vega from the internet. This one is written into the environment when that is made, and
.dvc/config names it there (`plots.html_template`).
"""

import sys
from pathlib import Path

from photocritic.core.files import atomic_file

VEGA_LITE = "5.21"  # the last of version 5, in which DVC's templates and ours are written
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{refresh_tag}
<title>Plots · photocritic</title>
<style>
body {{ margin: 2rem; font: 14px/1.4 system-ui, sans-serif; color: #222; background: #fff;
        display: flex; flex-wrap: wrap; gap: 2rem 3rem; align-items: flex-start; }}
body > div {{ max-width: 100%; overflow-x: auto; }}
table {{ border-spacing: 15px; }}
</style>
<script>{scripts}</script>
</head>
<body>
{plot_divs}
</body>
</html>
"""


def write(path: Path) -> None:
    """Write the page's template, in which DVC fills in the plots.

    Parameters
    ----------
    path : Path
        The file to write.
    """
    import vl_convert

    scripts = vl_convert.javascript_bundle(vl_version=VEGA_LITE)  # type: ignore[call-arg]  # the snippet is optional
    page = PAGE.format(refresh_tag="{refresh_tag}", scripts=scripts, plot_divs="{plot_divs}")
    with atomic_file(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.prefix) / "plots.html")
