"""A whole session by chance: a bot that answers in time, late, early, twice or never, against a model of what is right."""

from collections import deque

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bullring.protocol.connection import Connection, Phase
from bullring.protocol.decoding import Dialect
from tests.protocol.talk import HELLO, Outcome, choice, cut, encode, receive

cards = st.integers(1, 104)
cuts = st.lists(st.integers(0, 100), max_size=3)


class Session(RuleBasedStateMachine):
    """Ids count upwards here, so that a bot can guess them: even that must not help it."""

    @initialize(dialect=st.sampled_from(Dialect))
    def begin(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.next = 100
        self.open: int | None = None
        self.late: deque[int] = deque(maxlen=16)
        self.answered: list[int] = []
        self.connection = Connection(self.new_id)
        assert self.connection.receive_hello(encode(dialect, HELLO))

    def new_id(self) -> int:
        self.next += 1
        return self.next

    def say(self, number: int, card: int, places: list[int]) -> Outcome:
        return receive(self.connection, cut(encode(self.dialect, choice(number, card)), places))

    @precondition(lambda self: self.open is None)
    @rule()
    def ask(self) -> None:
        self.connection.ask()
        self.open = self.next

    @precondition(lambda self: self.open is not None)
    @rule(card=cards, places=cuts)
    def answer(self, card: int, places: list[int]) -> None:
        assert self.open is not None
        assert self.say(self.open, card, places) == Outcome([card])
        self.answered.append(self.open)
        self.open = None

    @precondition(lambda self: self.open is not None)
    @rule()
    def give_up(self) -> None:
        assert self.open is not None
        self.connection.give_up()
        self.late.append(self.open)
        self.open = None

    @precondition(lambda self: self.late)
    @rule(which=st.integers(0, 15), card=cards, places=cuts)
    def answer_late(self, which: int, card: int, places: list[int]) -> None:
        number = self.late[which % len(self.late)]
        assert self.say(number, card, places) == Outcome()
        self.late.remove(number)
        self.answered.append(number)

    @precondition(lambda self: self.answered)
    @rule(which=st.integers(0, 99), card=cards, places=cuts)
    def answer_again(self, which: int, card: int, places: list[int]) -> None:
        assert self.say(self.answered[which % len(self.answered)], card, places) == Outcome([], 1)

    @rule(ahead=st.integers(1, 5), card=cards, places=cuts)
    def answer_early(self, ahead: int, card: int, places: list[int]) -> None:
        assert self.say(self.next + ahead, card, places) == Outcome([], 1)

    @rule(places=cuts)
    def say_hello_again(self, places: list[int]) -> None:
        assert receive(self.connection, cut(encode(self.dialect, HELLO), places)) == Outcome([], 1)

    @invariant()
    def the_phase_is_right(self) -> None:
        if hasattr(self, "connection"):
            assert self.connection.phase is (Phase.IDLE if self.open is None else Phase.ASKED)


TestSession = Session.TestCase
