"""The order in which requests are asked of the model."""

import asyncio
import base64
import io

import pytest
from PIL import Image

from photocritic.core import limits
from photocritic.serving.request_queue import RequestQueue, weight


def order(*weights):
    """Give the order in which requests get their turn that come one after the other while one is at work."""

    async def act():
        queue, done, free = RequestQueue(), [], asyncio.Event()

        async def ask(place, weighs):
            async with queue.turn(weighs):
                if place < 0:
                    await free.wait()
                done.append(place)

        tasks = [asyncio.create_task(ask(place - 1, weighs)) for place, weighs in enumerate((0.0, *weights))]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*tasks)
        return done[1:]

    return asyncio.run(act())


def test_small_ones_come_first_and_equal_ones_as_they_came():
    assert order(64, 64, 0.5, 64, 0.5) == [2, 4, 0, 1, 3]


def test_one_that_is_given_up_keeps_nobody_waiting():
    async def act():
        queue, done = RequestQueue(), []

        async def ask(place):
            async with queue.turn(1.0):
                done.append(place)

        async with queue.turn(1.0):
            tasks = [asyncio.create_task(ask(place)) for place in range(3)]
            await asyncio.sleep(0)
            tasks[0].cancel()
        tasks[1].cancel()  # it has its turn already, and does not use it
        await asyncio.gather(*tasks, return_exceptions=True)
        await ask("last")
        return done

    assert asyncio.run(act()) == [2, "last"]


def text(kind, side):
    buffer = io.BytesIO()
    Image.new("RGB", (side, side)).save(buffer, kind)
    return base64.b64encode(buffer.getvalue()).decode()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP"])
def test_a_request_weighs_what_its_images_have_of_pixels(kind):
    assert weight([text(kind, 100), text(kind, 200)]) == pytest.approx(0.05)
    assert weight(["\n".join(text(kind, 100))]) == pytest.approx(0.01)


@pytest.mark.parametrize("content", ["", "@@@@", "AAAA", "abc", text("WEBP", 8), "\x00"])
def test_what_does_not_tell_its_size_weighs_the_most(content):
    assert weight([content]) == limits.REQUEST_PIXELS / 1e6
