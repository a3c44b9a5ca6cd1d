"""Limits on all input from outside, shared by ingest, the command, the served model and studies."""

import resource
from pathlib import Path

MIB = 1 << 20

# Texts and the files that carry them.
TEXT_CHARACTERS = 20_000  # of one comment or caption; the longest of dpchallenge.com's and PCCD's have some 5,000
ROW_BYTES = 1 * MIB  # of one row of CSV or JSON Lines, one JSON text, one value of Parquet
ROW_LINES = 1_000  # that one quoted CSV row may span
BATCH_BYTES = 64 * MIB  # of the rows that are held decoded at once
JSON_DEPTH = 64  # nested lists and objects
PARSE_SECONDS = 120  # in which a parser neither yields a record nor reads on
NAME_BYTES = 4_096  # of an image's or a member's name

# params.yaml and presets.
PARAMS_BYTES = 1 * MIB  # of the file
PARAMS_DEPTH = 16  # nested sections and lists
PARAMS_VALUES = 20_000  # keys and values

# Images.
IMAGE_BYTES = 256 * MIB  # of one encoded image
IMAGE_PIXELS = 89_000_000  # of one image; Pillow's own threshold of a decompression bomb: 256 MiB as 24-bit RGB
IMAGE_SECONDS = 60  # of processor time for one image
WORKER_BYTES = 2 << 30  # of memory that a process that decodes or parses may take beyond what it starts with

# Requests to servers.
REQUEST_BYTES = 32 * MIB  # of one request's body
BODIES_BYTES = 128 * MIB  # of the bodies of all requests that are coming or at work at a server
REQUEST_IMAGES = 128  # in one request
REQUEST_PIXELS = 64_000_000  # of all images of one request together
REQUEST_SECONDS = 30  # until a request's headers and body must have come
CONNECTIONS = 64  # at once
FORM_BYTES = 16 << 10  # of a form or a rating that a study's page sends


def confine(memory: int = WORKER_BYTES) -> None:
    """Limit the memory of this process from now on; an allocation past it raises MemoryError or ends the process.

    Parameters
    ----------
    memory : int
        Bytes of address space beyond what the process has now. No core file is written either.
    """
    with Path("/proc/self/statm").open(encoding="ascii") as stream:
        now = int(stream.read().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = now + memory
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
