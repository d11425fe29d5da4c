"""Who takes a simulated picture: mirrors on the table show them, the picture itself never does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("mitsuba", reason="tables are only simulated where the renderer is")

import mitsuba as mi

from calibration.simulation.onlooker import onlooker
from calibration.simulation.views import View, random_view

# Slow and everywhere: nothing has to be compiled.
mi.set_variant("scalar_rgb")

# As close as a table is rendered, and as wide as a person would hold a phone.
SCALES = (2.1, 0.85)


def view_of(seed: int) -> View:
    return random_view((512, 400), SCALES[seed % 2], np.random.default_rng(seed))


def seen(person: dict[str, Any], view: View) -> np.ndarray[Any, Any]:
    """Return where a person in a room of one even brightness is seen: light comes from everywhere else."""
    small = replace(view, size_px=(64, 50), focal_px=view.focal_px / 8)
    scene = {
        "type": "scene",
        "integrator": {"type": "direct", "hide_emitters": False},
        "sensor": small.sensor(1, 0),
        "room": {"type": "constant"},
        **person,
    }
    return np.array(mi.render(mi.load_dict(scene), spp=4)).max(axis=2) < 0.99


@pytest.mark.parametrize("seed", range(60))
def test_nobody_stands_in_their_own_picture(seed: int) -> None:
    view = view_of(seed)
    assert not seen(onlooker(view, np.random.default_rng(seed)), view).any()


@pytest.mark.parametrize("seed", range(0, 40, 5))
def test_a_mirror_on_the_table_shows_them(seed: int) -> None:
    view = view_of(seed)
    from_the_table = replace(
        view, at_mm=np.array([0.0, 0.0, 9.0]), look_mm=view.at_mm, up=view.up[[1, 0, 2]], focal_px=250.0
    )
    assert seen(onlooker(view, np.random.default_rng(seed)), from_the_table).mean() > 0.03


def test_the_same_chance_gives_the_same_person() -> None:
    view = view_of(1)
    once, again = (onlooker(view, np.random.default_rng(5)) for _ in range(2))
    assert once.keys() == again.keys()
    assert once["chest"] == again["chest"]
