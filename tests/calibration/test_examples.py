"""What networks are taught: patches and crops show what their labels say."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision
from calibration.simulation.develop import CameraSettings, develop
from calibration.training import bare, crops, patches, photographs
from calibration.training.photographs import Photograph
from vision.networks import Network
from vision.patches import PATCH_PX, REACH_PX
from vision.spotter import Spots
from vision.support import support

PLAIN = CameraSettings(
    lamp_kelvin=(5000, 5001),
    room_kelvin=(5000, 5001),
    cast=0,
    mean_light=(0.2, 0.2001),
    white_light=(1, 1.001),
)


def a_photograph(count=12, seed=1):
    """Draw bright hexagons on a dark table."""
    rng = np.random.default_rng(seed)
    frame = np.full((480, 640, 3), 20, np.uint8)
    centres, outlines = [], []
    for n in range(count):
        centre = np.array([80 + 140 * (n % 4), 90 + 140 * (n // 4)]) + rng.uniform(-10, 10, 2)
        angles = np.sort(rng.uniform(0, 2 * np.pi, 6) * 0.25 + np.arange(6) * np.pi / 3)
        corners = centre + 16 * np.stack((np.cos(angles), np.sin(angles)), 1)
        cv2.fillConvexPoly(frame, (corners * 16).round().astype(np.int32), (230, 230, 230), cv2.LINE_AA, 4)
        centres.append(centre)
        outlines.append(corners[[0, 1, 2, 3, 4, 5, 5, 5]])
    return Photograph(frame, np.array(centres), np.array(outlines), np.arange(count) % 14, np.ones(count))


def reaches_of(picture):
    """Measure how far the bright shape in the middle of a patch reaches."""
    _, bright = cv2.threshold(picture[:, :, 0], 125, 255, cv2.THRESH_BINARY)
    y, x = np.nonzero(bright)
    middle = (PATCH_PX - 1) / 2
    return support(np.stack((x - middle, y - middle), axis=1).astype(float))


def test_patches_reach_as_far_as_told():
    cut = patches.cut_patches(a_photograph(), Network("spotter"), np.random.default_rng(2))
    cubes = np.flatnonzero(cut.classes > 0)
    assert set(cut.classes[cubes]) == {n % 14 + 1 for n in range(12)}
    for n in cubes:
        # Pixels are counted by their middles: half a pixel on each side.
        assert np.abs(reaches_of(cut.pictures[n]) - cut.reaches[n]).max() < 1.2
    assert 0.6 * REACH_PX < cut.reaches[cubes].mean() < 1.5 * REACH_PX


def test_noise_of_the_renderer_stays_on_some_photographs_only(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    light = np.full((2, 60, 80, 3), 0.2, np.float32)
    speckles = light * rng.normal(0, 0.4, light.shape).astype(np.float32)
    outline = np.array([(30.0, 20), (50, 20), (50, 40), (30, 40)])
    cube = {"type": "pillar", "outline_px": outline.tolist(), "centre_px": [40.0, 30.0], "visible": 1.0}
    file = tmp_path / "table-000001.npz"
    np.savez(file, calm=light, speckles=speckles, truth=json.dumps({"cubes": [cube]}))

    def grain(share):
        """The noise of twenty photographs, told from brightness by what neighbours differ by."""
        monkeypatch.setattr(photographs, "SPECKLED", share)
        photos = photographs.photographs([file], 20, (1.0, 1.0001), 3)
        return np.array([np.abs(np.diff(photo.frame.astype(float), axis=1)).mean() for photo in photos])

    usual, calm = grain(photographs.SPECKLED), grain(0.0)
    assert np.median(grain(1.0)) > 2 * np.median(calm)
    # About half of them keep some: more than none, fewer than all.
    assert 0.2 < np.mean(usual > 1.2 * calm) < 0.8


def test_the_judge_may_be_taught_where_a_spotter_of_another_folder_aims(tmp_path):
    weights = Path(vision.__file__).parent / "weights"
    shutil.copy(weights / "spotter.onnx", tmp_path)
    picture = a_photograph().frame[None, :256, :320]

    assert (Network("spotter", tmp_path)(picture) == Network("spotter")(picture)).all()


def test_a_spot_on_the_front_of_a_cube_tells_of_the_whole_cube():
    photo = a_photograph()
    reach = support(photo.outlines - photo.centres[:, None]).mean(axis=1)
    beside = photo.centres[3] + (0.55 * reach[3], 0.0)
    spots = Spots(np.array([beside, photo.centres[3] + (0.9 * reach[3], 0.0)]), reach[:2], np.ones(2))
    aims = patches._aims(photo, reach, spots, np.random.default_rng(1))
    spotted = [place for n, place, _ in aims if n == 3 and np.hypot(*(place - beside)) < 0.2 * reach[3]]
    # The other one is too far off to be that cube, and all others are cut as they are.
    assert len(spotted) == 1
    assert {n for n, _, _ in aims} == set(range(12))


def test_other_patches_have_no_cube_in_the_middle():
    cut = patches.cut_patches(a_photograph(), Network("spotter"), np.random.default_rng(2))
    empty = cut.pictures[cut.classes == patches.NO_CUBE]
    middle = empty[:, PATCH_PX // 2 - 2 : PATCH_PX // 2 + 2, PATCH_PX // 2 - 2 : PATCH_PX // 2 + 2]
    assert len(empty) >= 6
    # Some show the rim of a cube; the middle of one is 230 all over.
    assert middle.mean(axis=(1, 2, 3)).max() < 200


def test_bare_tables_have_no_cubes_but_things_that_may_look_like_some():
    cut = bare.cut_bare(Network("spotter"), 2, np.random.default_rng(5))
    assert set(cut.classes) == {patches.NO_CUBE}
    assert set(cut.photos) == {0, 1}
    assert len(cut.classes) > 2 * 10
    assert cut.pictures.std(axis=(1, 2, 3)).max() > 10


@pytest.mark.parametrize("seed", range(8))
def test_bare_tables_are_light_of_some_kind(seed):
    light = bare.bare_light(np.random.default_rng(seed))
    assert light.shape == (2, *bare.SHAPE, 3)
    assert light.min() > 0
    assert np.isfinite(light).all()


def test_joined_patches_count_their_photographs_on():
    some = [
        patches.cut_patches(a_photograph(seed=n), Network("spotter"), np.random.default_rng(n))
        for n in (1, 2)
    ]
    expected = [some[k] for k in (0, 1, 0)]
    joined = patches.Patches.joined([patches.Patches.joined(some), expected[-1]])
    assert [int((joined.photos == n).sum()) for n in range(3)] == [len(part.classes) for part in expected]
    assert (np.diff(joined.photos) >= 0).all()
    for name in ("pictures", "classes", "reaches"):
        assert (getattr(joined, name) == np.concatenate([getattr(part, name) for part in expected])).all()


def test_parts_are_let_go_when_they_are_joined():
    """A lesson's patches fill half of a usual memory: they are not held twice."""
    parts = [patches.cut_patches(a_photograph(), Network("spotter"), np.random.default_rng(1))]
    patches.Patches.joined(parts)
    assert not parts


def test_crops_are_hot_in_the_middles():
    crop = crops.cut_crop(a_photograph(), np.random.default_rng(3))
    rows, columns = np.nonzero(crop.heat > 0.95)
    assert len(rows)
    for row, column in zip(rows, columns, strict=True):
        assert crop.picture[row * 2, column * 2].mean() > 125
    assert crop.told.any()
    size = np.exp(crop.log_reach[crop.told > 0])
    assert np.ptp(size) < 0.5 * size.mean()


@pytest.mark.parametrize("seed", range(6))
def test_every_cube_in_a_crop_has_a_hot_middle_however_small_it_is(seed):
    """Between four cells the middle of a small cube is near none of them: it would not be taught at all."""
    rng = np.random.default_rng(seed)
    centres = np.concatenate((rng.uniform(0, crops.CROP_PX - 1, (40, 2)), [(-5.0, 100.0), (100.0, 262.0)]))
    heat = crops._targets(centres, np.full(42, 4.3), np.ones(42), np.ones((256, 256), np.float32))[0]

    hot = np.argwhere(heat == 1.0)[:, ::-1] * crops.HEAT_PX + (crops.HEAT_PX - 1) / 2
    away = np.abs(hot[:, None] - centres[None]).max(axis=2)
    assert (away[:, :40].min(axis=0) <= crops.HEAT_PX / 2).all()
    assert (away[:, :40].min(axis=1) <= crops.HEAT_PX / 2).all()


def test_hidden_cubes_do_not_count():
    photo = a_photograph()
    hidden = Photograph(photo.frame, photo.centres, photo.outlines, photo.kinds, np.zeros(12))
    crop = crops.cut_crop(hidden, np.random.default_rng(3))
    assert crop.heat.max() == 0
    assert crop.judged.min() == 0


@pytest.mark.parametrize("scale", [0.6, 1.0])
def test_a_photograph_comes_out_the_same_for_the_same_seed(scale):
    light = np.random.default_rng(4).random((2, 60, 80, 3), np.float32)
    first, second, other = (
        develop(light, scale, np.random.default_rng(seed), CameraSettings()) for seed in (1, 1, 2)
    )
    assert first.shape == (round(60 * scale), round(80 * scale), 3)
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_twice_the_lamps_are_no_brighter_where_cameras_expose_for_the_mean():
    light = np.random.default_rng(4).random((2, 60, 80, 3), np.float32)
    gains = []
    for seed in range(40):
        once, twice = (develop(light * k, 1.0, np.random.default_rng(seed), PLAIN).mean() for k in (1, 2))
        gains.append(twice - once)
    # A quarter of them expose for the mean, as many for the light as it is, the rest between.
    assert sum(abs(gain) < 4 for gain in gains) >= 6
    assert sum(gain > 15 for gain in gains) >= 6
    assert min(gains) > -4
