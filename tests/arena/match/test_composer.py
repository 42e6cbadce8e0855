"""The plain maps that seats are sent are what the models of the messages say, byte for byte in each dialect."""

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.composer import Addressee, Composer
from bullring.arena.settings.limits import Limits
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder
from bullring.protocol.messages import MatchOver, Welcome


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("name", GAMES)
def test_a_welcome_and_a_match_over_are_those_of_the_models(name: str, dialect: Dialect) -> None:
    encoder: Encoder = ENCODERS[dialect]
    game = GAMES[name](GAMES[name].seat_range[1])
    composer = Composer(game)
    for limits in (Limits.seconds(card=0.2, bank=5.0).of_bots(), Limits.of_people().of_bots()):
        welcome = composer.welcome(limits, 3, "c0" * 32, seat=1, seed=2**48 - 1, clock="core")
        model = Welcome.model_validate(welcome)
        assert encoder.message(welcome) == encoder.message(model)
    state = game.new()
    composer.journal.add(game.advance_deal(state, shuffled(*game.shuffle, "7", 1)))
    to = Addressee(0, encoder)
    scores = list(range(game.seats))
    for void, ranks in ((False, [seat + 1 for seat in scores]), (True, [])):
        composer_of_end = Composer(game)
        composer_of_end.journal.add(composer.journal.since(0))
        over = MatchOver(events=[*composer.journal.since(0)], scores=scores, ranks=ranks, void=void)
        assert composer_of_end.over(to, scores, ranks, void=void) == encoder.message(over)
