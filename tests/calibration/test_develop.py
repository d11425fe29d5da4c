"""Photographs of simulated light: what cameras do to it, and that seeds decide all of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.simulation.develop import CameraSettings, Light, develop, lamp_kelvins, warmth

PLAIN = CameraSettings(
    cast=0.0,
    warm_left=(0.0, 0.0),
    balances=(1.0, 0.0, 0.0, 0.0),
    saturation=(1.0, 1.0),
    contrast=(0.0, 0.0),
    black=(0.0, 0.0),
    vignette=(0.0, 0.0),
    blown=0.0,
    one_lost=0.0,
    photons=(1e6, 1e6 + 1),
    read_noise=(0.0, 0.0),
)


def table(colour: tuple[float, float, float] = (0.3, 0.3, 0.3)) -> Light:
    """A table of one colour with a white square on it, under the room's light and one lamp."""
    layers = np.empty((2, 60, 80, 3), np.float32)
    layers[:] = colour
    layers[:, 20:40, 30:50] = 0.9
    return layers


def photograph(seed: int, settings: CameraSettings = PLAIN, layers: Light | None = None) -> np.ndarray:
    chosen = table() if layers is None else layers
    return develop(chosen, 1.0, np.random.default_rng(seed), settings)


def test_a_seed_decides_everything() -> None:
    assert (photograph(3, CameraSettings()) == photograph(3, CameraSettings())).all()
    assert (photograph(3, CameraSettings()) != photograph(4, CameraSettings())).any()


def test_smaller_is_smaller() -> None:
    assert develop(table(), 0.5, np.random.default_rng(1), PLAIN).shape == (30, 40, 3)


def test_too_bright_photographs_lose_the_colours_of_what_is_bright() -> None:
    mint = table((0.2, 0.9, 0.7))
    usual = [photograph(seed, PLAIN, mint).max(axis=2) for seed in range(12)]
    blown = [photograph(seed, replace(PLAIN, blown=1.0), mint).max(axis=2) for seed in range(12)]
    assert np.mean([(frame == 255).mean() for frame in blown]) > 2 * np.mean(
        [(frame == 255).mean() for frame in usual]
    )


def test_felt_may_lose_its_strongest_colour_and_keep_the_others() -> None:
    lost = replace(PLAIN, one_lost=1.0, lost_light=(1.5, 1.6), kept_light=(0.3, 0.4))
    for seed in range(12):
        blue, green, red = np.median(photograph(seed, lost, table((0.04, 0.4, 0.1))), axis=(0, 1))
        # Film-like shoulders keep a little of it.
        assert green > 225
        assert red < 150
        assert red < blue < green


def test_a_grey_table_has_no_colour_to_lose() -> None:
    lost = replace(PLAIN, one_lost=1.0, lost_light=(1.5, 1.6), kept_light=(0.3, 0.4))
    assert all(np.median(photograph(seed, lost)) < 180 for seed in range(12))


def test_dark_cloth_ends_black_or_grey() -> None:
    """Cameras that expose for the mean of a picture lift black cloth; others leave it black."""
    black = np.full((2, 60, 80, 3), 0.01, np.float32)
    black[:, 25:35, 35:45] = 0.5
    levels = [float(np.median(photograph(seed, PLAIN, black))) for seed in range(60)]
    assert min(levels) < 35
    assert max(levels) > 90


def test_many_photographs_of_black_cloth_are_as_dark_as_real_ones() -> None:
    """On photographs of real pieces on black cloth its median is 16 to 34 of 255."""
    black = np.full((2, 60, 80, 3), 0.008, np.float32)
    black[:, 25:35, 35:45] = 0.6
    levels = [float(np.median(photograph(seed, CameraSettings(), black))) for seed in range(80)]
    assert np.mean([8 < level < 40 for level in levels]) > 0.2


def test_half_the_cameras_cut_off_the_dark() -> None:
    black = np.full((2, 60, 80, 3), 0.001, np.float32)
    black[:, 25:35, 35:45] = 0.6
    settings = replace(PLAIN, black=(0.3, 0.301), white_light=(1.0, 1.001), mean_light=(0.011, 0.012))
    levels = [float(np.median(photograph(seed, settings, black))) for seed in range(40)]
    assert 0.25 < np.mean([level == 0 for level in levels]) < 0.75


def test_white_balance_takes_the_lamp_out() -> None:
    frame = photograph(5).astype(float)
    corner = frame[2:10, 2:10].reshape(-1, 3).mean(axis=0)
    assert np.ptp(corner) < 4


def corner_of(balances: tuple[float, float, float, float], seed: int, layers: Light) -> np.ndarray:
    """Blue, green and red of the table in a photograph that is balanced in this way."""
    settings = replace(
        PLAIN,
        balances=balances,
        lamp_kelvin=(2700.0, 2701.0),
        room_kelvin=(7500.0, 7501.0),
        mean_light=(0.05, 0.06),
        white_light=(0.1, 0.12),
    )
    return photograph(seed, settings, layers)[2:10, 2:10].reshape(-1, 3).mean(axis=0)


def test_a_camera_that_takes_a_warm_lamp_for_white_shows_a_room_by_a_window_blue() -> None:
    casts = [corner_of((0, 1, 0, 0), seed, table()) for seed in range(12)]
    # By chance it takes the window's light for white, and all is orange.
    assert max(blue - red for blue, _, red in casts) > 25
    assert max(red - blue for blue, _, red in casts) > 25


def test_a_camera_that_takes_the_mean_for_white_pales_green_felt() -> None:
    green = table((0.1, 0.4, 0.2))
    balanced = np.mean([corner_of((1, 0, 0, 0), seed, green) for seed in range(12)], axis=0)
    paled = np.mean([corner_of((0, 0, 0, 1), seed, green) for seed in range(12)], axis=0)
    assert np.ptp(paled) < 0.8 * np.ptp(balanced)


@pytest.mark.parametrize("kelvin", [2700, 4000, 5500])
def test_lamps_below_daylight_are_warm(kelvin: float) -> None:
    red, green, blue = warmth(kelvin)
    assert red > green > blue


def test_lamps_are_as_warm_as_black_bodies() -> None:
    # By Planck's law and the eye's three curves; against daylight, at the ends and between known ones.
    np.testing.assert_allclose(warmth(2700), (2.23, 1.0, 0.22), atol=0.01)
    np.testing.assert_allclose(warmth(3250), (1.78, 1.0, 0.37), atol=0.03)
    np.testing.assert_allclose(warmth(6500), (1.0, 1.0, 1.0))


def test_many_lamps_are_warm_bulbs() -> None:
    settings = replace(CameraSettings(), lamp_kelvin=(4000.0, 6700.0), bulbs=0.4)
    kelvins = lamp_kelvins(2000, np.random.default_rng(1), settings)
    assert 0.35 < np.mean(kelvins < 3200) < 0.45
    assert not np.any((kelvins > 3200) & (kelvins < 4000))


def test_calmed_photographs_lose_their_grain_and_keep_their_edges() -> None:
    grainy = replace(PLAIN, blur_px=(0.0, 0.0), read_noise=(0.03, 0.031), calmed=0.0)
    for seed in range(6):
        before, after = (photograph(seed, settings) for settings in (grainy, replace(grainy, calmed=1.0)))
        table_before, table_after = (frame[:15, :25].astype(float) for frame in (before, after))
        assert table_after.std() < table_before.std()
        edges = [float(np.abs(np.diff(frame[30, 25:35].mean(axis=1))).max()) for frame in (before, after)]
        assert edges[1] > 0.6 * edges[0]
