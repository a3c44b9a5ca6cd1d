"""A folder of photographs that somebody else has filled: whatever is in it, the others get their captions."""

import json
import os
import sys
from pathlib import Path

import pytest
import torch
from PIL import Image

from photocritic.cli.caption_commands import caption as caption_command
from photocritic.core.errors import ParamsError
from photocritic.vision.network import Network, NetworkConfig
from tests.images.files import DDS, POSTSCRIPT, encoded, odd_exif, png
from tests.serving.conftest import write_captioner, write_pipeline

RED = encoded(Image.new("RGB", (40, 30), "red"), "JPEG")


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """Make a project with a captioner that predicts white, and the untrained network that it sees by."""
    folder = tmp_path_factory.mktemp("project")
    torch.manual_seed(2)
    network = Network(NetworkConfig("weak", "resnet18", 32, 1, {"topics": 2}, []))
    network.save(folder / "data" / "cnn_pretrain" / "weak")
    captioner = folder / "data" / "lstm_train" / "white"
    write_captioner(captioner, "white", features=512)
    write_pipeline(folder / "data" / "predict" / "white", captioner, folder / "data" / "cnn_pretrain" / "weak")
    return folder


@pytest.fixture
def caption(trained, tmp_path, monkeypatch, capsys):
    """Return a function that captions the folder `photographs` and returns the captioned names, and reasons by name."""
    monkeypatch.chdir(trained)

    def run(variant: str = "white", **options: int) -> tuple[list[str], dict[str, str]]:
        out = tmp_path / "out.jsonl"
        caption_command(tmp_path / "photographs", out, variant, **options)
        rows, refused = _rows(out), _rows(out.with_suffix(".rejected.jsonl"))
        counts = f"{len(rows)} captions in {out}" + (f"; {len(refused)} unreadable images" if refused else "")
        assert capsys.readouterr().out == counts + "\n"
        assert {row["caption"] for row in rows} <= {"white"}
        return [row["image"] for row in rows], {row["image"]: row["reason"] for row in refused}

    (tmp_path / "photographs").mkdir()
    (tmp_path / "photographs" / "m.jpg").write_bytes(RED)
    return run


def test_without_a_name_the_champion_captions(caption, tmp_path):
    table = Path("reports/tables/report/champion.csv")
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text("variant,chosen\nother,False\nwhite,True\n")
    try:
        assert caption("")[0] == ["m.jpg"]
        table.write_text("variant,chosen\nother,False\nwhite,False\n")
        with pytest.raises(ParamsError, match=r"cws: no trained captioner; there are white"):
            caption("")
    finally:
        table.unlink()


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_damaged_images_cost_themselves_alone_and_odd_metadata_nothing(caption, tmp_path):  # H4, M7
    bad = {
        "a.jpg": (RED[: len(RED) // 2], "unreadable image: "),
        "b.jpg": (DDS, "unreadable image: not a known image format"),
        "c.jpg": (b"", "unreadable image: empty file"),
        "d.png": (png(13_300, 13_300), "image too large: 13300 x 13300 pixels"),
        "e.tif": (b"II*\0\x08\0\0\0\xff\xff" + bytes(60), "unreadable image: "),
    }
    for name, (data, _) in bad.items():
        (tmp_path / "photographs" / name).write_bytes(data)
    odd = encoded(Image.new("RGB", (40, 30), "red"), "JPEG", exif=odd_exif())
    (tmp_path / "photographs" / "z.jpeg").write_bytes(odd)
    with (tmp_path / "photographs" / "huge.jpg").open("wb") as stream:
        stream.truncate(6 << 30)
    names, reasons = caption()
    assert names == ["m.jpg", "z.jpeg"]
    assert set(reasons) == {*bad, "huge.jpg"}
    assert reasons["huge.jpg"] == "image too large: more than 256 MB"
    for name, (_, reason) in bad.items():
        assert reasons[name].startswith(reason)


@pytest.mark.timeout(120)
def test_pipes_and_links_that_lead_out_are_told_and_not_opened(caption, tmp_path):  # M1, H7
    folder = tmp_path / "photographs"
    os.mkfifo(folder / "a.jpg")
    (folder / "b.jpg").symlink_to("/dev/zero")
    (tmp_path / "private.jpg").write_bytes(RED)
    (folder / "c.jpg").symlink_to(tmp_path / "private.jpg")
    (folder / "d.jpg").symlink_to("d.jpg")
    (folder / "e.jpg").mkdir()
    (folder / "n.jpg").symlink_to("m.jpg")
    names, reasons = caption()
    assert names == ["m.jpg", "n.jpg"]
    out = "a link that leads out of the folder"
    assert (reasons.pop("a.jpg"), reasons.pop("b.jpg")) == ("unreadable file: not a regular file", out)
    assert reasons.pop("c.jpg") == out
    assert reasons.pop("d.jpg") == "unreadable file: Too many levels of symbolic links"
    assert not reasons


def test_no_program_is_started_on_postscript(caption, tmp_path, monkeypatch):  # M8
    started = tmp_path / "started"
    script = tmp_path / "bin" / "gs"
    script.parent.mkdir()
    script.write_text(f"#!{sys.executable}\nopen({str(started)!r}, 'w')\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
    (tmp_path / "photographs" / "zz.jpg").write_bytes(POSTSCRIPT)
    names, reasons = caption()
    assert names == ["m.jpg"]
    assert reasons["zz.jpg"].startswith("unreadable image: not a known image format")
    assert not started.exists()


def test_a_name_that_is_not_utf8_is_escaped(caption, tmp_path):  # M9
    folder = os.fsencode(tmp_path / "photographs")
    for name, data in ((b"caf\xe9.jpg", RED), (b"\xff\xfe.png", b"broken"), ("größe\x1b[31m.jpg".encode(), RED)):
        try:
            Path(os.fsdecode(folder + b"/" + name)).write_bytes(data)
        except OSError:
            pytest.skip("this file system takes no such names")
    names, reasons = caption()
    assert names == ["caf\\xe9.jpg", "größe\x1b[31m.jpg", "m.jpg"]
    assert list(reasons) == ["\\xff\\xfe.png"]


def test_photographs_of_telephones_and_floats_are_captioned(caption, tmp_path):  # L9, L10
    from pillow_heif import from_pillow

    from_pillow(Image.new("RGB", (40, 30), "red")).save(tmp_path / "photographs" / "IMG_1.HEIC", quality=50)
    Image.new("F", (40, 30), 0.5).save(tmp_path / "photographs" / "float.tiff")
    assert caption() == (["IMG_1.HEIC", "float.tiff", "m.jpg"], {})


def test_options_are_checked_by_the_strategy_that_the_captioner_has(caption, trained):
    with pytest.raises(ParamsError, match="seed: not used by strategy 'beam'"):
        caption(seed=3)
    drawn = trained / "data" / "predict" / "drawn"
    drawn.mkdir()
    settings = json.loads((drawn.parent / "white" / "pipeline.json").read_text())
    settings["decoding"]["strategy"] = "sample"
    (drawn / "pipeline.json").write_text(json.dumps(settings))
    assert caption("drawn", seed=3) == (["m.jpg"], {})
