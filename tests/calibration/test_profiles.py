"""Profiles on disk: nothing is lost or half written, and what strangers send is refused in one way."""

import base64
import json

import cv2
import numpy as np
import pytest

from calibration.profiles import (
    MOST_OF_A_KIND,
    NoProfile,
    Why,
    delete_profile,
    export_profile,
    import_profile,
    list_profiles,
    load_profile,
    rename_profile,
    save_profile,
    tidy_name,
    with_samples,
)
from vision.pieces import Kind
from vision.profile import Profile

KINDS = (Kind.GOLD, Kind.KEY, Kind.GOLD)


def a_profile(name="mine", kinds=KINDS):
    patches = np.random.default_rng(1).integers(0, 256, (len(kinds), 48, 48, 3), np.uint8)
    return Profile(name, tuple(kinds), patches)


def png(height=48, width=48):
    return cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))[1].tobytes()


def encoded(data):
    return base64.b64encode(data).decode()


@pytest.fixture
def mine(tmp_path):
    save_profile(a_profile(), tmp_path)
    return tmp_path / "profiles" / "mine.json"


def why(call, *arguments):
    with pytest.raises(NoProfile) as caught:
        call(*arguments)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value.why


def test_a_profile_comes_back_as_it_was(tmp_path):
    save_profile(a_profile(), tmp_path)

    back = load_profile("mine", tmp_path)

    assert (back.name, back.kinds) == ("mine", KINDS)
    np.testing.assert_array_equal(back.patches, a_profile().patches)


def test_a_profile_without_samples_comes_back(tmp_path):
    save_profile(Profile.empty("new"), tmp_path)

    assert load_profile("new", tmp_path).patches.shape == (0, 48, 48, 3)


def test_names_are_the_same_in_any_capitals_accents_and_spaces(tmp_path):
    save_profile(a_profile("  Table   d_été-2 "), tmp_path)

    assert load_profile("table D_E\u0301TE\u0301-2", tmp_path).name == "Table d_été-2"
    assert len(list_profiles(tmp_path)) == 1


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "a" * 41,
        "../x",
        "a/b",
        "a\\b",
        "a.",
        ".a",
        "CON",
        "com1",
        "Nul",
        "-x",
        "a:b",
        "a\0b",
        "a*",
        "x\u202e",
    ],
)
def test_what_no_system_could_have_as_a_file_is_no_name(tmp_path, name):
    for call in (load_profile, delete_profile):
        assert why(call, name, tmp_path) is Why.BAD_NAME
    assert why(save_profile, a_profile(name), tmp_path) is Why.BAD_NAME
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("name", ["a", "a" * 40, "Küche 2", "con-1", "_", "卓", "3"])
def test_ordinary_names_are_names(name):
    assert tidy_name(name) == name


def test_a_missing_profile_is_told(tmp_path):
    with pytest.raises(NoProfile, match="there is no profile called yours"):
        load_profile("yours", tmp_path)


def test_saving_again_replaces_and_keeps_the_date(mine, tmp_path):
    values = json.loads(mine.read_text("utf-8"))
    mine.write_text(json.dumps({**values, "created": "2020-02-03T04:05:06+00:00"}), "utf-8")

    save_profile(a_profile("MINE", [Kind.DRAGON]), tmp_path)

    (listed,) = list_profiles(tmp_path)
    assert (listed.name, listed.created, listed.samples, listed.kinds) == (
        "MINE",
        "2020-02-03T04:05:06+00:00",
        1,
        1,
    )


def test_a_failed_write_leaves_the_old_profile_and_nothing_else(mine, tmp_path, monkeypatch):
    before = mine.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)

    with pytest.raises(OSError, match="No space"):
        save_profile(a_profile(kinds=[Kind.KEY]), tmp_path)

    assert mine.read_bytes() == before
    assert list(mine.parent.iterdir()) == [mine]


def test_profiles_are_listed_by_name_damaged_ones_too(mine, tmp_path):
    save_profile(a_profile("Another", [Kind.KEY]), tmp_path)
    mine.write_bytes(b"no profile")

    another, damaged = list_profiles(tmp_path)

    assert (another.name, another.samples, another.kinds, another.why) == ("Another", 1, 1, None)
    assert (damaged.name, damaged.why) == ("mine", Why.NOT_A_PROFILE)


def test_where_nothing_is_kept_nothing_is_listed(tmp_path):
    assert list_profiles(tmp_path / "nowhere") == ()


def test_a_file_copied_by_hand_answers_to_its_own_name(mine, tmp_path):
    mine.with_name("copy.json").write_bytes(mine.read_bytes())

    assert [listed.name for listed in list_profiles(tmp_path)] == ["copy", "mine"]
    assert load_profile("copy", tmp_path).name == "copy"


def test_a_profile_is_renamed(mine, tmp_path):
    rename_profile("mine", "Kitchen", tmp_path)

    assert load_profile("kitchen", tmp_path).name == "Kitchen"
    assert why(load_profile, "mine", tmp_path) is Why.MISSING


def test_only_the_capitals_may_change(mine, tmp_path):
    rename_profile("mine", "Mine", tmp_path)

    assert load_profile("mine", tmp_path).name == "Mine"


def test_a_name_that_is_taken_stays_with_its_profile(mine, tmp_path):
    save_profile(a_profile("yours", [Kind.DRAGON]), tmp_path)

    assert why(rename_profile, "mine", "YOURS", tmp_path) is Why.TAKEN
    assert load_profile("yours", tmp_path).kinds == (Kind.DRAGON,)
    assert load_profile("mine", tmp_path).kinds == KINDS


def test_a_profile_is_deleted_even_a_damaged_one(mine, tmp_path):
    mine.write_bytes(b"no profile")

    delete_profile("Mine", tmp_path)

    assert not mine.exists()
    assert why(delete_profile, "mine", tmp_path) is Why.MISSING


def test_a_profile_goes_to_another_companion(mine, tmp_path):
    file = tmp_path / "for a friend.json"
    export_profile("mine", tmp_path, file)

    brought = import_profile(file, tmp_path / "other")
    renamed = import_profile(file, tmp_path / "other", "second")

    assert (brought.name, renamed.name) == ("mine", "second")
    back = load_profile("second", tmp_path / "other")
    np.testing.assert_array_equal(back.patches, a_profile().patches)
    assert why(import_profile, file, tmp_path / "other") is Why.TAKEN


def test_a_profile_is_not_exported_into_a_folder_that_is_not_there(mine, tmp_path):
    with pytest.raises(OSError):
        export_profile("mine", tmp_path, tmp_path / "nowhere" / "file.json")

    assert not (tmp_path / "nowhere").exists()


# What strangers send


SAMPLE = {"kind": "gold", "patch": encoded(png())}
SOUND = {"schema": 1, "name": "mine", "created": "2026-01-02T03:04:05+00:00", "samples": [SAMPLE]}


def test_the_sound_file_of_the_next_test_is_sound(tmp_path):
    file = tmp_path / "sent.json"
    file.write_text(json.dumps(SOUND), "utf-8")

    assert import_profile(file, tmp_path).kinds == (Kind.GOLD,)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", Why.NOT_A_PROFILE, id="empty"),
        pytest.param(b"\x89PNG\xff", Why.NOT_A_PROFILE, id="binary"),
        pytest.param(b"[" * 100_000, Why.NOT_A_PROFILE, id="deep"),
        pytest.param(b"[]", Why.NOT_A_PROFILE, id="a list"),
        pytest.param({"schema": True}, Why.NOT_A_PROFILE, id="no schema"),
        pytest.param({"schema": 2}, Why.NEWER, id="newer"),
        pytest.param({"name": 3}, Why.NOT_A_PROFILE, id="name"),
        pytest.param({"name": "../x"}, Why.NOT_A_PROFILE, id="name of another place"),
        pytest.param({"created": "yesterday"}, Why.NOT_A_PROFILE, id="date"),
        pytest.param({"samples": {}}, Why.NOT_A_PROFILE, id="samples"),
        pytest.param({"samples": [3]}, Why.NOT_A_PROFILE, id="sample"),
        pytest.param({"samples": [{"kind": "gold"}]}, Why.NOT_A_PROFILE, id="no patch"),
        pytest.param({"samples": [{**SAMPLE, "kind": "silver"}]}, Why.NOT_A_PROFILE, id="unknown kind"),
        pytest.param({"samples": [{**SAMPLE, "kind": []}]}, Why.NOT_A_PROFILE, id="kind of no kind"),
        pytest.param({"samples": [{**SAMPLE, "patch": "?"}]}, Why.NOT_A_PROFILE, id="not base64"),
        pytest.param({"samples": [{**SAMPLE, "patch": "é"}]}, Why.NOT_A_PROFILE, id="not even ASCII"),
        pytest.param({"samples": [{**SAMPLE, "patch": encoded(b"x")}]}, Why.BAD_PATCH, id="no picture"),
        pytest.param(
            {"samples": [{**SAMPLE, "patch": encoded(png(48, 49))}]}, Why.BAD_PATCH, id="another size"
        ),
        pytest.param({"samples": [{**SAMPLE, "patch": encoded(png()[:-30])}]}, Why.BAD_PATCH, id="cut off"),
        pytest.param(
            {"samples": [{**SAMPLE, "patch": encoded(png()[:40] + b"x" * 40 + png()[60:])}]},
            Why.BAD_PATCH,
            id="broken",
        ),
        pytest.param({"samples": [SAMPLE] * 501}, Why.TOO_MANY, id="too many"),
        pytest.param(b" " * 5_000_001, Why.TOO_LARGE, id="too large"),
    ],
)
def test_what_is_no_profile_is_refused_with_the_reason(tmp_path, content, reason):
    file = tmp_path / "sent.json"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps({**SOUND, **content}).encode())

    assert why(import_profile, file, tmp_path) is reason
    assert not (tmp_path / "profiles").exists()


# Samples


def a_photo():
    """Return a photo with a colour for each column of 100 pixels."""
    photo = np.zeros((200, 400, 3), np.uint8)
    photo[:] = (np.arange(400) // 100 * 60 + 20)[None, :, None]
    return photo


@pytest.mark.parametrize("reach", [6.0, 14.0, 45.0])
def test_samples_are_cut_around_labelled_cubes_at_any_scale(reach):
    centres = np.array([(150.0, 100.0), (350.0, 100.0)])

    profile = with_samples(Profile.empty("new"), a_photo(), centres, np.full(2, reach), (Kind.GOLD, Kind.KEY))

    assert profile.kinds == (Kind.GOLD, Kind.KEY)
    assert [int(patch[24, 24, 0]) for patch in profile.patches] == [80, 200]


def test_samples_of_a_large_photo_are_as_smooth_as_what_the_scanner_sees():
    grain = np.random.default_rng(1).integers(0, 256, (400, 400, 3), np.uint8)

    profile = with_samples(
        Profile.empty("new"), grain, np.array([(200.0, 200.0)]), np.array([70.0]), (Kind.GOLD,)
    )

    # Five by five grains in each pixel: a fifth of the grain is left, somewhat less between pixels.
    assert profile.patches[0].std() < grain.std() / 4


def test_of_each_kind_the_newest_are_kept_in_order():
    profile = Profile.empty("new")
    for shade in range(20):
        photo = np.full((60, 60, 3), shade, np.uint8)
        kinds = (Kind.GOLD, Kind.KEY) if shade == 3 else (Kind.GOLD,)
        centres, reach = np.full((len(kinds), 2), 30.0), np.full(len(kinds), 12.0)
        profile = with_samples(profile, photo, centres, reach, kinds)

    shades = [(kind, int(patch[0, 0, 0])) for kind, patch in zip(profile.kinds, profile.patches, strict=True)]
    gold = [(Kind.GOLD, shade) for shade in range(20 - MOST_OF_A_KIND, 20)]
    assert shades == [(Kind.KEY, 3), *gold]


def test_nothing_to_add_changes_nothing():
    profile = with_samples(a_profile(), a_photo(), np.zeros((0, 2)), np.zeros(0), ())

    assert profile.kinds == KINDS
