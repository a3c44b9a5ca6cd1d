"""Bodies are bounded one by one and together, and do not wait for those that stall."""

import asyncio

import pytest

from photocritic.web import Bodies, Refusal, bodies

MIB = 1 << 20


class Sender:
    """Sends parts, and then nothing more until the test says so."""

    def __init__(self, *parts, ends=True):
        self.parts = list(parts)
        self.ends = ends
        self.stalled = asyncio.Event()

    async def __call__(self):
        if not self.parts:
            self.stalled.set()
            await asyncio.Event().wait()
        part = self.parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(self.parts) or not self.ends}


SCOPE = {"type": "http", "headers": []}


async def read(some, sender):
    async with some.read(SCOPE, sender) as body:
        return body


def test_a_body_is_given_whole():
    assert asyncio.run(read(Bodies(9, 9), Sender(b"abc", b"def"))) == b"abcdef"


@pytest.mark.parametrize("parts", [(b"x" * 10,), (b"x",) * 10])
def test_a_body_that_is_too_large_is_refused(parts):
    with pytest.raises(Refusal, match="more than 9 bytes") as refused:
        asyncio.run(read(Bodies(9, 90), Sender(*parts)))
    assert refused.value.status == 413


def test_a_body_that_does_not_come_is_not_waited_for():
    """M17: there was no read timeout."""
    with pytest.raises(Refusal, match="did not come within") as refused:
        asyncio.run(read(Bodies(9, 9, seconds=0.05), Sender(b"x", ends=False)))
    assert refused.value.status == 408


def test_thirty_unfinished_bodies_make_room_for_one_that_comes_whole():
    """M17: 30 unfinished bodies; those that came first, or are the largest, give way to what comes after them."""

    async def act():
        some = Bodies(4 * MIB, 16 * MIB)
        senders = [Sender(b"x" * MIB, b"x" * MIB, ends=False) for _ in range(30)]
        tasks = [asyncio.create_task(read(some, sender)) for sender in senders]
        await asyncio.wait(tasks, timeout=1, return_when=asyncio.FIRST_COMPLETED)
        assert sum(one.size for one in some._held) <= 16 * MIB
        whole = [await read(some, Sender(b"y" * MIB)) for _ in range(10)]
        left = sum(not task.done() for task in tasks)
        refused = [task.exception().status for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return whole, left, refused, some._held

    whole, left, refused, held = asyncio.run(act())
    assert whole == [b"y" * MIB] * 10
    assert set(refused) == {503}
    assert left + len(refused) == 30
    assert not held


def test_what_has_come_whole_is_not_thrown_away_for_others():
    async def act():
        some = Bodies(4 * MIB, 8 * MIB)
        async with some.read(SCOPE, Sender(b"x" * 4 * MIB)) as first:
            with pytest.raises(Refusal) as refused:
                await read(some, Sender(b"y" * 4 * MIB))
            small = await read(some, Sender(b"z" * MIB))
            return first, refused.value.status, small

    assert asyncio.run(act()) == (b"x" * 4 * MIB, 503, b"z" * MIB)


def test_one_that_stalls_gives_way_before_a_larger_one_that_comes(monkeypatch):
    monkeypatch.setattr(bodies, "_STALL", -1.0)  # all have stalled: the largest gives way

    async def act():
        some = Bodies(6 * MIB, 8 * MIB)
        small, large = Sender(b"x" * MIB, ends=False), Sender(b"x" * 5 * MIB, ends=False)
        tasks = [asyncio.create_task(read(some, sender)) for sender in (small, large)]
        await small.stalled.wait()
        await large.stalled.wait()
        found = await read(some, Sender(b"y" * 3 * MIB))
        await asyncio.wait(tasks[1:])
        states = [task.done() for task in tasks]
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return len(found), states

    assert asyncio.run(act()) == (3 * MIB, [False, True])


def test_who_goes_away_is_forgotten():
    async def gone():
        return {"type": "http.disconnect"}

    some = Bodies(9, 9)
    assert asyncio.run(read(some, gone)) is None
    assert not some._held
