"""The council: all places of a picture judged together."""

import numpy as np
import pytest

from vision.council import Council, Known, consulted
from vision.judge import CLASS_COUNT, LOOKS_COUNT, Opinions
from vision.support import DIRECTION_COUNT

WIDTH = 8


def some_weights(seed=1, loud=1.0):
    """Return weights of a small council."""
    rng = np.random.default_rng(seed)
    sizes = {"enter": (WIDTH, LOOKS_COUNT + CLASS_COUNT), "leave": (CLASS_COUNT, WIDTH)}
    for number in range(2):
        sizes |= {f"rounds.{number}.{part}": (WIDTH, WIDTH) for part in ("asks", "offers", "tells", "heard")}
        sizes |= {f"rounds.{number}.first": (2 * WIDTH, WIDTH), f"rounds.{number}.second": (WIDTH, 2 * WIDTH)}
    weights = {}
    for name, shape in sizes.items():
        silent = name.endswith(("heard", "second"))
        weights[f"{name}.weight"] = rng.normal(0, 0.3 * (loud if silent else 1.0), shape)
        weights[f"{name}.bias"] = rng.normal(0, 0.1 * (loud if silent else 1.0), shape[0])
    return weights


def some_opinions(count, seed=2):
    rng = np.random.default_rng(seed)
    return Opinions(
        rng.uniform(0, 500, (count, 2)),
        rng.uniform(8, 12, (count, DIRECTION_COUNT)),
        rng.uniform(0.2, 0.6, (count, DIRECTION_COUNT)),
        rng.normal(0, 1, (count, CLASS_COUNT)),
        np.abs(rng.normal(0, 1, (count, LOOKS_COUNT))),
    )


def slowly(weights, looks, names):
    """Do what the council does place by place and head by head, with nothing but sums."""

    def layer(name, x):
        return [
            sum(w * v for w, v in zip(row, x, strict=True)) + b
            for row, b in zip(weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)
        ]

    places = [layer("enter", [*look, *name]) for look, name in zip(looks, names, strict=True)]
    for number in range(2):
        prefix = f"rounds.{number}."
        asks, offers, tells = (
            [layer(prefix + part, x) for x in places] for part in ("asks", "offers", "tells")
        )
        after = []
        for n, x in enumerate(places):
            told = []
            for start in range(0, WIDTH, WIDTH // 4):
                head = slice(start, start + WIDTH // 4)
                heed = [np.exp(np.dot(asks[n][head], other[head]) / np.sqrt(WIDTH // 4)) for other in offers]
                shares = np.array(heed) / sum(heed)
                told += sum(
                    share * np.array(other[head]) for share, other in zip(shares, tells, strict=True)
                ).tolist()
            x = np.add(x, layer(prefix + "heard", told))
            after.append(np.add(x, layer(prefix + "second", np.maximum(layer(prefix + "first", x), 0))))
        places = after
    return np.array([layer("leave", x) for x in places])


def test_it_does_what_the_same_sums_done_slowly_do():
    weights, said = some_weights(), some_opinions(5)
    names = np.eye(CLASS_COUNT)[[0, 3, 3, 0, 9]] * np.array([0, 1, 1, 0, 1])[:, None]
    np.testing.assert_allclose(Council(weights)(said.looks, names), slowly(weights, said.looks, names))


def some_of(said, which):
    return Opinions(*(getattr(said, name)[which] for name in Opinions.__dataclass_fields__))


def test_the_order_of_places_does_not_matter():
    council, said = Council(some_weights()), some_opinions(9)
    order = np.random.default_rng(3).permutation(9)
    mixed = some_of(said, order)
    np.testing.assert_allclose(consulted(mixed, council).scores, consulted(said, council).scores[order])


def test_others_are_heard():
    council, said = Council(some_weights()), some_opinions(9)
    fewer = some_of(said, np.arange(5))
    assert np.abs(consulted(fewer, council).scores - consulted(said, council).scores[:5]).max() > 1e-3


def test_known_places_are_heard_but_not_answered():
    council, said = Council(some_weights()), some_opinions(6)
    known = Known(np.ones((3, LOOKS_COUNT)), np.array([1, 2, 2]))
    other = Known(np.ones((3, LOOKS_COUNT)), np.array([1, 2, 5]))
    told = consulted(said, council, known)
    assert told.scores.shape == said.scores.shape
    assert np.abs(told.scores - consulted(said, council, other).scores).max() > 1e-4
    np.testing.assert_array_equal(told.centre_px, said.centre_px)
    np.testing.assert_array_equal(told.support_px, said.support_px)


@pytest.mark.parametrize("known", [None, Known(np.ones((2, LOOKS_COUNT)), np.array([1, 2]))])
def test_nothing_is_said_of_no_places(known):
    assert len(consulted(some_opinions(0), Council(some_weights()), known).scores) == 0


def test_the_weights_that_come_with_the_program_fit():
    said = some_opinions(4)
    assert np.isfinite(consulted(said, Council()).scores).all()
