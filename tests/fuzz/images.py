"""Fuzz the decoder of images: `python -m tests.fuzz.images --inputs 200000 --seed 1`.

Files of every format are damaged in many ways, and each must end decoded or with a reason of one line, in bounded
memory, time and number of processes. The same seed makes the same inputs.
"""

import argparse
import contextlib
import random
import re
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from PIL import Image

from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding_pool import WorkerPool
from photocritic.images.formats import register
from photocritic.images.worker_main import Operation, Task
from tests.images.files import encoded, odd_exif

MEMORY = 512 << 20  # that one image may take here
SECONDS = 10
_BASE = 256 << 20  # a worker's own memory, at most
_LOOKS = 500  # inputs between two looks at the processes
_INTERESTING = (
    b"\0",
    b"\xff",
    b"\x7f\xff",
    b"\x80\0",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\0\0\0\0",
    b"\1\0\0\0",
)

Mutation = Callable[[random.Random, bytes, list[bytes]], bytes]


def originals() -> list[bytes]:
    """Make small valid files of every format, in many of its modes and compressions."""
    register()
    noise = Image.effect_noise((33, 21), 90)
    colour = Image.merge("RGB", [noise, noise.rotate(180), noise.transpose(Image.Transpose.FLIP_LEFT_RIGHT)])
    frames = [colour.rotate(90 * turn).convert("P") for turn in range(3)]
    files = [encoded(colour, "JPEG", exif=odd_exif(turn, 0x8769, 4)) for turn in (1, 3, 6)]
    files += [
        encoded(colour, "JPEG", progressive=True),
        encoded(colour.convert("CMYK"), "JPEG"),
        encoded(noise, "JPEG"),
    ]
    files += [encoded(colour.convert(mode), "PNG") for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")]
    files += [
        encoded(colour, "PNG", exif=odd_exif(6)[6:]),
        encoded(frames[0], "PNG", save_all=True, append_images=frames),
    ]
    files += [encoded(colour, "WEBP", lossless=lossless) for lossless in (False, True)]
    files += [encoded(frames[0], kind, save_all=True, append_images=frames[1:]) for kind in ("GIF", "WEBP", "TIFF")]
    files += [encoded(colour.convert(mode), "TIFF") for mode in ("1", "L", "F", "I", "CMYK", "RGBA")]
    files += [encoded(colour, "TIFF", compression=f"tiff_{kind}") for kind in ("lzw", "deflate", "adobe_deflate")]
    files += [encoded(colour, "TIFF", compression=kind) for kind in ("jpeg", "packbits")]
    files += [encoded(colour.convert(mode), "BMP") for mode in ("1", "L", "P", "RGB", "RGBA")]
    files += [encoded(colour.convert(mode), "PPM") for mode in ("1", "L", "RGB")]
    files += [encoded(colour, "HEIF", quality=40), encoded(colour.convert("RGBA"), "HEIF", quality=40)]
    return [*files, b"P3 5 3 255\n" + b"1 2 3 " * 15]


def flip(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """Flip bits, mostly near the beginning, where headers are."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 2, 4, 16))):
        found[_place(chance, found)] ^= 1 << chance.randrange(8)
    return bytes(found)


def overwrite(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """Write numbers at which arithmetic goes wrong over fields."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place, value = _place(chance, found), chance.choice(_INTERESTING)
        found[place : place + len(value)] = value
    return bytes(found)


def cut(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """End the file too early."""
    return data[: chance.randrange(len(data))]


def remove(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """Take bytes out."""
    place = _place(chance, data)
    return data[:place] + data[place + chance.randint(1, 40) :]


def repeat(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """Have a part of the file several times."""
    begin = _place(chance, data)
    part = data[begin : begin + chance.randint(1, 400)]
    return data[:begin] + part * chance.randint(2, 50) + data[begin:]


def splice(chance: random.Random, data: bytes, files: list[bytes]) -> bytes:
    """Begin as one file and end as another."""
    other = chance.choice(files)
    return data[: chance.randrange(len(data))] + other[chance.randrange(len(other)) :]


def with_exif(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """Put metadata of odd types and lengths into a JPEG, or a random block of any kind."""
    body = bytearray(odd_exif(chance.randrange(10), chance.randrange(1 << 16), chance.randrange(14)))
    for _ in range(chance.randrange(4)):
        body[chance.randrange(6, len(body))] = chance.randrange(256)
    marker = chance.choice((0xE1, 0xE1, 0xE0, 0xE2, 0xED, 0xEE))
    size = chance.choice((len(body) + 2, len(body) + 2, chance.randrange(1 << 16)))
    return data[:2] + struct.pack(">BBH", 0xFF, marker, size) + bytes(body) + data[2:]


def junk(chance: random.Random, data: bytes, _: list[bytes]) -> bytes:
    """Keep the first bytes alone, by which the format is known."""
    return data[: chance.choice((0, 4, 12, 30))] + chance.randbytes(chance.choice((0, 10, 200, 5_000)))


MUTATIONS: tuple[Mutation, ...] = (flip, overwrite, cut, remove, repeat, splice, with_exif, junk)


def _place(chance: random.Random, data: bytes | bytearray) -> int:
    most = len(data) if chance.random() < 0.4 else min(len(data), 400)
    return chance.randrange(most)


def inputs(count: int, seed: int) -> Iterator[bytes]:
    """Make inputs, of which one in forty is a valid file."""
    files, chance = originals(), random.Random(seed)
    for _ in range(count):
        data = chance.choice(files)
        for _ in range(chance.choice((0, *[1] * 26, *[2] * 8, *[3] * 5))):
            data = chance.choice(MUTATIONS)(chance, data or b"\0", files)
        yield data


@dataclass
class Result:
    """What came of all inputs.

    Attributes
    ----------
    outcomes : Counter of str
        `decoded`, or the reason without its details.
    bad : list of str
        What must not be: a reason of several lines or none.
    processes, memory : int
        The most workers at a time, and the most bytes that one held.
    seconds : float
        How long it took.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    processes: int = 0
    memory: int = 0
    seconds: float = 0.0

    def add(self, answer: object) -> None:
        """Count an answer."""
        text = str(answer) if isinstance(answer, UnreadableImage) else "decoded"
        if answer is None or not text.isprintable() or len(text) > 300:
            self.bad.append(repr(text))
        kept = ("decoded", "image too large", "unreadable image: not a known image format")
        stopped = text if text.startswith("unreadable image: it ") else "unreadable image: damaged"
        self.outcomes[next((one for one in kept if text.startswith(one)), stopped)] += 1

    def look(self) -> None:
        """Look at the workers; a process's resource usage would count what its parent held before it was started."""
        held = []
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.Error, OSError):
                if "photocritic.images.worker_main" in child.cmdline():
                    status = Path(f"/proc/{child.pid}/status").read_text(encoding="ascii")
                    held += [int(size) << 10 for size in re.findall(r"VmHWM:\s*(\d+) kB", status)]
        self.processes = max(self.processes, len(held))
        self.memory = max(self.memory, *held, 0)


def fuzz(count: int, seed: int, workers: int | None = None) -> Result:
    """Decode inputs; `count` of them, by processes of little memory and time."""
    result, began = Result(), time.monotonic()
    task = Task(Operation.INSPECT if seed % 2 else Operation.SQUARE, 24)
    with WorkerPool(workers, memory=MEMORY, seconds=SECONDS) as pool:
        for number, decoded in enumerate(pool.map(inputs(count, seed), lambda data: data, task)):
            result.add(decoded.answer)
            if number % _LOOKS == 0:
                result.look()
        result.look()
    result.seconds = time.monotonic() - began
    if result.outcomes.total() != count:
        result.bad.append(f"{result.outcomes.total()} answers to {count} inputs")
    if result.memory > MEMORY + _BASE:
        result.bad.append(f"a worker held {result.memory >> 20} MB")
    return result


def main() -> None:
    """Print what came of all inputs; end with 1 where something must not be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=None)
    chosen = parser.parse_args()
    result = fuzz(chosen.inputs, chosen.seed, chosen.workers)
    for outcome, number in result.outcomes.most_common():
        print(f"{number:9,}  {outcome}")  # noqa: T201
    print(  # noqa: T201
        f"{chosen.inputs:,} inputs, {chosen.inputs / result.seconds:,.0f} a second; "
        f"at most {result.processes} processes of {result.memory >> 20} MB"
    )
    sys.exit("\n".join(result.bad[:20]) or 0)


if __name__ == "__main__":
    main()
