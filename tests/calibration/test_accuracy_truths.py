"""Reading truths: of our simulation, of the rendered pictures handed to us, of people with pixels only."""

import json

import pytest

from calibration.accuracy.truths import BadTruth, Circumstances, read_folder, read_truth

CUBE = {"type": "gold", "size": "small", "outline_px": [[0, 0], [9, 0], [9, 9]], "centre_px": [5, 5]}
METRIC = {**CUBE, "centre_mm": [1, 2], "footprint_mm": [[0, 0], [8, 0], [8, 8], [0, 8]]}


def read(cubes=(CUBE,), **other):
    return read_truth({"cubes": list(cubes), **other}, "table.jpg")


def test_people_tell_pixels_only():
    picture = read([{**CUBE, "cut": False, "sure": True}], image_size=[10, 10])

    (cube,) = picture.cubes
    assert (cube.kind, cube.size, cube.judged) == ("gold", "small", True)
    assert cube.centre_mm is None and cube.footprint_mm is None
    assert picture.taken == Circumstances()


def test_our_simulation_tells_table_tilt_and_cards():
    picture = read([METRIC], surface="felt", camera={"tilt": 31.5}, markers=[{"id": 0}])

    assert picture.cubes[0].footprint_mm.shape == (4, 2)
    assert picture.taken == Circumstances("felt", 31.5, 1)


def test_a_specification_tells_also_the_light():
    lamps = [
        {"at": [0, 0, 1000], "size": 100.0, "power": 30.0, "k": 3000.0},
        {"at": [0, 0, 2000], "size": 100.0, "power": 40.0, "k": 7000.0},
    ]
    spec = {"table": "oak", "lamps": lamps, "markers": [], "exposure": 0.7, "camera": {"tilt": 3.0}}

    assert read(spec=spec).taken == Circumstances("oak", 3.0, 0, 2, 4000.0, 0.7)


@pytest.mark.parametrize("why_not", [{"in_view": False}, {"cut": True}, {"sure": False}])
def test_some_cubes_are_not_judged(why_not):
    assert not read([{**CUBE, **why_not}]).cubes[0].judged


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param([], "a list of cubes", id="a list"),
        pytest.param({"cubes": 3}, "a list of cubes", id="no list of cubes"),
        pytest.param({"cubes": ["gold"]}, "cube 0: this is not a JSON object", id="a word"),
        pytest.param({"cubes": [{"type": "gold"}]}, "cube 0: size is missing", id="no size"),
        pytest.param({"cubes": [{**CUBE, "type": "cat"}]}, "'cat' is not a known kind", id="a cat"),
        pytest.param({"cubes": [{**CUBE, "outline_px": [[0, 0]]}]}, "outline_px must be 3", id="a point"),
        pytest.param({"cubes": [{**CUBE, "outline_px": "here"}]}, "outline_px must", id="words"),
        pytest.param({"cubes": [{**CUBE, "centre_mm": [1, None]}]}, "centre_mm must", id="nothing"),
        pytest.param({"cubes": [CUBE], "camera": [1]}, "how the picture was taken", id="a strange camera"),
    ],
)
def test_what_is_no_truth_is_refused_with_the_reason(tmp_path, data, why):
    (tmp_path / "a.jpg").touch()
    (tmp_path / "a.json").write_text(json.dumps(data))

    with pytest.raises(BadTruth, match=why) as refused:
        read_folder(tmp_path)

    assert str(refused.value).startswith(f"{tmp_path / 'a.json'}: ")


def test_a_folder_is_read_by_name_and_photos_without_truth_are_left_alone(tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.jpg").touch()
        (tmp_path / f"{name}.json").write_text(json.dumps({"cubes": [CUBE]}))
    (tmp_path / "empty.jpg").touch()

    assert [picture.name for picture in read_folder(tmp_path)] == ["a", "b"]
