"""Image files and requests of every kind, for the tests of what parses them and of the server."""

import base64
import io

from PIL import Image


def file(kind="JPEG", mode="RGB", size=(48, 32), **options):
    """Give an image file's content."""
    buffer = io.BytesIO()
    drawn = Image.linear_gradient("L").resize(size)
    (drawn if mode == "L" else drawn.convert(mode)).save(buffer, kind, **options)
    return buffer.getvalue()


def text(content):
    return base64.b64encode(content).decode()


def photograph(kind="JPEG", mode="RGB", **options):
    return text(file(kind, mode, **options))


def blank(side):
    """Give a square without anything on it: a small file of many pixels."""
    buffer = io.BytesIO()
    Image.new("1", (side, side)).save(buffer, "PNG")
    return text(buffer.getvalue())


def rows(*texts):
    return {"dataframe_records": [{"image": one} for one in texts]}


def turned():
    orientation = Image.Exif()
    orientation[0x0112] = 6
    return photograph(exif=orientation)


FORMS = {
    "split": lambda one: {"dataframe_split": {"columns": ["image"], "data": [[one], [one]]}},
    "split with more": lambda one: {
        "dataframe_split": {"index": [5, 6], "columns": ["id", "image"], "data": [[1, one], [2, one]]}
    },
    "records": lambda one: rows(one, one),
    "inputs by column": lambda one: {"inputs": {"image": [one, one]}},
    "inputs as texts": lambda one: {"inputs": [one, one]},
    "instances": lambda one: {"instances": [{"image": one}, {"image": one}]},
    "in lines": lambda one: rows(*["\n".join(one[at : at + 76] for at in range(0, len(one), 76))] * 2),
}

BODIES = {
    "no images": (rows(), 400, "no image in the request"),
    "no images in a column": ({"inputs": {"image": []}}, 400, "no image in the request"),
    "another column": ({"dataframe_records": [{"picture": "AAAA"}]}, 400, "no column 'image'; it has 'picture'"),
    "a row without": ({"dataframe_records": [{"image": "AAAA"}, {}]}, 400, "row 2 of 2: no column 'image'"),
    "rows that are texts": ({"dataframe_records": ["AAAA"]}, 400, "row 1 of 1: not an object"),
    "no rows": ({"dataframe_records": 5}, 400, "dataframe_records must be a list"),
    "another column, split": ({"dataframe_split": {"columns": ["a"], "data": [["AAAA"]]}}, 400, "it has 'a'"),
    "a row too long": (
        {"dataframe_split": {"columns": ["image"], "data": [["AAAA", 1]]}},
        400,
        "row 1 of 1: not a list of 1",
    ),
    "no data": ({"dataframe_split": {"columns": ["image"]}}, 400, "dataframe_split must be"),
    "no split": ({"dataframe_split": "AAAA"}, 400, "dataframe_split must be"),
    "other inputs": ({"inputs": {"picture": ["AAAA"]}}, 400, "inputs has no column 'image'"),
    "null": ({"inputs": None}, 400, "inputs must be a list, a row an image; it is null"),
    "nothing": ({}, 400, "with one of dataframe_split, dataframe_records, inputs, instances; it has nothing"),
    "two forms": ({"inputs": ["AAAA"], "instances": ["AAAA"]}, 400, "it has 'inputs', 'instances'"),
    "an unknown key": ({"inputs": ["AAAA"], "beam": 9}, 400, "'beam' beside 'inputs'"),
    "params": ({"inputs": ["AAAA"], "params": {"beam": 9}}, 400, "takes no params"),
    "a list": (["AAAA"], 400, "must be a JSON object"),
    "not a number": ('{"inputs": [NaN]}', 400, "NaN is no JSON value"),
    "half of JSON": (
        '{"inputs": ["AA',
        400,
        "the body is not JSON: Unterminated string starting at (line 1, column 13)",
    ),
    "no JSON": ("a text", 400, "the body is not JSON"),
    "no body": ("", 400, "the body is not JSON"),
    "no UTF-8": (b'{"inputs": ["\xff"]}', 400, "the body is not JSON: not UTF-8"),
    "nested": ("[" * 1500, 400, "the body is nested too deeply: send JSON of at most 64 levels"),
    "nested a little too deeply": ('{"inputs":' + "[" * 64 + "]" * 64 + "}", 400, "the body is nested too deeply"),
    "nested as deeply as may be": ('{"inputs":' + "[" * 63 + "]" * 63 + "}", 400, "image 1 of 1: a list where base64"),
    "nested deeply": ('{"inputs":' + "[" * 9**5, 413, "far more values than images"),
    "too many images": (rows(*["AAAA"] * 101), 413, "101 images: send at most 100 images a request"),
    "very many images": (rows(*["AAAA"] * 10**5), 413, "far more values than images"),
}


def refused(answer, status, words):
    """Check that an answer is an error that tells what was wrong, and neither more of the server nor the request."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert set(body) == {"error_code", "message"}
    assert words in body["message"]
    assert "Traceback" not in body["message"]
    assert len(body["message"]) < 300
