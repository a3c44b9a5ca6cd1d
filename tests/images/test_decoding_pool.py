"""Worker processes: whatever an image does, it costs that image alone."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from PIL import Image

from photocritic.core.errors import UnreadableImage
from photocritic.images.decoding import Header
from photocritic.images.decoding_pool import WorkerPool
from photocritic.images.worker_main import Operation, Task
from tests.images.files import encoded, plain_pgm

MEASURE, INSPECT = Task(Operation.MEASURE), Task(Operation.INSPECT)


def png(width: int) -> bytes:
    return encoded(Image.new("1", (width, 7)), "PNG")


def widths(pool: WorkerPool, images, task=INSPECT) -> list[int | str]:
    """Decode, and give the width of each image, or why it has none."""
    found = []
    for decoded in pool.map(images, lambda image: image, task):
        answer = decoded.answer
        if isinstance(answer, UnreadableImage):
            found.append(str(answer))
        else:
            found.append(answer.width if isinstance(answer, Header) else answer.header.width)
    return found


@pytest.fixture(scope="module")
def pool():
    """Return a pool with little memory and time."""
    with WorkerPool(2, memory=100 << 20, seconds=1) as made:
        yield made


def test_order_is_kept_whatever_the_sizes_and_wherever_images_are(pool, tmp_path):
    (tmp_path / "a.png").write_bytes(png(500))
    images = [png(1 + number % 50) if number % 9 else b"broken" for number in range(300)]
    images[100:100] = [tmp_path / "a.png", tmp_path / "gone.png"]
    wanted = [1 + number % 50 if number % 9 else "unreadable" for number in range(300)]
    wanted[100:100] = [500, "unreadable"]
    assert [one.split()[0] if isinstance(one, str) else one for one in widths(pool, images)] == wanted
    assert widths(pool, []) == []


def test_items_without_an_image_pass_in_their_place(pool):
    items = [1, "x", 2, 3, "y"]
    found = list(pool.map(items, lambda item: png(item) if isinstance(item, int) else None, MEASURE))
    assert [one.item for one in found] == items
    assert [one.answer.width if one.answer else None for one in found] == [1, None, 2, 3, None]


def test_an_image_that_takes_too_much_memory_costs_itself_alone(pool):
    large = encoded(Image.new("L", (5_000, 5_000)), "PNG")
    rgb = encoded(Image.new("P", (5_000, 5_000)), "PNG")  # in RGB of 100 MB
    found = widths(pool, [png(5), rgb, png(6), large, png(7)])
    assert found[:1] + found[2:] == [5, 6, 5_000, 7]
    assert found[1] == "unreadable image: it takes more than 100 MB of memory"


def test_an_image_that_takes_too_long_costs_itself_alone(pool):
    found = widths(pool, [png(5), plain_pgm(4_000), png(6)])
    assert found == [5, "unreadable image: it takes more than 1 seconds to decode", 6]


def test_a_worker_that_dies_is_replaced_and_its_image_tried_again(pool):
    assert widths(pool, [png(4)]) == [4]
    for child in psutil.Process().children():
        if "photocritic.images.worker_main" in child.cmdline():
            child.kill()
            child.wait()
    assert widths(pool, [png(5), png(6)]) == [5, 6]


def test_processes_are_no_more_than_asked_for_and_end_with_the_pool():
    before = set(psutil.Process().children())
    with WorkerPool(2) as own:
        widths(own, [png(n) for n in range(1, 200)])
        assert 1 <= len(set(psutil.Process().children()) - before) <= 2
    assert set(psutil.Process().children()) <= before


def test_workers_end_with_the_process_that_asks_even_if_it_is_killed(tmp_path):
    script = (
        "import sys, time, psutil\n"
        "from photocritic.images.worker_main import Operation, Task\n"
        "from photocritic.images.decoding_pool import shared\n"
        "list(shared().map([b''], lambda image: image, Task(Operation.MEASURE)))\n"
        "print(psutil.Process().children()[0].pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        worker = psutil.Process(int(process.stdout.readline()))
        process.kill()
    worker.wait(30)
    assert not worker.is_running()


def test_workers_and_the_package_load_neither_torch_nor_pandas():
    script = (
        "import sys, photocritic.images.worker_main, photocritic.images.decoding_pool\n"
        "print([name for name in ('torch', 'pandas', 'scipy', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_modules_in_the_folder_that_the_command_is_run_in_are_not_imported(tmp_path):
    for name in ("PIL.py", "numpy.py", "struct.py"):
        (tmp_path / name).write_text("raise SystemExit('imported from the working folder')")
    script = (
        f"import sys; sys.path[:] = {[path for path in sys.path if path]!r}\n"
        "from photocritic.images.worker_main import Operation, Task\n"
        "from photocritic.images.decoding_pool import shared\n"
        "[found] = shared().map([b''], lambda image: image, Task(Operation.MEASURE))\n"
        "print(found.answer)\n"
    )
    command = [sys.executable, "-P", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=dict(os.environ))
    assert done.stdout.strip() == "unreadable image: empty file"


def test_a_child_of_a_fork_gets_workers_of_its_own(tmp_path):
    script = Path(tmp_path / "forks.py")
    script.write_text(
        "import os\n"
        "from photocritic.images.worker_main import Operation, Task\n"
        "from photocritic.images.decoding_pool import shared\n"
        "def ask():\n"
        "    [found] = shared().map([b''], lambda image: image, Task(Operation.MEASURE))\n"
        "    return str(found.answer)\n"
        "first = ask()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(0 if ask() == first else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), ask() == first)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "0 True"
