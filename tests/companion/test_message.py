"""Sentences for players: plural, nesting and translation."""

import pytest

from companion.message import Message, quoted, say, say_many


def test_values_are_filled_in():
    assert str(say("%(player)s adds %(count)d groups.", player="Ana", count=2)) == "Ana adds 2 groups."


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 groups"), (1, "1 group"), (2, "2 groups"), (21, "21 groups"), (-1, "-1 groups")],
)
def test_english_has_one_and_many(count, text):
    assert str(say_many("%(count)d group", "%(count)d groups", count)) == text


def test_a_plural_takes_other_values_too():
    message = say_many("%(who)s: %(count)d tile", "%(who)s: %(count)d tiles", 3, who="Ben")

    assert str(message) == "Ben: 3 tiles"


def test_messages_nest():
    inner = say_many("%(count)d room", "%(count)d rooms", 1)

    assert str(say("Move %(far)s, %(who)s.", far=inner, who=say("you"))) == "Move 1 room, you."


@pytest.mark.parametrize(
    ("message", "text"),
    [
        pytest.param(say("100% sure"), "100% sure", id="without values"),
        pytest.param(say("%d"), "%d", id="what looks like a placeholder"),
        pytest.param(say("%(n)d%% sure", n=50), "50% sure", id="doubled beside a value"),
        pytest.param(say("Hello %(who)s", who="%(evil)s 100%"), "Hello %(evil)s 100%", id="in a value"),
        pytest.param(say("[%(inner)s]", inner=say("5%")), "[5%]", id="in a nested message"),
    ],
)
def test_a_literal_percent_sign_survives(message, text):
    assert str(message) == text


def test_a_translation_reaches_nested_messages_and_keeps_the_values():
    french = {"Move %(far)s.": "Avancez de %(far)s.", "%(count)d room": "%(count)d salle"}
    message = say("Move %(far)s.", far=say_many("%(count)d room", "%(count)d rooms", 1))

    assert message.render(lambda part: french[part.text]) == "Avancez de 1 salle."


def test_a_translator_sees_both_forms_and_the_count():
    seen = []

    def translate(message):
        seen.append((message.text, message.many, message.params.get("count")))
        return "%(count)d salles"

    assert say_many("%(count)d room", "%(count)d rooms", 4).render(translate) == "4 salles"
    assert seen == [("%(count)d room", "%(count)d rooms", 4)]


def test_equal_sentences_are_equal():
    assert say("%(n)d", n=1) == Message("%(n)d", {"n": 1})
    assert say("%(n)d", n=1) != say("%(n)d", n=2)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        pytest.param("chess", "chess", id="a word"),
        pytest.param(None, "None", id="nothing"),
        pytest.param("x" * 99, "x" * 60, id="long"),
        pytest.param("a\n b\t\tc", "a b c", id="several lines"),
        pytest.param("a\x00\u202eb\ud800", "a??b?", id="invisible letters"),
        pytest.param("%(n)s", "%(n)s", id="a placeholder"),
    ],
)
def test_what_a_stranger_sent_is_quoted_shortly_and_visibly(sent, shown):
    assert quoted(sent) == shown
