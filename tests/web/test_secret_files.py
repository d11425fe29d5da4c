"""Files that only their owner may read."""

import os
import stat

import pytest

from web.secret_files import signing_key, write_secret

needs_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")


def mode(file):
    return stat.S_IMODE(file.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def any_umask(request):
    before = os.umask(request.param)
    yield
    os.umask(before)


@needs_modes
def test_a_secret_is_readable_by_its_owner_only(tmp_path, any_umask):
    file = tmp_path / "secret"

    write_secret(file, b"content")

    assert mode(file) == 0o600
    assert file.read_bytes() == b"content"


@needs_modes
def test_a_secret_replaces_a_file_that_everybody_could_read(tmp_path):
    file = tmp_path / "secret"
    file.write_bytes(b"old")
    file.chmod(0o644)

    write_secret(file, b"new")

    assert mode(file) == 0o600
    assert file.read_bytes() == b"new"


def test_a_half_written_secret_of_an_earlier_start_is_no_obstacle(tmp_path):
    file = tmp_path / "secret"
    (tmp_path / "secret.part").write_bytes(b"hal")

    write_secret(file, b"whole")

    assert file.read_bytes() == b"whole"
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


@needs_modes
def test_a_planted_link_does_not_lead_a_secret_elsewhere(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"untouched")
    (tmp_path / "secret.part").symlink_to(elsewhere)
    (tmp_path / "secret").symlink_to(elsewhere)

    write_secret(tmp_path / "secret", b"content")

    assert elsewhere.read_bytes() == b"untouched"
    assert not (tmp_path / "secret").is_symlink()


def test_the_signing_key_is_made_once_and_kept(tmp_path):
    folder = tmp_path / "new" / "data"

    first, again = signing_key(folder), signing_key(folder)

    assert len(first) == 32
    assert first == again == (folder / "signing-key").read_bytes()


@needs_modes
def test_the_signing_key_is_a_secret(tmp_path):
    signing_key(tmp_path)

    assert mode(tmp_path / "signing-key") == 0o600


def test_two_companions_have_different_keys(tmp_path):
    assert signing_key(tmp_path / "a") != signing_key(tmp_path / "b")
