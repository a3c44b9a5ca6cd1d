"""From a plan to the bytes of a photograph."""

import numpy as np

from photocritic.sample.camera.color import develop
from photocritic.sample.camera.finish import finish
from photocritic.sample.camera.focus import focus
from photocritic.sample.camera.framing import frame, tilt
from photocritic.sample.camera.light import expose, light
from photocritic.sample.scene_plan import Plan
from photocritic.sample.subjects import PAINTERS


def photograph(plan: Plan, seed: int, index: int) -> bytes:
    """Paint scene `index` and take its picture.

    Parameters
    ----------
    plan : Plan
        What the scene shows and how it is taken.
    seed, index : int
        All randomness comes from these two.

    Returns
    -------
    bytes
        A JPEG file.
    """
    rng = np.random.default_rng([seed, index])
    lit = light(plan.light, rng)
    layers = PAINTERS[plan.subject](plan, frame(plan, rng), lit, rng)
    picture = focus(layers, plan.focus, rng)
    picture = expose(develop(tilt(picture, plan, rng), plan.color, rng), plan.light, rng)
    return finish(picture, plan, rng)
